"""Errors, with what is known of each."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Optional, Tuple

if TYPE_CHECKING:
    from ._native import Model, RawRecording, State
    from .recording import Recording


class HamiltreeError(Exception):
    """Any error of the engine."""


class UsageError(HamiltreeError, ValueError):
    """Options or arrays that make no sense together, or name something unknown."""


class ModelError(HamiltreeError, ValueError):
    """A file or a mechanism that cannot be accepted."""

    def __init__(
        self,
        message: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        element: str = "",
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        #: What cannot be accepted: 'body "crank"'.
        self.element = element


class SimulationError(HamiltreeError, RuntimeError):
    """A run that had to stop: not a number, steps that would have to be ever smaller."""

    def __init__(
        self,
        message: str,
        time: float,
        body: Optional[str] = None,
        last_state: Optional[State] = None,
        model: Optional[Model] = None,
        raw_recording: Optional[RawRecording] = None,
    ) -> None:
        super().__init__(message)
        #: s, the last good time.
        self.time = time
        #: Where it began; None where that is not known.
        self.body = body
        #: At that time; None where no run was under way.
        self.last_state = last_state
        #: What ran; None where no run was under way.
        self.model = model
        self._raw_recording = raw_recording

    def __reduce__(self) -> Tuple[Any, ...]:
        """As another process gets it: without the model and the recording where the model has
        functions or controllers of the user, which cannot be pickled."""
        ran = (self.model, self._raw_recording)
        try:
            pickle.dumps(self.model)
        except UsageError:
            ran = (None, None)
        return type(self), (str(self), self.time, self.body, self.last_state, *ran)

    @property
    def recording(self) -> Optional[Recording]:
        """The recording of the run until then."""
        from .recording import Recording

        if self.model is None or self._raw_recording is None:
            return None
        return Recording(self._raw_recording, self.model)
