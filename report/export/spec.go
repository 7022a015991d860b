package export

import (
	"errors"
	"io"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Format is a form of another tool.
type Format uint8

// The forms.
const (
	Parquet  Format = iota // a file per table
	CSV                    // a file per table, and two that describe them
	HLog                   // HdrHistogram log
	Hgrm                   // percentiles as HdrHistogram's plotter wants them, a file per latency
	Perfetto               // trace for Perfetto
	GOAL                   // schedule for LogGOPSim
	HTSim                  // connection matrix for csg-htsim
)

var formats = names.NewEnum[Format]("format", "parquet", "csv", "hlog", "hgrm", "perfetto", "goal", "htsim")

// Words implements names.Enumeration.
func (Format) Words() names.Words { return formats.Words() }

func (f Format) String() string { return formats.Name(f) }

// UnmarshalText takes the name of a form.
func (f *Format) UnmarshalText(name []byte) error { return formats.Set(f, name) }

// Spec is what to export.
type Spec struct {
	Dir    string
	To     Format
	Tables []string // of Parquet and CSV: names; none stands for all
}

// tabular reports whether the form has tables.
func (s Spec) tabular() bool { return s.To == Parquet || s.To == CSV }

// errNothing is the error of a run that has nothing of a form.
var errNothing = errors.New("the run has none")

// single is the list of a form that is one file.
func single(write func(io.Writer) error) []rundir.Part {
	return []rundir.Part{{Write: write}}
}

// comments are the labels of a run as lines.
func comments(m trace.Manifest) (lines []string) {
	for _, l := range m.Labels() {
		lines = append(lines, l.String())
	}
	return lines
}
