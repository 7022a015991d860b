package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/trace"
)

// Scene is what all views share: the open runs and measurements, and the selection
// in them.
type Scene struct {
	Runs     []*Data
	Active   int
	Over     int // the run laid over, none when below 0
	Compared *Compared
	Measured []*Measured
	Sel      Selection
	Note     string // what came of the last key

	leads *Place // where the view leads to
	aside bool   // drawn beside the view that leads here
}

// lead makes an action of a view go to a place.
func (s *Scene) lead(p Place) { s.leads = &p }

// narrow makes an action of a view go to another one, with the selection narrowed by
// words.
func (s *Scene) narrow(view string, words ...string) { s.lead(s.narrowed(view, words...)) }

// narrowed is where narrow goes to.
func (s *Scene) narrowed(view string, words ...string) Place {
	return Place{view, strings.TrimSpace(s.Sel.text() + " " + strings.Join(words, " "))}
}

// data returns the active run, or nil.
func (s *Scene) data() *Data {
	if s.Active < 0 || s.Active >= len(s.Runs) {
		return nil
	}
	return s.Runs[s.Active]
}

// over returns the run laid over it, or nil.
func (s *Scene) over() *Data {
	if s.Over < 0 || s.Over >= len(s.Runs) || s.Over == s.Active {
		return nil
	}
	return s.Runs[s.Over]
}

// shown returns the active run and the one laid over it, if any.
func (s *Scene) shown() []*Data {
	if o := s.over(); o != nil {
		return []*Data{s.data(), o}
	}
	return []*Data{s.data()}
}

// nodes returns the number of nodes of the active run.
func (s *Scene) nodes() int {
	if d := s.data(); d != nil {
		return d.nodes
	}
	return 0
}

// index returns the index of the run of a directory, or -1.
func (s *Scene) index(dir string) int {
	return slices.IndexFunc(s.Runs, func(d *Data) bool { return d.Dir == dir })
}

// add adds a run, or replaces the one from the same directory. The second run
// becomes the active one, with the first laid over it.
func (s *Scene) add(d *Data) {
	if i := s.index(d.Dir); i >= 0 {
		s.Runs[i] = d
	} else {
		s.Runs = append(s.Runs, d)
		if len(s.Runs) == 2 && s.Over < 0 {
			s.Active, s.Over = 1, 0
		}
	}
	s.settle()
}

// replace replaces a run by another. It does nothing if the run is no longer open.
func (s *Scene) replace(old, by *Data) {
	for i, d := range s.Runs {
		if d == old {
			s.Runs[i] = by
			if c := s.Compared; c != nil && (c.a == old || c.b == old) {
				s.Compared = nil
			}
		}
	}
	s.settle()
}

// refine replaces a run by the same one of which a part of the trace has been read.
func (s *Scene) refine(old, by *Data) {
	for i, d := range s.Runs {
		if d == old {
			s.Runs[i] = by
		}
	}
	if c := s.Compared; c != nil && (c.a == old || c.b == old) {
		again := *c
		for _, side := range []**Data{&again.a, &again.b} {
			if *side == old {
				*side = by
			}
		}
		s.Compared = &again
	}
}

// unread returns a shown run of whose trace a picture needs a part that has not been read,
// and what it needs for the packets of a node.
func (s *Scene) unread(node int) (d *Data, want request, ok bool) {
	if s.data() == nil {
		return nil, want, false
	}
	for _, d := range s.shown() {
		if d.Packets != nil {
			if want, ok := d.Packets.wants(&s.Sel, node); ok {
				return d, want, true
			}
		}
	}
	return nil, want, false
}

// activate makes the run of a directory the active one.
func (s *Scene) activate(dir string) {
	if i := s.index(dir); i >= 0 {
		if s.Over == i {
			s.Over = s.Active
		}
		s.Active = i
		s.settle()
	}
}

// otherRun activates the next run, or the one before.
func (s *Scene) otherRun(by int) {
	if len(s.Runs) > 1 {
		s.Active = (s.Active + by + len(s.Runs)) % len(s.Runs)
		if s.Over == s.Active {
			s.Over = (s.Active - by + len(s.Runs)) % len(s.Runs)
		}
		s.settle()
	}
}

