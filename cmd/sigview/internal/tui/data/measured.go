package data

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/trace/rundir"
)

// Measured is a directory with a measurement of layers.
type Measured struct {
	Dir    string
	Tool   string
	Seed   uint64
	Series []*Series
}

// ReadMeasured reads what logp, bandwidth, tpil, verbs or sweep wrote into a directory. It returns
// bench.ErrNotMeasured when there is nothing.
func ReadMeasured(dir string) (*Measured, error) {
	read, err := bench.Read(dir)
	if errors.Is(err, bench.ErrNotMeasured) && rundir.IsSweep(dir) {
		return readSweep(dir)
	} else if err != nil {
		return nil, err
	}
	if read.Perturb != nil {
		return nil, fmt.Errorf("directory %s: no view of what a monitor costs, sigview report shows it", dir)
	}
	out := &Measured{Dir: dir, Tool: read.Tool, Seed: read.Seed}
	if read.Injection != nil {
		out.Series = drawnInjection(dir, read.Injection)
	}
	if len(read.Verbs) > 0 {
		out.Series = drawnVerbs(dir, read.Verbs)
	}
	for i := range read.LogP {
		x := &Series{Dir: dir, LogP: &read.LogP[i]}
		out.Series = append(append(out.Series, x), x.bulk()...)
	}
	for i := range read.Bandwidth {
		out.Series = append(out.Series, &Series{Dir: dir, Bandwidth: &read.Bandwidth[i]})
	}
	return out, nil
}

// readSweep reads the tables of a sweep.
func readSweep(dir string) (*Measured, error) {
	m, runs, err := rundir.ReadSweep(dir)
	if err != nil {
		return nil, err
	}
	out := &Measured{Dir: dir, Tool: m.ToolVersion}
	out.Series, err = drawnSweep(dir, m, runs)
	return out, err
}

// bulk returns the signatures of bulk transfers.
func (x *Series) bulk() []*Series {
	var out []*Series
	if x.LogP == nil {
		return nil
	}
	for _, s := range x.LogP.Sizes {
		if len(s.Points) == 0 {
			continue
		}
		of := *x.LogP
		of.Operation, of.Points, of.Curves, of.Warnings, of.Sizes, of.Bulk, of.Residuals, of.Consistency = "store", s.Points, s.Curves, s.Warnings, nil, nil, nil, nil
		missing := logp.Estimate{Reason: "not in the document"}
		of.Parameters, of.Idle = logp.Params{Os: missing, Or: missing, L: missing, G: missing, RTT: missing}, missing
		if s.Params != nil {
			of.Parameters = *s.Params
		}
		if s.Idle != nil {
			of.Idle = *s.Idle
		}
		out = append(out, &Series{Dir: x.Dir, LogP: &of, SizeBytes: s.SizeBytes})
	}
	return out
}
