// Which plots a run has, and a second run's curves in them.

const raised = (unit) => unit.replace(/\^2/g, "\u00b2").replace(/\^3/g, "\u00b3");

// Curves of one kind, one figure per unit, which its title names where there are several.
function byUnit(title, symbol, channels) {
  const units = [...new Set(channels.map((channel) => channel.unit))];
  const titled = (unit) => `${title}, ${unit ? `in ${raised(unit)}` : "without a unit"}`;
  return units.map((unit) => ({
    title: units.length > 1 ? titled(unit) : title, label: symbol, unit,
    curves: channels.filter((channel) => channel.unit === unit) }));
}

function figures(report) {
  if (report.modes) return [];
  const { summary, kinetic_energy: kinetic, potential_energy: potential } = report;
  const total = kinetic.map((energy, k) =>
    (energy === null || potential[k] === null ? null : energy + potential[k]));
  const list = [
    { title: "Energy", label: "energy", unit: "J", curves: [
      { name: "kinetic", values: kinetic }, { name: "potential", values: potential },
      { name: "total", values: total }] },
    { title: "Relative energy error",
      label: `|E \u2212 E\u2080${summary.energy.conservative ? "" : " \u2212 W"}| / scale`,
      unit: "", log: true,
      note: "Scale: the largest of peak kinetic energy, range of potential energy and work.",
      curves: [{ name: "relative energy error", values: report.energy_error }] }];
  if (summary.model.loops > 0) {
    list.push({ title: "Loop closure, positions", label: "|\u03a6|", unit: "m", log: true,
                curves: [{ name: "largest |\u03a6|", values: report.position_residual }] });
    list.push({ title: "Loop closure, velocities", label: "|d\u03a6/dt|", unit: "m/s", log: true,
                curves: [{ name: "largest |d\u03a6/dt|", values: report.velocity_residual }] });
  }
  list.push(...byUnit("Work", "W", report.work ?? []),
            ...byUnit("Power", "power", report.power ?? []));
  if (report.step_size) {
    list.push({ title: "Step size", label: "smallest step", unit: "s", log: true,
                curves: [{ name: "step size", values: report.step_size }] });
    if (new Set(report.step_order).size > 1) {
      list.push({ title: "Order", label: "order", unit: "",
                  curves: [{ name: "order of the method", values: report.step_order }] });
    }
  }
  list.push(...byUnit("Joint coordinates", "q", report.q),
            ...byUnit("Joint rates", "v", report.v),
            ...byUnit("Momenta", "p", report.p),
            ...byUnit("Sensors", "value", report.sensors));
  return list;
}

// The curves of a second run join those of the same name, dashed, on times of their own, as long as
// the first one lasts.
function addSecond(list, second, last) {
  if (!second) return list;
  const t = second.t.filter((time) => time <= last);
  const others = figures(second).flatMap((figure) => figure.curves);
  for (const figure of list) {
    figure.curves = figure.curves.flatMap((curve, colour) => {
      const other = others.find(({ name }) => name === curve.name);
      return other ? [{ ...curve, colour },
                      { ...other, colour, name: `${curve.name} (${second.name})`, t,
                        values: other.values.slice(0, t.length) }]
                   : [{ ...curve, colour }];
    });
  }
  return list;
}
