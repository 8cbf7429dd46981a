"""The engine itself. Kept by hand beside python/bindings; tests hold it against the module."""

import os
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    overload,
)

import numpy as np
import numpy.typing as npt

# The names of the package; the others are parts of it.
__all__ = [
    "Actuator",
    "AppliedWrench",
    "Batch",
    "Body",
    "BodySensor",
    "BodyState",
    "Bushing",
    "Controller",
    "Controls",
    "Coupling",
    "CurveSpring",
    "DifferentiableRun",
    "Drag",
    "EffortCallback",
    "EnergySensor",
    "Equilibrium",
    "Event",
    "Formulation",
    "Frame",
    "FrameMotion",
    "InverseDynamics",
    "InverseKinematics",
    "Jacobians",
    "Joint",
    "JointFriction",
    "JointLimits",
    "JointSensor",
    "JointSpringDamper",
    "Linearization",
    "LoadCallback",
    "Looks",
    "Mechanism",
    "Mode",
    "PointJacobian",
    "PointSensor",
    "PointSpringDamper",
    "Polynomial",
    "RateJacobian",
    "ReactionSensor",
    "Rollout",
    "RolloutFailure",
    "RunChange",
    "RunSamples",
    "Servo",
    "Sine",
    "SmoothStep",
    "State",
    "Table",
    "TendonLimits",
    "equilibrium",
    "every_step",
    "formulation_names",
    "integrator_names",
    "inverse_dynamics",
    "inverse_kinematics",
    "linearize",
    "mass_matrix",
    "point_jacobian",
    "transmission",
]

__version__: str
every_step: float
formulation_names: List[str]
integrator_names: List[str]

_Array = npt.NDArray[np.float64]
_Numbers = Union[Sequence[float], _Array]
_OfJoints = Dict[str, Union[float, _Numbers]]
_RopePoint = Union[Tuple[str, _Numbers], Tuple[str, _Numbers, float]]

class _DLPack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...

_NumberOrNumbers = Union[float, Sequence[float], _Array]
_Inertia = Union[float, Sequence[float], Sequence[Sequence[float]], _Array]
_Channels = List[Tuple[str, str]]

class Polynomial:
    def __init__(self, coefficients: Sequence[float]) -> None: ...
    @property
    def coefficients(self) -> List[float]: ...

class Sine:
    def __init__(
        self, *, amplitude: float, frequency: float, phase: float = ..., constant: float = ...
    ) -> None: ...

class SmoothStep:
    def __init__(
        self, *, from_: float, to: float, start: float = ..., duration: float = ...
    ) -> None: ...

class Table:
    def __init__(
        self, *, times: _Numbers, values: _Numbers, start_rate: float = ..., end_rate: float = ...
    ) -> None: ...

_Function = Union[float, Polynomial, Sine, SmoothStep, Table]

class Frame:
    def __init__(
        self,
        position: Optional[_Numbers] = ...,
        *,
        angle: float = ...,
        quat_wxyz: Optional[_Numbers] = ...,
        axis_angle: Optional[_Numbers] = ...,
        rotation: Optional[Union[Sequence[Sequence[float]], _Array]] = ...,
    ) -> None: ...
    @property
    def position(self) -> _Array: ...
    @property
    def rotation(self) -> _Array: ...

_Frame = Union[Frame, _Numbers]

class FrameMotion:
    def __init__(
        self,
        *,
        x: Optional[_Function] = ...,
        y: Optional[_Function] = ...,
        z: Optional[_Function] = ...,
        rx: Optional[_Function] = ...,
        ry: Optional[_Function] = ...,
        rz: Optional[_Function] = ...,
    ) -> None: ...

