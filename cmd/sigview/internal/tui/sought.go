package tui

import (
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
)

// operation returns an operation by its number, if it has been looked for or is one of the
// longest.
func (d *Data) operation(id spans.ID) (o *spans.One, known bool) {
	if d.sought.ID == id {
		return d.sought.one, true
	}
	for _, list := range d.found.Longest {
		for _, o := range list {
			if o.Tag == id.Tag && o.Span == id.Span && o.Operation != string(trace.OpPhase) {
				return o, true
			}
		}
	}
	return nil, false
}

// withOperation returns a copy of the run for which an operation has been looked for.
func (d *Data) withOperation(id spans.ID) (*Data, error) {
	one, err := explain.Operation(d.Dir, id)
	out := *d
	out.sought = sought{id, one}
	return &out, err
}
