package scene

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/trace"
)

// Scene is what all views share: the open runs and measurements, and the selection
// in them.
type Scene struct {
	Runs     []*data.Data
	Active   int
	Over     int // the run laid over, none when below 0
	Compared *data.Compared
	Measured []*data.Measured
	Sel      data.Selection
	Note     string // what came of the last key

	Leads *data.Place // where the view leads to
	Aside bool        // drawn beside the view that leads here
}

// Lead makes an action of a view go to a place.
func (s *Scene) Lead(p data.Place) { s.Leads = &p }

// Narrow makes an action of a view go to another one, with the selection narrowed by
// words.
func (s *Scene) Narrow(view string, words ...string) { s.Lead(s.Narrowed(view, words...)) }

// Narrowed is where narrow goes to.
func (s *Scene) Narrowed(view string, words ...string) data.Place {
	return data.Place{View: view, Sel: strings.TrimSpace(Text(&s.Sel) + " " + strings.Join(words, " "))}
}

// Data returns the active run, or nil.
func (s *Scene) Data() *data.Data {
	if s.Active < 0 || s.Active >= len(s.Runs) {
		return nil
	}
	return s.Runs[s.Active]
}

// Second returns the run laid over it, or nil.
func (s *Scene) Second() *data.Data {
	if s.Over < 0 || s.Over >= len(s.Runs) || s.Over == s.Active {
		return nil
	}
	return s.Runs[s.Over]
}

// Shown returns the active run and the one laid over it, if any.
func (s *Scene) Shown() []*data.Data {
	if o := s.Second(); o != nil {
		return []*data.Data{s.Data(), o}
	}
	return []*data.Data{s.Data()}
}

// Nodes returns the number of nodes of the active run.
func (s *Scene) Nodes() int {
	if d := s.Data(); d != nil {
		return d.Nodes
	}
	return 0
}

// Index returns the index of the run of a directory, or -1.
func (s *Scene) Index(dir string) int {
	return slices.IndexFunc(s.Runs, func(d *data.Data) bool { return d.Dir == dir })
}

// Add adds a run, or replaces the one from the same directory. The second run
// becomes the active one, with the first laid over it.
func (s *Scene) Add(d *data.Data) {
	if i := s.Index(d.Dir); i >= 0 {
		s.Runs[i] = d
	} else {
		s.Runs = append(s.Runs, d)
		if len(s.Runs) == 2 && s.Over < 0 {
			s.Active, s.Over = 1, 0
		}
	}
	s.Settle()
}

// Replace replaces a run by another. It does nothing if the run is no longer open.
func (s *Scene) Replace(old, by *data.Data) {
	for i, d := range s.Runs {
		if d == old {
			s.Runs[i] = by
			if c := s.Compared; c != nil && (c.A == old || c.B == old) {
				s.Compared = nil
			}
		}
	}
	s.Settle()
}

// Refine replaces a run by the same one of which a part of the trace has been read.
func (s *Scene) Refine(old, by *data.Data) {
	for i, d := range s.Runs {
		if d == old {
			s.Runs[i] = by
		}
	}
	if c := s.Compared; c != nil && (c.A == old || c.B == old) {
		again := *c
		for _, side := range []**data.Data{&again.A, &again.B} {
			if *side == old {
				*side = by
			}
		}
		s.Compared = &again
	}
}

// Unread returns a shown run of whose trace a picture needs a part that has not been read,
// and what it needs for the packets of a node.
func (s *Scene) Unread(node int) (d *data.Data, want data.Request, ok bool) {
	if s.Data() == nil {
		return nil, want, false
	}
	for _, d := range s.Shown() {
		if d.Packets != nil {
			if want, ok := d.Packets.Wants(&s.Sel, node); ok {
				return d, want, true
			}
		}
	}
	return nil, want, false
}

// Activate makes the run of a directory the active one.
func (s *Scene) Activate(dir string) {
	if i := s.Index(dir); i >= 0 {
		if s.Over == i {
			s.Over = s.Active
		}
		s.Active = i
		s.Settle()
	}
}

// OtherRun activates the next run, or the one before.
func (s *Scene) OtherRun(by int) {
	if len(s.Runs) > 1 {
		s.Active = (s.Active + by + len(s.Runs)) % len(s.Runs)
		if s.Over == s.Active {
			s.Over = (s.Active - by + len(s.Runs)) % len(s.Runs)
		}
		s.Settle()
	}
}

// NextOver lays the next run over the active one, and none after the last.
func (s *Scene) NextOver() {
	if len(s.Runs) < 2 {
		s.Note = "There is no other run to lay over: open one with :open DIR."
		return
	}
	for s.Over++; s.Over == s.Active; s.Over++ {
	}
	if s.Over >= len(s.Runs) {
		s.Over = -1
	}
}

// AddMeasured adds a measurement, or replaces the one from the same directory.
func (s *Scene) AddMeasured(m *data.Measured) {
	if i := slices.IndexFunc(s.Measured, func(o *data.Measured) bool { return o.Dir == m.Dir }); i >= 0 {
		s.Measured[i] = m
		return
	}
	s.Measured = append(s.Measured, m)
}

