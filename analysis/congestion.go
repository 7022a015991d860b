package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Congestion is what a network whose switches have buffers has counted. It is empty of other networks.
type Congestion struct {
	Ports  []trace.PortRow
	Pauses []trace.PauseRow
	Flows  []trace.FlowRow
	Ns     int64 // run time
}

// CongestionOf returns what a run has counted.
func CongestionOf(run trace.Run) Congestion {
	return Congestion{run.Ports, run.Pauses, run.Flows, run.Manifest.RunTimeNs()}
}

// Crowded is a port because of which others were halted, or which has dropped packets.
type Crowded struct {
	Port   trace.PortRow
	Halted []trace.PauseRow // because of it, the longest first
	Ns     int64            // for how long these were, added up
}

// congestionLines is how many crowded ports are told of, and how many ports and flows of each.
const congestionLines = 3

// Crowded returns the crowded ports: those for which others were halted longest first, then those that have dropped most.
func (c Congestion) Crowded() (out []Crowded) {
	for _, p := range c.Ports {
		x := Crowded{Port: p}
		for _, h := range c.Pauses {
			if h.Through == p.Port && h.PausedNs > 0 {
				x.Halted = append(x.Halted, h)
				x.Ns += h.PausedNs
			}
		}
		slices.SortStableFunc(x.Halted, func(a, b trace.PauseRow) int { return cmp.Compare(b.PausedNs, a.PausedNs) })
		if x.Ns > 0 || p.Dropped+p.Unreceived > 0 {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b Crowded) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(b.Port.Dropped+b.Port.Unreceived, a.Port.Dropped+a.Port.Unreceived))
	})
	return out
}

// Lines says which ports were crowded, which were halted because of them, and what that and drops cost.
func (c Congestion) Lines() (out []string) {
	crowded := c.Crowded()
	for _, x := range crowded[:min(len(crowded), congestionLines)] {
		if x.Ns > 0 {
			out = append(out, x.halts(c))
		}
		if x.Port.Dropped+x.Port.Unreceived > 0 {
			out = append(out, x.drops(c)+c.carried(x.Port))
		}
	}
	if blocked := c.blocked(); blocked != "" {
		out = append(out, blocked)
	}
	if again := c.again(); again != "" {
		out = append(out, again)
	}
	return out
}

// halts says which ports were halted because of one.
func (x Crowded) halts(c Congestion) string {
	all := int64(0)
	for _, h := range c.Pauses {
		all += h.PausedNs
	}
	if len(x.Halted) == 1 && x.Halted[0].Port == x.Port.Port {
		return fmt.Sprintf("The receiver behind port %s had no room %s times, for %s; up to %s KB stood before the port (%v).",
			x.Port.Name, Digits(x.Halted[0].Paused), Time(float64(x.Ns)), kilobytes(x.Port.QueueBytes), trace.Seen)
	}
	times := int64(0)
	for _, h := range x.Halted {
		times += h.Paused
	}
	return fmt.Sprintf("Port %s is crowded: up to %s KB stood before it, and because of it %s halted, %s times, for %s added up (%.1f %% of all such time): %s (%v).",
		x.Port.Name, kilobytes(x.Port.QueueBytes), ports(len(x.Halted)), Digits(times), Time(float64(x.Ns)), 100*float64(x.Ns)/float64(all),
		listed(x.Halted, func(h trace.PauseRow) string { return h.Name + " " + Time(float64(h.PausedNs)) }), trace.Attributed)
}

// drops says how many packets a port has dropped.
func (x Crowded) drops(c Congestion) string {
	all := int64(0)
	for _, p := range c.Ports {
		all += p.Dropped + p.Unreceived
	}
	why := "up to " + kilobytes(x.Port.QueueBytes) + " KB stood before it"
	if x.Port.Unreceived > 0 {
		why += fmt.Sprintf("; for %s of them the receiver had no room", Digits(x.Port.Unreceived))
	}
	n := x.Port.Dropped + x.Port.Unreceived
	return fmt.Sprintf("Port %s dropped %s packets, %.1f %% of all drops: %s (%v).", x.Port.Name, Digits(n), 100*float64(n)/float64(all), why, trace.Seen)
}

// flood is what queue pairs have sent to the node behind a port.
type flood struct {
	flows       []trace.FlowRow // the largest first
	data, again int64           // bytes
}

// flood returns what queue pairs have sent through a port; no flows if it does not lead to a node.
func (c Congestion) flood(p trace.PortRow) (x flood) {
	for _, f := range c.Flows {
		if strings.HasSuffix(p.Name, fmt.Sprintf(">node%d", f.Receiver)) && !f.Own && f.Packets > 0 {
			x.flows, x.data, x.again = append(x.flows, f), x.data+f.Bytes.Value, x.again+f.RepeatedBytes.Value
		}
	}
	slices.SortStableFunc(x.flows, func(a, b trace.FlowRow) int { return cmp.Compare(b.Bytes.Value, a.Bytes.Value) })
	return x
}

