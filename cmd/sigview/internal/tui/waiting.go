package tui

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// waitRows returns how many intervals of waiting the run's directory holds.
func (d *Data) waitRows() int64 {
	name := trace.WaitRow{}.TableName() + "."
	i := slices.IndexFunc(d.Run.Manifest.Files, func(f trace.File) bool { return strings.HasPrefix(f.Name, name) })
	if i < 0 || d.Run.Manifest.Files[i].Rows == nil {
		return 0
	}
	return *d.Run.Manifest.Files[i].Rows
}

// wantsWaits reports whether who waited for whom is still to be read.
func (d *Data) wantsWaits() bool {
	n := d.waitRows()
	return n > 0 && n <= readWaits && d.account == nil && d.Packets != nil
}

// withWaits returns a copy of the run that includes who waited for whom.
func (d *Data) withWaits(read *TraceReader) (*Data, error) {
	account, err := read.Waits(d.Dir)
	if err != nil {
		return nil, err
	}
	out := *d
	out.account, out.lanes = account, d.lanes.With(account)
	return &out, nil
}

// unwaited returns a shown run of which the picture needs to know who waited for whom.
func (s *State) unwaited() (*Data, bool) {
	v, ok := s.view().(*timelineView)
	d := s.data()
	return d, ok && d != nil && (v.open || v.shows == ofOneNode) && d.wantsWaits()
}