class Body:
    def __init__(
        self,
        *,
        name: str,
        mass: float = ...,
        com: Optional[_Numbers] = ...,
        inertia: Optional[_Inertia] = ...,
        accept_inertia: bool = ...,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def mass(self) -> float: ...
    @property
    def com(self) -> _Array: ...
    @property
    def inertia(self) -> _Array: ...

class Joint:
    def __init__(
        self,
        *,
        name: str,
        type: str = ...,
        parent: str,
        child: str,
        at_parent: Optional[_Frame] = ...,
        at_child: Optional[_Frame] = ...,
        initial_q: Optional[_NumberOrNumbers] = ...,
        initial_v: Optional[_NumberOrNumbers] = ...,
        guess_q: Optional[_NumberOrNumbers] = ...,
        drive: Optional[_Function] = ...,
        pitch: float = ...,
        armature: float = ...,
        parent_motion: Optional[FrameMotion] = ...,
        cut: Optional[bool] = ...,
        branch: Optional[int] = ...,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def parent(self) -> str: ...
    @property
    def child(self) -> str: ...

class Coupling:
    def __init__(
        self,
        *,
        name: str,
        joint: str,
        to: str,
        ratio: Optional[float] = ...,
        offset: Optional[float] = ...,
        polynomial: Optional[Sequence[float]] = ...,
    ) -> None: ...

class JointSpringDamper:
    def __init__(
        self, *, joint: str, stiffness: float = ..., rest: float = ..., damping: float = ...
    ) -> None: ...

class JointLimits:
    def __init__(
        self,
        *,
        joint: str,
        lower: Optional[float] = ...,
        upper: Optional[float] = ...,
        stiffness: float,
        damping: float = ...,
        transition: Optional[float] = ...,
    ) -> None: ...

class JointFriction:
    def __init__(
        self, *, joint: str, coulomb: float = ..., viscous: float = ..., velocity_scale: float = ...
    ) -> None: ...

class Actuator:
    def __init__(self, *, name: str, joint: str, effort: _Function) -> None: ...

class Servo:
    def __init__(
        self,
        *,
        name: str,
        joints: Sequence[str] = ...,
        effort: _Function = ...,
        ratios: Optional[Sequence[float]] = ...,
        stiffness: float = ...,
        damping: float = ...,
        lower: Optional[float] = ...,
        upper: Optional[float] = ...,
        points: Optional[Sequence[_RopePoint]] = ...,
    ) -> None: ...

class TendonLimits:
    def __init__(
        self,
        *,
        name: str,
        joints: Sequence[str] = ...,
        ratios: Optional[Sequence[float]] = ...,
        lower: Optional[float] = ...,
        upper: Optional[float] = ...,
        stiffness: float,
        damping: float = ...,
        transition: Optional[float] = ...,
        points: Optional[Sequence[_RopePoint]] = ...,
    ) -> None: ...

class PointSpringDamper:
    def __init__(
        self,
        *,
        name: str,
        body_a: Optional[str] = ...,
        body_b: Optional[str] = ...,
        point_a: Optional[_Numbers] = ...,
        point_b: Optional[_Numbers] = ...,
        points: Optional[Sequence[_RopePoint]] = ...,
        stiffness: float = ...,
        rest_length: float = ...,
        damping: float = ...,
        slack: Optional[float] = ...,
    ) -> None: ...

class Bushing:
    def __init__(
        self,
        *,
        name: str,
        body_a: str,
        body_b: str,
        at_a: Optional[_Frame] = ...,
        at_b: Optional[_Frame] = ...,
        translational_stiffness: _NumberOrNumbers = ...,
        rotational_stiffness: _NumberOrNumbers = ...,
        translational_damping: _NumberOrNumbers = ...,
        rotational_damping: _NumberOrNumbers = ...,
        angle_stiffness: float = ...,
        turn_stiffness: _NumberOrNumbers = ...,
        rest_turn: _NumberOrNumbers = ...,
    ) -> None: ...

class AppliedWrench:
    def __init__(
        self,
        *,
        name: str,
        body: str,
        position: Optional[_Numbers] = ...,
        force: Optional[Sequence[Optional[_Function]]] = ...,
        moment: Optional[Union[_Function, Sequence[Optional[_Function]]]] = ...,
        axes: str = ...,
    ) -> None: ...

class Drag:
    def __init__(
        self,
        *,
        name: str,
        body: str,
        at: Optional[_Frame] = ...,
        translational_damping: _NumberOrNumbers = ...,
        rotational_damping: _NumberOrNumbers = ...,
        translational_drag: _NumberOrNumbers = ...,
        rotational_drag: _NumberOrNumbers = ...,
        medium_velocity: _NumberOrNumbers = ...,
    ) -> None: ...

class CurveSpring:
    def __init__(
        self,
        *,
        name: str,
        joint: str,
        deflections: _Numbers,
        efforts: _Numbers,
        scale: float = ...,
        rest: float = ...,
        damping: float = ...,
    ) -> None: ...

class BodyState:
    @property
    def position(self) -> _Array: ...
    @property
    def rotation(self) -> _Array: ...
    @property
    def velocity(self) -> _Array: ...
    @property
    def angular_velocity(self) -> _Array: ...

class Controls:
    @property
    def time(self) -> float: ...
    def index(self, joint: str) -> int: ...
    def position(self, joint: Union[int, str]) -> float: ...
    def rate(self, joint: Union[int, str]) -> float: ...
    def coordinates(self, joint: Union[int, str]) -> _Array: ...
    def velocities(self, joint: Union[int, str]) -> _Array: ...
    def add_effort(self, i: int, effort: float) -> None: ...

class EffortCallback:
    def __init__(
        self, *, name: str, joint: str, effort: Callable[[float, float, float], float]
    ) -> None: ...

class LoadCallback:
    def __init__(
        self,
        *,
        name: str,
        body: str,
        load: Callable[[float, BodyState], Tuple[_Numbers, _NumberOrNumbers]],
    ) -> None: ...

class Controller:
    def __init__(
        self,
        *,
        name: str,
        joints: Sequence[str],
        law: Callable[[Controls], None],
        period: Optional[float] = None,
    ) -> None: ...

def has_controllers(model: Model) -> bool: ...
def run_controller(
    file: str, period: float, inputs: Sequence[str], outputs: Sequence[str]
) -> int: ...

class BodySensor:
    def __init__(self, *, name: str, body: str) -> None: ...

class JointSensor:
    def __init__(self, *, name: str, joint: str) -> None: ...

class ReactionSensor:
    def __init__(self, *, name: str, joint: str) -> None: ...

class PointSensor:
    def __init__(self, *, name: str, body: str, position: _Numbers) -> None: ...

class EnergySensor:
    def __init__(self, *, name: str) -> None: ...

class Event:
    def __init__(
        self,
        *,
        name: str,
        channel: str,
        value: float = ...,
        crossing: str = ...,
        stops: bool = ...,
    ) -> None: ...

_Force = Union[
    JointSpringDamper,
    JointLimits,
    JointFriction,
    TendonLimits,
    Actuator,
    Servo,
    PointSpringDamper,
    Bushing,
    AppliedWrench,
    Drag,
    CurveSpring,
    EffortCallback,
    LoadCallback,
    Controller,
]
_Sensor = Union[BodySensor, JointSensor, ReactionSensor, PointSensor, EnergySensor]

class Mechanism:
    def __init__(self, name: str, *, space: str, gravity: _Numbers) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def space(self) -> str: ...
    @property
    def gravity(self) -> _Array: ...
    @property
    def bodies(self) -> List[Body]: ...
    @property
    def joints(self) -> List[Joint]: ...
    def add(self, *parts: Union[Body, Joint, Coupling, _Force, _Sensor, Event]) -> Mechanism: ...

class State:
    t: float
    q: _Array
    p: _Array
    def __init__(self, *, t: float = ..., q: _Numbers, p: _Numbers) -> None: ...
    def copy(self) -> State: ...

class Looks:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...

class Model:
    def __init__(self, mechanism: Mechanism) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def space(self) -> str: ...
    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def _mechanism_before(self) -> Mechanism: ...
    @property
    def body_count(self) -> int: ...
    @property
    def joint_count(self) -> int: ...
    @property
    def loop_count(self) -> int: ...
    @property
    def coordinate_count(self) -> int: ...
    @property
    def velocity_count(self) -> int: ...
    @property
    def constraint_count(self) -> int: ...
    @property
    def degrees_of_freedom(self) -> int: ...
    @property
    def depends_on_time(self) -> bool: ...
    @property
    def body_names(self) -> List[str]: ...
    @property
    def joint_names(self) -> List[str]: ...
    @property
    def coordinates(self) -> _Channels: ...
    def parameters(self) -> List[Tuple[str, float]]: ...
    def with_parameters(self, values: Mapping[str, float]) -> Model: ...
    @property
    def velocities(self) -> _Channels: ...
    @property
    def momenta(self) -> _Channels: ...
    @property
    def estimated_digits(self) -> Optional[float]: ...
    def state(
        self,
        *,
        t: float = ...,
        q: Optional[Union[_Numbers, _OfJoints]] = ...,
        v: Optional[Union[_Numbers, _OfJoints]] = ...,
    ) -> State: ...
    def velocities_of(self, state: State) -> _Array: ...
    def plan(self) -> str: ...
    def opened(self) -> Model: ...
    def skeleton(self) -> Tuple[_Array, List[_Array]]: ...
    def to_toml(self) -> str: ...
    def to_transmission(
        self,
        file: Union[str, "os.PathLike[str]"],
        *,
        actuators: Sequence[str],
        joints: Sequence[str],
    ) -> None: ...
    def to_fmu(
        self,
        file: Union[str, "os.PathLike[str]"],
        *,
        fmi: int = 3,
        parameters: str = "fold",
        step: float = 1e-3,
        formulation: str = "recursive",
        binary: bool = True,
        inputs: str = "efforts",
        derivatives: bool = False,
    ) -> None: ...
    def _repr_html_(self) -> str: ...

def load_with_log(
    file: Union[str, "os.PathLike[str]"],
    overrides: Sequence[str],
    *,
    strict: bool,
    balance_inertia: bool,
    accept_inertia: bool,
    fixed_base: bool,
    keyframe: str,
    no_actuators: bool,
    control: str,
    files_elsewhere: bool,
) -> Tuple[Model, Looks, List[str]]: ...

class Formulation:
    def __init__(
        self,
        model: Model,
        name: str = ...,
        *,
        baumgarte: float = ...,
        q: Optional[_Numbers] = ...,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def plan(self) -> str: ...
    @property
    def momenta(self) -> bool: ...
    @property
    def redundant_constraints(self) -> int: ...
    def rates(
        self,
        q: _Numbers,
        p: _Numbers,
        t: float = ...,
        *,
        out: Optional[Tuple[_Array, _Array]] = ...,
    ) -> Tuple[_Array, _Array]: ...
    def velocities(self, q: _Numbers, p: _Numbers, t: float = ...) -> _Array: ...
    def accelerations(self, q: _Numbers, p: _Numbers, t: float = ...) -> _Array: ...
    def reactions(
        self, q: _Numbers, p: _Numbers, t: float = ..., *, axes: str = ...
    ) -> _Array: ...
    def driving_efforts(self, q: _Numbers, p: _Numbers, t: float = ...) -> _Array: ...

    def jacobians(self, q: _Numbers, p: _Numbers, t: float = ...) -> Jacobians: ...
    def parameter_jacobians(
        self, q: _Numbers, p: _Numbers, parameters: Sequence[str], t: float = ...
    ) -> RateJacobian: ...

class RateJacobian:
    @property
    def v(self) -> _Array: ...
    @property
    def q_dot(self) -> _Array: ...
    @property
    def p_dot(self) -> _Array: ...

class Jacobians:
    @property
    def q(self) -> RateJacobian: ...
    @property
    def p(self) -> RateJacobian: ...
    @property
    def t(self) -> RateJacobian: ...

class Mode:
    @property
    def eigenvalue(self) -> complex: ...
    @property
    def frequency(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def shape(self) -> npt.NDArray[np.complex128]: ...

class Linearization:
    @property
    def t(self) -> float: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def v_dot(self) -> _Array: ...
    @property
    def independent(self) -> List[int]: ...
    @property
    def inputs(self) -> List[str]: ...
    @property
    def A(self) -> _Array: ...
    @property
    def B(self) -> _Array: ...
    @property
    def C_q(self) -> _Array: ...
    @property
    def C_v(self) -> _Array: ...
    def modes(self) -> List[Mode]: ...

class Equilibrium:
    @property
    def q(self) -> _Array: ...
    @property
    def linear(self) -> Linearization: ...
    @property
    def steps(self) -> int: ...
    @property
    def unbalanced(self) -> float: ...
    @property
    def growth(self) -> float: ...
    @property
    def stable(self) -> bool: ...
    @property
    def indifferent(self) -> bool: ...

class InverseDynamics:
    @property
    def v(self) -> _Array: ...
    @property
    def v_dot(self) -> _Array: ...
    @property
    def efforts(self) -> _Array: ...
    @property
    def unbalanced(self) -> _Array: ...

class PointJacobian:
    @property
    def position(self) -> _Array: ...
    @property
    def rotation(self) -> _Array: ...
    @property
    def of_velocities(self) -> _Array: ...
    @property
    def of_independent(self) -> _Array: ...

class InverseKinematics:
    @property
    def q(self) -> _Array: ...
    @property
    def miss(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def reached(self) -> bool: ...

def point_jacobian(
    model: Model,
    body: str,
    position: _Numbers = ...,
    q: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    independent: Sequence[str] = ...,
) -> PointJacobian: ...
def mass_matrix(
    model: Model,
    q: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    independent: Sequence[str] = ...,
) -> _Array: ...
def inverse_kinematics(
    model: Model,
    targets: Sequence[Tuple[str, _Numbers, _Numbers]],
    q: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    within_limits: bool = ...,
) -> InverseKinematics: ...

class RunSamples:
    @property
    def t(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def p(self) -> _Array: ...
    @property
    def readings(self) -> _Array: ...

class RunChange:
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def parameters(self) -> _Array: ...
    @property
    def efforts(self) -> _Array: ...

class DifferentiableRun:
    def __init__(
        self,
        model: Model,
        until: float,
        *,
        samples: Optional[_Numbers] = ...,
        q: Optional[_Numbers] = ...,
        v: Optional[_Numbers] = ...,
        start: float = ...,
        parameters: Sequence[str] = ...,
        controls: Sequence[str] = ...,
        efforts: Optional[_Numbers] = ...,
        integrator: str = ...,
        step: Optional[float] = ...,
        rtol: Optional[float] = ...,
        atol: Optional[float] = ...,
        formulation: str = ...,
        checkpoints: int = ...,
    ) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def samples(self) -> RunSamples: ...
    @property
    def t(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def p(self) -> _Array: ...
    @property
    def readings(self) -> _Array: ...
    @property
    def reading_names(self) -> List[str]: ...
    @property
    def weights(self) -> _Array: ...
    @property
    def start_q(self) -> _Array: ...
    @property
    def start_v(self) -> _Array: ...
    @property
    def steps(self) -> int: ...
    @property
    def kept_bytes(self) -> int: ...
    def gradient(
        self,
        *,
        q: Optional[_Numbers] = ...,
        v: Optional[_Numbers] = ...,
        p: Optional[_Numbers] = ...,
        readings: Optional[_Numbers] = ...,
    ) -> RunChange: ...
    def tangents(
        self,
        *,
        q: Optional[_Numbers] = ...,
        v: Optional[_Numbers] = ...,
        parameters: Optional[_Numbers] = ...,
        efforts: Optional[_Numbers] = ...,
    ) -> RunSamples: ...

def linearize(
    model: Model,
    q: Optional[_Numbers] = ...,
    v: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    independent: Sequence[str] = ...,
    inputs: Sequence[str] = ...,
) -> Linearization: ...
def equilibrium(
    model: Model,
    q: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    independent: Sequence[str] = ...,
) -> Equilibrium: ...
def inverse_dynamics(
    model: Model,
    joints: Sequence[str],
    q: Optional[_Numbers] = ...,
    v: Optional[_Numbers] = ...,
    v_dot: Optional[_Numbers] = ...,
    t: float = ...,
    *,
    independent: Sequence[str] = ...,
) -> InverseDynamics: ...
def show_modes(
    model: Model, linear: Linearization, *, most: int, amplitude: float
) -> RawRecording: ...
def transmission(
    model: Model,
    inputs: Sequence[str],
    outputs: Sequence[str],
    q: Optional[_Numbers] = ...,
    t: float = ...,
) -> _Array: ...

class RawRecording:
    def times(self) -> _Array: ...
    def q(self) -> _Array: ...
    def v(self) -> _Array: ...
    def p(self) -> _Array: ...
    def outside_q(self) -> _Array: ...
    def outside_v(self) -> _Array: ...
    def energies(self) -> _Array: ...
    def relative_energy_errors(self) -> _Array: ...
    def residuals(self) -> _Array: ...
    def columns(self) -> _Channels: ...
    def table(self) -> _Array: ...
    def power(self) -> _Array: ...
    def work(self) -> _Array: ...
    def poses(self) -> _Array: ...
    def steps(self) -> _Array: ...
    def body_names(self) -> List[str]: ...
    def summary_json(self) -> str: ...
    def report_html(self, model: Model, looks: Looks) -> str: ...
    def save(self, model: Model, looks: Looks, folder: Union[str, "os.PathLike[str]"]) -> None: ...

class Simulation:
    def __init__(
        self,
        model: Model,
        *,
        state: Optional[State] = ...,
        formulation: str = ...,
        integrator: str = ...,
        rtol: Optional[float] = ...,
        atol: Optional[float] = ...,
        step: Optional[float] = ...,
        weights: str = ...,
        reset: bool = ...,
        projection: bool = ...,
        leak: Optional[float] = ...,
        energy_scaling: bool = ...,
        dense_output: bool = ...,
        baumgarte: float = ...,
        lanes: str = ...,
        plane: bool = ...,
        segments: int = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def state(self) -> State: ...
    @property
    def step_impulses(self) -> _Array: ...
    def run_until_raw(
        self,
        until: float,
        *,
        every: Optional[float] = ...,
        on_step: Optional[Callable[[float], None]] = ...,
        on_sample: Optional[Callable[[float, _Array], None]] = ...,
        is_stopped: Optional[Callable[[], bool]] = ...,
    ) -> RawRecording: ...

class Batch:
    @overload
    def __init__(self, model: Model) -> None: ...
    @overload
    def __init__(self, model: Sequence[Model]) -> None: ...
    @property
    def in_lanes(self) -> bool: ...
    def rates(
        self,
        q: Union[_Array, _DLPack],
        p: Union[_Array, _DLPack],
        t: float = ...,
        *,
        on_failure: str = ...,
    ) -> Tuple[_Array, _Array]: ...

class RolloutFailure:
    @property
    def state(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def sentence(self) -> str: ...

class Rollout:
    def __init__(
        self,
        model: Model,
        *,
        integrator: str = ...,
        step: Optional[float] = ...,
        threads: int = ...,
    ) -> None: ...
    def run(
        self,
        q: Union[_Array, _DLPack],
        p: Union[_Array, _DLPack],
        efforts: Union[_Array, _DLPack],
        interval: float,
        *,
        t: float = ...,
        q_path: Optional[_Array] = ...,
        p_path: Optional[_Array] = ...,
        on_failure: str = ...,
    ) -> Tuple[_Array, _Array]: ...
    def advance(
        self,
        q: _Array,
        p: _Array,
        duration: float,
        *,
        t: float = ...,
        efforts: Optional[_Array] = ...,
        on_failure: str = ...,
    ) -> None: ...
    @property
    def failures(self) -> List[RolloutFailure]: ...

def begin_sweep(
    study: Union[str, "os.PathLike[str]"],
    out: Union[str, "os.PathLike[str]"],
    *,
    most: int,
    overrides: Sequence[str],
) -> Tuple[List[List[int]], int]: ...

class SweepWorker:
    def __init__(
        self,
        study: Union[str, "os.PathLike[str]"],
        out: Union[str, "os.PathLike[str]"],
        overrides: Sequence[str],
    ) -> None: ...
    def run(self, samples: Sequence[int], session: int, task: int) -> None: ...

def check_threads(threads: int) -> None: ...
def run_sweep(
    study: Union[str, "os.PathLike[str]"],
    out: Union[str, "os.PathLike[str]"],
    *,
    threads: int = ...,
    hdf5: bool = ...,
    overrides: Sequence[str] = ...,
) -> Dict[str, Any]: ...
