package tui

import (
	"slices"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// State is everything that a picture depends on. Draw reads it and changes
// nothing.
type State struct {
	Runs     []*Data
	Active   int
	Over     int // the run laid over, none when below 0
	Measured []*Measured
	Compared *Compared
	// OtherBase names the directory of a baseline that takes the place of the
	// runs' own.
	OtherBase string

	View  int  // index of views
	Asked bool // for this view, on the command line
	Sel   Selection
	Look  Look
	Words bool // the explanation takes the whole body
	Top   int  // first line of a text that is longer than the screen

	Problems []string // directories that could not be read, newest last
	Note     string   // what came of the last key
	Hint     bool     // the line for first use
	Help     bool
	Prompt   *prompt
	Form     *Form
	Live     *Live
	Loading  []string
}

// Look is how a picture looks.
type Look struct {
	Theme  cell.Theme
	Glyphs cell.Glyphs
	Depth  cell.Depth
}

// NewState shows nothing yet.
func NewState(look Look) *State {
	return &State{Over: -1, Sel: NewSelection(), Look: look, Hint: true}
}

// data is the run that is looked at, or nil.
func (s *State) data() *Data {
	if s.Active < 0 || s.Active >= len(s.Runs) {
		return nil
	}
	return s.Runs[s.Active]
}

// over is the run laid over it, or nil.
func (s *State) over() *Data {
	if s.Over < 0 || s.Over >= len(s.Runs) || s.Over == s.Active {
		return nil
	}
	return s.Runs[s.Over]
}

// add puts a run into the list: in the place of one from the same directory
// or at the end. The second run lies under the first one's view.
func (s *State) add(d *Data) {
	if i := slices.IndexFunc(s.Runs, func(o *Data) bool { return o.Dir == d.Dir }); i >= 0 {
		s.Runs[i] = d
	} else {
		s.Runs = append(s.Runs, d)
		if len(s.Runs) == 2 && s.Over < 0 {
			s.Active, s.Over = 1, 0
		}
	}
	s.settle()
}

// replace puts a run in the place of another. One that is gone is not missed.
func (s *State) replace(old, by *Data) {
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

// settle makes the selection one that the run has.
func (s *State) settle() {
	d := s.data()
	if d == nil {
		return
	}
	if len(d.tags) > 0 && !slices.Contains(d.tags, s.Sel.Tag) {
		s.Sel.Tag = d.tags[0]
	}
	kinds := d.kinds(s.Sel.Tag)
	if len(kinds) > 0 && !slices.Contains(kinds, trace.Group{Tag: s.Sel.Tag, Kind: s.Sel.Kind, First: s.Sel.First}) {
		s.Sel.Kind, s.Sel.First = trace.AllKinds, trace.Opt[bool]{}
	}
	if s.Sel.Sender >= d.nodes {
		s.Sel.Sender = everyone
	}
	if s.Sel.Receiver >= d.nodes {
		s.Sel.Receiver = everyone
	}
	cols, _ := s.Sel.columns(d)
	if i := s.Sel.cursor(cols); i >= 0 {
		s.Sel.SizeBytes = cols[i].SizeHiBytes
	}
}

// cycle gives the value after one in a list, or before it.
func cycle[T comparable](list []T, now T, by int) T {
	if len(list) == 0 {
		return now
	}
	i := slices.Index(list, now) + by
	return list[(i%len(list)+len(list))%len(list)]
}