// gbps returns bytes over the run time, 10⁹ bits in a second.
func (c Congestion) gbps(bytes int64) string {
	return fmt.Sprintf("%.1f", 8*float64(bytes)/float64(c.Ns))
}

// carried says what a port that has dropped packets carried meanwhile.
func (c Congestion) carried(p trace.PortRow) string {
	x := c.flood(p)
	if x.data == 0 || c.Ns == 0 {
		return ""
	}
	return fmt.Sprintf(" It carried %s Gb/s over the run. Its flows are %s Gb/s of data, and sent %.1f MB again beside %.1f MB. Shares: %s.",
		c.gbps(p.Bytes), c.gbps(x.data), float64(x.again)/1e6, float64(x.data)/1e6, listed(x.flows, func(f trace.FlowRow) string {
			return fmt.Sprintf("node %d %.1f %%", f.Sender, 100*float64(f.Bytes.Value)/float64(x.data))
		}))
}

// CarriedView shows what ports that have dropped packets carried, flow by flow.
func (c Congestion) CarriedView() View {
	type row struct {
		port trace.PortRow
		all  flood
		flow trace.FlowRow
	}
	var rows []row
	for _, x := range c.Crowded() {
		if all := c.flood(x.Port); x.Port.Dropped > 0 && all.data > 0 && c.Ns > 0 {
			for _, f := range all.flows {
				rows = append(rows, row{x.Port, all, f})
			}
		}
	}
	mb := func(bytes int64) string { return fmt.Sprintf("%.2f", float64(bytes)/1e6) }
	return Tabulate(first(rows),
		Text("<port", func(r row) string { return r.port.Name }),
		Text("wire, Gb/s", func(r row) string { return c.gbps(r.port.Bytes) }),
		Text("data, Gb/s", func(r row) string { return c.gbps(r.all.data) }),
		Text("from", func(r row) string { return fmt.Sprint(r.flow.Sender) }),
		Text("pair", func(r row) string { return fmt.Sprint(r.flow.Pair) }),
		Text("data, MB", func(r row) string { return mb(r.flow.Bytes.Value) }),
		Text("again, MB", func(r row) string { return mb(r.flow.RepeatedBytes.Value) }),
		Text("share, %", func(r row) string { return fmt.Sprintf("%.1f", 100*float64(r.flow.Bytes.Value)/float64(r.all.data)) }),
	).Noted("Ports to nodes that have dropped packets, and the flows through them" + shownOf(rows) +
		". Over the run: bytes that the port carried, and data that its flows sent, each byte once (goodput). Of each flow: that data, what was sent again, and the share in the data.")
}

// blocked says which flows stood before halted ports because of ports that they do not pass.
func (c Congestion) blocked() string {
	list := slices.DeleteFunc(slices.Clone(c.Flows), func(f trace.FlowRow) bool { return f.Own || f.BlockedNs == 0 })
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b trace.FlowRow) int { return cmp.Compare(b.BlockedNs, a.BlockedNs) })
	at := slices.MaxFunc(c.Ports, func(a, b trace.PortRow) int { return cmp.Compare(a.BlockedNs, b.BlockedNs) })
	return fmt.Sprintf("Head-of-line blocking: packets of %s stood before halted ports, mostly %s, because of a port that they do not pass: %s, their packets added up (%v).",
		flows(len(list)), at.Name, listed(list, func(f trace.FlowRow) string {
			return fmt.Sprintf("node %d to %d %s", f.Sender, f.Receiver, Time(float64(f.BlockedNs)))
		}), trace.Attributed)
}

// again says what it cost to send packets again.
func (c Congestion) again() string {
	list := slices.DeleteFunc(slices.Clone(c.Flows), func(f trace.FlowRow) bool { return f.AgainNs == 0 })
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b trace.FlowRow) int { return cmp.Compare(b.AgainNs, a.AgainNs) })
	var sent, again, gaps, timeouts, refusals int64
	for _, f := range c.Flows {
		sent, again = sent+f.Packets, again+f.Repeated
		gaps, timeouts, refusals = gaps+f.Gaps, timeouts+f.Timeouts, refusals+f.NotReady
	}
	return fmt.Sprintf("Queue pairs went back %s times because packets were missing, %s times after a timeout and %s times because there was no receive buffer, and sent %s packets again beside %s. "+
		"Until these were acknowledged, it took %s (%v).",
		Digits(gaps), Digits(timeouts), Digits(refusals), Digits(again), Digits(sent), listed(list, func(f trace.FlowRow) string {
			return fmt.Sprintf("node %d to %d %s", f.Sender, f.Receiver, Time(float64(f.AgainNs)))
		}), trace.Seen)
}

// listed lists the first of some rows in words.
func listed[T any](rows []T, text func(T) string) string {
	var parts []string
	for _, r := range rows[:min(len(rows), congestionLines)] {
		parts = append(parts, text(r))
	}
	if more := len(rows) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more less", more))
	}
	return strings.Join(parts, ", ")
}

func ports(n int) string { return number(n, "other port was", "other ports were") }
func flows(n int) string { return number(n, "flow", "flows") }

func number(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

func kilobytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1000) }

