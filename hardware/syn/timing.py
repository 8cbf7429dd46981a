"""A static timing model of an xc7 netlist in Yosys' JSON: an estimate, never a measurement.

Every cell has a fixed delay and every net between cells the same one; there is no placement. The
delays (ns) are of the order that the data sheet of the Zynq-7000, speed grade -1, gives; the net is
the usual half of the way on a part-filled device. Only paths between registers count.
"""

LUT = 0.124
MUX = 0.24
NET = 0.60            # between two cells; within a slice, from LUT to carry or mux, it is 0
CARRY_START = 0.42    # from S or DI into the chain
CARRY_CELL = 0.114    # along a CARRY4
CARRY_OUT = 0.25      # from the chain to O
REGISTER_OUT = {"FD": 0.456, "SRL": 1.63, "RAMB": 2.45, "DSP48_P": 0.43, "DSP48_M": 1.9,
                "DSP48_A": 3.6}
SETUP = {"FD": 0.06, "FD_CONTROL": 0.4, "SRL": 0.1, "RAMB": 0.5, "DSP48_A": 0.35, "DSP48_M": 2.5,
         "DSP48_P": 3.7, "DSP48_C": 1.4}
CLOCKS = {"C", "CLK", "CLKARDCLK", "CLKBWRCLK"}


def number(value):
    return int(value, 2) if isinstance(value, str) else int(value)


class Netlist:
    def __init__(self, module):
        self.cells = module["cells"]
        self.driver = {}      # net: (cell, port, position)
        self.start = {}       # net: delay after the clock, for outputs of registers
        self.ends = []        # (net, setup time)
        self.arrivals = {}
        for name, cell in self.cells.items():
            self.add(name, cell)

    def add(self, name, cell):
        kind = cell["type"]
        registers = {"FD": "FD", "SR": "SRL", "RA": "RAMB"}.get(kind[:2])
        for port, nets in cell["connections"].items():
            is_output = cell["port_directions"][port] == "output"
            for position, net in enumerate(nets):
                if not isinstance(net, int):
                    continue
                if kind == "DSP48E1":
                    self.add_dsp(cell, port, net, is_output)
                elif registers and is_output:
                    self.start[net] = REGISTER_OUT[registers]
                elif registers:
                    if port not in CLOCKS:
                        control = registers == "FD" and port != "D"
                        self.ends.append((net, SETUP["FD_CONTROL" if control else registers]))
                elif is_output:
                    self.driver[net] = (name, port, position)

    def add_dsp(self, cell, port, net, is_output):
        has = {r: number(cell["parameters"].get(r, "0")) for r in ("AREG", "BREG", "MREG", "PREG")}
        if is_output:
            stage = "P" if has["PREG"] else "M" if has["MREG"] else "A"
            self.start[net] = REGISTER_OUT["DSP48_" + stage]
        elif port in ("A", "B"):
            stage = "A" if has[port + "REG"] else "M" if has["MREG"] else "P"
            self.ends.append((net, SETUP["DSP48_" + stage]))
        elif port in ("C", "PCIN"):
            self.ends.append((net, SETUP["DSP48_C"]))

    def inputs(self, net):
        """The nets that a driven net depends on, with the delay from each."""
        name, port, position = self.driver[net]
        cell = self.cells[name]
        kind, nets = cell["type"], cell["connections"]
        if kind == "CARRY4":
            out = CARRY_OUT if port == "O" else 0.0
            yield from ((n, CARRY_CELL + out) for n in nets.get("CI", []))
            yield from ((n, NET + CARRY_START + CARRY_CELL + out) for n in nets.get("CYINIT", []))
            for i in range(position + 1):
                yield nets["S"][i], CARRY_START + CARRY_CELL + out
                if i < position or port != "O":
                    yield nets["DI"][i], NET + CARRY_START + CARRY_CELL + out
            return
        is_mux = kind.startswith("MUXF")
        for other, others in nets.items():
            if cell["port_directions"][other] == "input":
                near = is_mux and other != "S"
                for n in others:
                    yield n, (MUX if is_mux else LUT) + (0.0 if near else NET)

    def arrival(self, net):
        """Longest way from a register to a net; inputs of the module do not count."""
        waiting = [(net, None)]
        inside = set()
        while waiting:
            top, inputs = waiting.pop()
            if top in self.arrivals:
                continue
            if top in self.start:
                self.arrivals[top] = self.start[top]
            elif top not in self.driver:
                self.arrivals[top] = float("-inf")
            elif inputs is None:
                if top in inside:
                    raise ValueError(f"combinational loop through {self.driver[top][0]}")
                inside.add(top)
                inputs = list(self.inputs(top))
                waiting.append((top, inputs))
                waiting.extend((n, None) for n, _ in inputs if n not in self.arrivals)
            else:
                inside.discard(top)
                self.arrivals[top] = max((self.arrivals[n] + d for n, d in inputs),
                                         default=float("-inf"))
        return self.arrivals[net]

    def period(self):
        """ns, of the slowest path between registers."""
        return max(self.arrival(net) + NET + setup for net, setup in self.ends)
