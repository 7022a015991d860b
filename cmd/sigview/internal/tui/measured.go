package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

// Measured is a directory with a measurement of layers.
type Measured struct {
	Dir    string
	Tool   string
	Seed   uint64
	Series []*Series
}

// Series is one measurement of a layer on a platform: either LogP parameters or
// bandwidths. Bulk transfers of a size with a signature are a series of their own.
type Series struct {
	Dir       string
	LogP      *bench.LogP
	Bandwidth *bench.Bandwidth
	SizeBytes int // of bulk transfers that have a signature; else 0
}

// ErrNotMeasured says that a directory holds no measurement of a layer.
var ErrNotMeasured = errors.New("no measurement of a layer")

// measuredSchema is the newest schema of the documents that can be read.
const measuredSchema = 1

// Documents in a directory with a measurement.
const (
	logpFile      = "logp.json"
	bandwidthFile = "bandwidth.json"
)

// ReadMeasured reads the document that logp or bandwidth wrote into a directory. It
// returns ErrNotMeasured when there is none.
func ReadMeasured(dir string) (*Measured, error) {
	for _, name := range []string{logpFile, bandwidthFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		out := &Measured{Dir: dir}
		if err == nil {
			err = out.decode(name, data)
		}
		if err != nil {
			return nil, fmt.Errorf("directory %s: %s: %w", dir, name, err)
		}
		return out, nil
	}
	return nil, ErrNotMeasured
}

// decode reads a document of one layer, or of several in a list.
func (m *Measured) decode(name string, data []byte) error {
	var head struct {
		Schema  *int              `json:"schema_version"`
		Tool    string            `json:"tool_version"`
		Seed    uint64            `json:"seed"`
		Results []json.RawMessage `json:"results"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%w; wanted a whole document", err)
	}
	switch {
	case head.Schema == nil:
		return errors.New("schema_version: missing, wanted a document of sigview")
	case *head.Schema < 1 || *head.Schema > measuredSchema:
		return fmt.Errorf("schema_version: %d, this version of sigview reads 1 to %d", *head.Schema, measuredSchema)
	case head.Results == nil:
		head.Results = []json.RawMessage{data}
	}
	m.Tool, m.Seed = head.Tool, head.Seed
	for i, r := range head.Results {
		x := &Series{Dir: m.Dir}
		if err := x.decode(name, r); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
		m.Series = append(append(m.Series, x), x.bulk()...)
	}
	if len(m.Series) == 0 {
		return errors.New("results: none, wanted one or more")
	}
	return nil
}

func (x *Series) decode(name string, data []byte) error {
	var err error
	if name == logpFile {
		x.LogP = &bench.LogP{}
		err = json.Unmarshal(data, x.LogP)
	} else {
		x.Bandwidth = &bench.Bandwidth{}
		err = json.Unmarshal(data, x.Bandwidth)
	}
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, value string }{{"platform", x.place().Platform}, {"layer", x.place().Layer}, {"method or test", x.how()}} {
		if f.value == "" {
			return fmt.Errorf("%s: missing", f.name)
		}
	}
	return nil
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