// Views are for programs: all of it.
func (c Congestion) Views() (ports, pauses, flows View) {
	return Tabulate(c.Ports, keyed[trace.PortRow]()...), Tabulate(c.Pauses, keyed[trace.PauseRow]()...), Tabulate(c.Flows, keyed[trace.FlowRow]()...)
}

func keyed[R trace.Row]() []Col[R] {
	return tagged(trace.Columns[R](), "", func(r R) R { return r })
}

// PortsView shows the crowded ports, and those that were halted or have marked packets, the longest halted first.
func (c Congestion) PortsView() View {
	var rows []trace.PortRow
	crowded := map[int64]bool{}
	for _, x := range c.Crowded() {
		rows, crowded[x.Port.Port] = append(rows, x.Port), true
	}
	rest := slices.DeleteFunc(slices.Clone(c.Ports), func(p trace.PortRow) bool { return crowded[p.Port] || p.PausedNs+p.Marked == 0 })
	slices.SortStableFunc(rest, func(a, b trace.PortRow) int {
		return cmp.Or(cmp.Compare(b.PausedNs, a.PausedNs), cmp.Compare(b.Marked, a.Marked))
	})
	rows = append(rows, rest...)
	ms := func(ns int64) string { return millis(float64(ns)) }
	return Tabulate(first(rows),
		Text("<port", func(p trace.PortRow) string { return p.Name }),
		Text("packets", func(p trace.PortRow) string { return Digits(p.Packets) }),
		Text("most queued, KB", func(p trace.PortRow) string { return kilobytes(p.QueueBytes) }),
		Text("dropped", func(p trace.PortRow) string { return Digits(p.Dropped + p.Unreceived) }),
		Text("marked", func(p trace.PortRow) string { return Digits(p.Marked) }),
		Text("halted", func(p trace.PortRow) string { return Digits(p.Paused) }),
		Text("for, ms", func(p trace.PortRow) string { return ms(p.PausedNs) }),
		Text("blocked, ms", func(p trace.PortRow) string { return ms(p.BlockedNs) }),
	).Noted("Links of switches with buffers, in one direction each: crowded ones, which have dropped packets or because of which others were halted, then those that were halted or have marked packets" + shownOf(rows) +
		". Halted: by a pause frame, for want of credits, or by a receiver without room. Blocked: packets that stood before it for a port that they do not pass, added up.")
}

// FlowsView shows the flows to which something was done, by program; what no program has sent is left out.
func (c Congestion) FlowsView(program func(trace.Tag) string) View {
	rows := slices.DeleteFunc(slices.Clone(c.Flows), func(f trace.FlowRow) bool {
		return f.Own || f.Repeated+f.Gaps+f.NotReady+f.Timeouts+f.Dropped+f.Unreceived+f.Marked+f.HeldNs == 0
	})
	slices.SortStableFunc(rows, func(a, b trace.FlowRow) int {
		return cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(b.AgainNs, a.AgainNs), cmp.Compare(b.HeldNs, a.HeldNs))
	})
	return Tabulate(first(rows),
		Text("<program", func(f trace.FlowRow) string { return program(f.Tag) }),
		Text("from", func(f trace.FlowRow) string { return fmt.Sprint(f.Sender) }),
		Text("to", func(f trace.FlowRow) string { return fmt.Sprint(f.Receiver) }),
		Text("pair", func(f trace.FlowRow) string { return fmt.Sprint(f.Pair) }),
		Text("packets", func(f trace.FlowRow) string { return Digits(f.Packets) }),
		Text("dropped", func(f trace.FlowRow) string { return Digits(f.Dropped + f.Unreceived) }),
		Text("again", func(f trace.FlowRow) string { return Digits(f.Repeated) }),
		Text("gaps", func(f trace.FlowRow) string { return Digits(f.Gaps) }),
		Text("timeouts", func(f trace.FlowRow) string { return Digits(f.Timeouts) }),
		Text("not ready", func(f trace.FlowRow) string { return Digits(f.NotReady) }),
		Text("for, ms", func(f trace.FlowRow) string { return millis(float64(f.AgainNs)) }),
		Text("marked", func(f trace.FlowRow) string { return Digits(f.Marked) }),
		Text("held, ms", func(f trace.FlowRow) string { return millis(float64(f.HeldNs)) }),
		Text("blocked, ms", func(f trace.FlowRow) string { return millis(float64(f.BlockedNs)) }),
	).Noted("Flows: queue pairs by program" + shownOf(rows) + ". Packets sent again, and for how long, until they were acknowledged, because of gaps, timeouts or receivers that were not ready; " +
		"for how long packets stood before halted ports, added up, and the part for ports that they do not pass.")
}

// congestionRows is how many ports and flows are shown.
const congestionRows = 12

func first[T any](rows []T) []T { return rows[:min(len(rows), congestionRows)] }

func shownOf[T any](rows []T) string {
	if len(rows) <= congestionRows {
		return ""
	}
	return fmt.Sprintf(", the first %d of %s", congestionRows, Digits(int64(len(rows))))
}