// Series returns all series of the open measurements.
func (s *Scene) Series() []*data.Series {
	var out []*data.Series
	for _, m := range s.Measured {
		out = append(out, m.Series...)
	}
	return out
}

// Uncompared reports whether the two runs shown still have to be compared.
func (s *Scene) Uncompared() bool {
	a, b := s.Second(), s.Data()
	return a != nil && b != nil && (s.Compared == nil || s.Compared.A != a || s.Compared.B != b)
}

// SelectAll selects all packets, but keeps tag and stage.
func (s *Scene) SelectAll() {
	stage, tag := s.Sel.Stage, s.Sel.Tag
	s.Sel = data.NewSelection()
	s.Sel.Stage, s.Sel.Tag = stage, tag
	s.Settle()
}

// Settle replaces parts of the selection that the active run does not have.
func (s *Scene) Settle() {
	d := s.Data()
	if d == nil {
		return
	}
	if len(d.Tags) > 0 && !slices.Contains(d.Tags, s.Sel.Tag) {
		s.Sel.Tag = d.Tags[0]
	}
	kinds := d.Kinds(s.Sel.Tag)
	if len(kinds) > 0 && !slices.Contains(kinds, s.Sel.Group()) {
		s.Sel.Kind, s.Sel.First = trace.AllKinds, trace.Opt[bool]{}
	}
	if s.Sel.Sender >= d.Nodes {
		s.Sel.Sender = data.Everyone
	}
	if s.Sel.Receiver >= d.Nodes {
		s.Sel.Receiver = data.Everyone
	}
	if p := d.Packets; p != nil {
		s.Sel.Within(p)
	}
	of := s.Sel
	of.FromNs, of.ToNs = 0, 0 // those of a time are summed up where they are drawn
	cols, _ := of.Columns(d)
	if i := of.Cursor(cols); i >= 0 {
		s.Sel.SizeBytes = cols[i].SizeHiBytes
	}
}

// Act does an action that means the same in all views of a run.
func (s *Scene) Act(d *data.Data, a action.Action) {
	sel := &s.Sel
	switch a {
	case action.NextStage:
		sel.Stage = lists.Cycle(trace.Stages(), sel.Stage, 1)
	case action.NextTag:
		sel.Tag = lists.Cycle(d.Tags, sel.Tag, 1)
	case action.NextKind:
		g := lists.Cycle(d.Kinds(sel.Tag), sel.Group(), 1)
		sel.Kind, sel.First = g.Kind, g.First
	case action.NextSender:
		sel.Sender = nextNode(sel.Sender, d.Nodes)
	case action.NextReceiver:
		sel.Receiver = nextNode(sel.Receiver, d.Nodes)
	case action.NextClass:
		sel.Class = lists.Cycle(append(trace.Classes(), trace.AllSizes), sel.Class, 1)
	case action.ToggleBaseline:
		sel.NoBaseline = !sel.NoBaseline
	case action.ToggleIntervals:
		sel.Intervals = !sel.Intervals
	case action.ZoomIn:
		sel.ZoomSizes(1)
	case action.ZoomOut:
		sel.ZoomSizes(-1)
	case action.LookAtAll:
		s.SelectAll()
	}
	s.Settle()
}

func nextNode(n, nodes int) int {
	if n+1 >= nodes {
		return data.Everyone
	}
	return n + 1
}

// LeadToOperation leads from a packet to the operation that it belongs to.
func (s *Scene) LeadToOperation(k *data.Packet) {
	if k.Span == 0 {
		s.Note = "This packet belongs to no operation."
		return
	}
	s.Narrow("spans", fmt.Sprintf("tag=%d span=%d from=0 to=0 at=0", k.Tag, k.Span))
}

// Cut returns an error if the packets of some sender or receiver are summed up from a part of
// the trace only. Where columns are shown, those of pairs of nodes as recorded come first.
func (s *Scene) Cut(columns bool) error {
	for _, d := range s.Shown() {
		made, _ := s.Sel.FromTrace(d)
		if s.Sel.Sliced(d) && !d.Packets.Whole() && !s.Sel.TimeKept(d) && (made || !columns) {
			return fmt.Errorf("these are sums %s, so that a file of them would lack the others: select all senders and receivers, or write all packets with sigview export %s --to csv -o DIR", s.Sel.SliceNote(d), ShellQuote(d.Dir))
		}
	}
	return nil
}

// Ranking is how packets are ranked by the selection.
func (s *Scene) Ranking(waiting bool) data.Ranking {
	if waiting {
		return data.Ranking{Of: s.Sel.Key(), Waiting: true}
	}
	return data.Ranking{Of: s.Sel.Key(), Stage: s.Sel.HistStage()}
}

// SetTested notes the answer of a test with its run, if that is still open.
func (s *Scene) SetTested(dir string, x *why.Explanation) {
	if i := s.Index(dir); i >= 0 {
		d := *s.Runs[i]
		d.Tested = x
		d.Rank()
		s.Refine(s.Runs[i], &d)
	}
}

// ShellQuote quotes a text as one word of a shell's command line.
func ShellQuote(text string) string {
	if text != "" && !strings.ContainsAny(text, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
