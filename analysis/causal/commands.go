package causal

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace/waits"
)

// Command is a command line about a finding.
type Command struct {
	To   string `json:"to"` // what it is for: see or test
	Line string `json:"line"`
	// Select is what the timeline of the views is to select for it; empty for none.
	Select string `json:"-"`
}

// See returns the command that shows the finding in the views, one without a line if none does.
func (f *Finding) See() Command {
	for _, c := range f.Commands {
		if c.Select != "" {
			return c
		}
	}
	return Command{}
}

// commands returns the command that shows the longest of single waits, and those that test a finding by runs: with
// its resource free, if runs can have it free, at its node or its port only if it is of one, and without its program.
func (e *Explanation) commands(list []Wait, r waits.Resource, f *Finding) (out []Command) {
	if len(list) > 0 {
		selection := e.selection(list[0])
		out = append(out, Command{"see", see(e.Dir, selection), selection})
	}
	if _, ok := freeable[r]; ok {
		line := "sigview why " + e.Dir
		switch {
		case r == waits.Port && ofSwitch(f.Port):
			line += fmt.Sprintf(" --port '%s'", f.Port)
		case f.At != nil && r != waits.Port && r != waits.SEngine: // these are the network's
			line += fmt.Sprintf(" --node %d", *f.At)
		}
		out = append(out, Command{To: "test", Line: line})
	}
	if f.Program != "" {
		out = append(out, Command{To: "test", Line: fmt.Sprintf("sigview why %s --program %s", e.Dir, f.Program)})
	}
	return out
}

// see is the command that shows what the timeline selects in a run.
func see(dir, selection string) string {
	return fmt.Sprintf("sigview view %s --view timeline --select '%s'", dir, selection)
}

// ofSwitch reports whether a channel is the port of a switch, which can be free alone, by its name; that of a node cannot.
func ofSwitch(port string) bool { return port != "" && !strings.HasPrefix(port, "node") }

// selection selects the node at which a wait is, the time around it with all of the
// packets that wait and hold on, and all about the packet that waits or, if it is none that
// waits, about the one that it waits for.
func (e *Explanation) selection(w Wait) string {
	// A quarter of the wait is shown before it and after it.
	around := (w.End - w.Begin) / 4
	from, to, at := w.Begin-around, w.End+around, w.Begin
	// 1 ps into the wait is the piece that begins with it. The instance of a port is no node.
	node := e.Actors[w.Actor].Node
	if i := e.At(w.Actor, w.Begin+1); i >= 0 && e.Pieces[i].Resource != waits.Port {
		node = e.Pieces[i].Instance
	}
	packet := ""
	// The waiting packet comes last, so that it is chosen if both are packets.
	for _, id := range []waits.ID{w.Holder, w.Actor} {
		if x := &e.Actors[id]; id != 0 && x.Type.IsPacket() {
			from, to, at, packet = min(from, x.Begin), max(to, x.End), x.Begin, fmt.Sprintf(" packet=#%d details=on", e.Number(id))
			// The views find a packet by its sender and number, and by its actor if the monitor has not
			// numbered it.
			if x.Number >= 0 {
				packet = fmt.Sprintf(" packet=%d:%d details=on", x.Node, x.Number)
			}
		}
	}
	// Views count in ns.
	return fmt.Sprintf("row=%d from=%d to=%d at=%d%s", node, max(from, 0)/1000, to/1000+1, at/1000, packet)
}

// CommandsView shows the commands of findings.
func CommandsView(list []Finding) analysis.View {
	v := analysis.View{
		Title:   "Commands",
		Columns: []analysis.Column{{Name: "finding", Once: true}, {Name: "to", Left: true}, {Name: "command", Left: true}},
	}
	for _, f := range list {
		for _, c := range f.Commands {
			v.Rows = append(v.Rows, []analysis.Cell{{Text: fmt.Sprint(f.Rank)}, {Text: c.To}, {Text: c.Line}})
		}
	}
	return v.Noted("See: the packets around the longest wait, at its node; times in ns. Test: runs with each resource free.")
}