// nextOver lays the next run over the active one, and none after the last.
func (s *Scene) nextOver() {
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

// addMeasured adds a measurement, or replaces the one from the same directory.
func (s *Scene) addMeasured(m *Measured) {
	if i := slices.IndexFunc(s.Measured, func(o *Measured) bool { return o.Dir == m.Dir }); i >= 0 {
		s.Measured[i] = m
		return
	}
	s.Measured = append(s.Measured, m)
}

// series returns all series of the open measurements.
func (s *Scene) series() []*Series {
	var out []*Series
	for _, m := range s.Measured {
		out = append(out, m.Series...)
	}
	return out
}

// uncompared reports whether the two runs shown still have to be compared.
func (s *Scene) uncompared() bool {
	a, b := s.over(), s.data()
	return a != nil && b != nil && (s.Compared == nil || s.Compared.a != a || s.Compared.b != b)
}

// selectAll selects all packets, but keeps tag and stage.
func (s *Scene) selectAll() {
	stage, tag := s.Sel.Stage, s.Sel.Tag
	s.Sel = NewSelection()
	s.Sel.Stage, s.Sel.Tag = stage, tag
	s.settle()
}

// settle replaces parts of the selection that the active run does not have.
func (s *Scene) settle() {
	d := s.data()
	if d == nil {
		return
	}
	if len(d.tags) > 0 && !slices.Contains(d.tags, s.Sel.Tag) {
		s.Sel.Tag = d.tags[0]
	}
	kinds := d.kinds(s.Sel.Tag)
	if len(kinds) > 0 && !slices.Contains(kinds, s.Sel.group()) {
		s.Sel.Kind, s.Sel.First = trace.AllKinds, trace.Opt[bool]{}
	}
	if s.Sel.Sender >= d.nodes {
		s.Sel.Sender = everyone
	}
	if s.Sel.Receiver >= d.nodes {
		s.Sel.Receiver = everyone
	}
	of := s.Sel
	of.FromNs, of.ToNs = 0, 0 // those of a time are summed up where they are drawn
	cols, _ := of.columns(d)
	if i := of.cursor(cols); i >= 0 {
		s.Sel.SizeBytes = cols[i].SizeHiBytes
	}
}

// update does an action that means the same in all views of a run.
func (s *Scene) update(d *Data, a action) {
	sel := &s.Sel
	switch a {
	case nextStage:
		sel.Stage = cycle(trace.Stages(), sel.Stage, 1)
	case nextTag:
		sel.Tag = cycle(d.tags, sel.Tag, 1)
	case nextKind:
		g := cycle(d.kinds(sel.Tag), sel.group(), 1)
		sel.Kind, sel.First = g.Kind, g.First
	case nextSender:
		sel.Sender = nextNode(sel.Sender, d.nodes)
	case nextReceiver:
		sel.Receiver = nextNode(sel.Receiver, d.nodes)
	case nextClass:
		sel.Class = cycle(append(trace.Classes(), trace.AllSizes), sel.Class, 1)
	case toggleBaseline:
		sel.NoBaseline = !sel.NoBaseline
	case toggleIntervals:
		sel.Intervals = !sel.Intervals
	case zoomIn:
		sel.zoomSizes(1)
	case zoomOut:
		sel.zoomSizes(-1)
	case lookAtAll:
		s.selectAll()
	}
	s.settle()
}

func nextNode(n, nodes int) int {
	if n+1 >= nodes {
		return everyone
	}
	return n + 1
}

// leadToOperation leads from a packet to the operation that it belongs to.
func (s *Scene) leadToOperation(k *packet) {
	if k.span == 0 {
		s.Note = "This packet belongs to no operation."
		return
	}
	s.narrow("spans", fmt.Sprintf("tag=%d span=%d from=0 to=0 at=0", k.tag, k.span))
}

// cut returns an error if the packets of some sender or receiver are summed up from a part of
// the trace only. Where columns are shown, those of pairs of nodes as recorded come first.
func (s *Scene) cut(columns bool) error {
	for _, d := range s.shown() {
		made, _ := s.Sel.fromTrace(d)
		if s.Sel.sliced(d) && !d.Packets.whole() && !s.Sel.timeKept(d) && (made || !columns) {
			return fmt.Errorf("these are sums %s, so that a file of them would lack the others: select all senders and receivers, or write all packets with sigview export %s --to csv -o DIR", s.Sel.sliceNote(d), quote(d.Dir))
		}
	}
	return nil
}

// ranking is how packets are ranked by the selection.
func (s *Scene) ranking(waiting bool) ranking {
	if waiting {
		return ranking{of: s.Sel.key(), waiting: true}
	}
	return ranking{of: s.Sel.key(), stage: s.Sel.histStage()}
}

// setTested notes the answer of a test with its run, if that is still open.
func (s *Scene) setTested(dir string, x *why.Explanation) {
	if i := s.index(dir); i >= 0 {
		d := *s.Runs[i]
		d.tested = x
		d.rank()
		s.refine(s.Runs[i], &d)
	}
}
