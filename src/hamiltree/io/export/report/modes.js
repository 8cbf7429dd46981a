// Modes in place of a run: a table to choose from; the clock goes round in the one chosen.

const modesText = "Every mode takes the same time here and moves as far as can be seen; in truth " +
  "displacements are small, and damping lets them die out.";

function modesMarkup(modes) {
  const row = ({ frequency, damping, eigenvalue: [real] }, i) =>
    `<tr><th scope="row"><label><input type="radio" name="mode" value="${i}"> ${i + 1}</label></th>` +
    `<td>${withUnit(frequency, "Hz")}</td><td>${withUnit(damping)}</td>` +
    `<td>${withUnit(real, "1/s")}</td></tr>`;
  return '<table class="modes"><thead><tr><th scope="col">Mode</th><th scope="col">Frequency</th>' +
    '<th scope="col">Damping</th><th scope="col">Growth</th></tr></thead>' +
    `<tbody>${modes.map(row).join("")}</tbody></table>`;
}

function chooseModes(modes, clock) {
  const buttons = [...document.querySelectorAll("#summary input[name=mode]")];
  const choose = (i) => {
    clock.within(modes[i].first, modes[i].last);
    Object.assign(element("time"), { min: clock.first, max: clock.last, value: clock.first });
    if (!clock.playing) clock.toggle();
  };
  buttons.forEach((button, i) => button.addEventListener("change", () => choose(i)));
  buttons[0].checked = true;
  choose(0);
}

function phaseText(modes, frame) {
  const i = modes.findIndex(({ last }) => frame <= last);
  const { first, last } = modes[i];
  const degrees = Math.round((360 * (frame - first)) / (last - first));
  return `mode ${i + 1} at ${degrees}\u00b0`;
}
