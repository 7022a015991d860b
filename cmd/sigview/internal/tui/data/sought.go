package data

import (
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
)

// Operation returns an operation by its number, if it has been looked for or is one of the
// longest.
func (d *Data) Operation(id spans.ID) (o *spans.One, known bool) {
	if d.Sought.ID == id {
		return d.Sought.one, true
	}
	for _, list := range d.Found.Longest {
		for _, o := range list {
			if o.Tag == id.Tag && o.Span == id.Span && o.Operation != string(trace.OpPhase) {
				return o, true
			}
		}
	}
	return nil, false
}

// WithOperation returns a copy of the run for which an operation has been looked for.
func (d *Data) WithOperation(id spans.ID) (*Data, error) {
	one, err := explain.Operation(d.Dir, id)
	out := *d
	out.Sought = sought{id, one}
	return &out, err
}
