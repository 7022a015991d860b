package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/trace"
)

// Run is what a comparison needs of one run, or of one measurement of layers.
type Run struct {
	Dir       string
	Manifest  trace.Manifest // of a measurement: Workload is the command
	Figures   []Figure
	Results   string             // digest of all columns of results
	Signature analysis.Signature // without rows in a measurement
	Platform  json.RawMessage    // all fields of the hardware profile; nil: not known
}

// figure returns the figure with this key, if there is one.
func (r Run) figure(k Key) (Figure, bool) {
	i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Key == k })
	if i < 0 {
		return Figure{}, false
	}
	return r.Figures[i], true
}

// Side is what is compared: one run, or several of one specification with different seeds.
type Side struct {
	Name string // of the directory or reference
	Runs []Run  // by seed
}

// Seeds returns the seeds of the runs.
func (s Side) Seeds() []uint64 {
	var out []uint64
	for _, r := range s.Runs {
		out = append(out, r.Manifest.Seed)
	}
	return out
}

// Manifest returns the first run's manifest with the seeds of all.
func (s Side) Manifest() trace.Manifest {
	m := s.Runs[0].Manifest
	m.Seeds = s.Seeds()
	return m
}

// Of returns what a comparison needs of a run.
func Of(run trace.Run) Run { return OfSignature(run, analysis.Of(run)) }

// OfSignature is Of with this signature in place of the one that is in the run.
func OfSignature(run trace.Run, s analysis.Signature) Run {
	return Run{Dir: run.Dir, Manifest: run.Manifest, Figures: figures(run, s), Results: results(run, s), Signature: s}
}

// results returns a digest of everything that a run has measured. It does not depend on
// how the run was made, so that it can be compared across versions.
func results(run trace.Run, s analysis.Signature) string {
	m := run.Manifest
	return digest(m.Tags, m.Verified, m.SimulatedNs, m.Packets, m.FirmwarePackets, m.Lost, m.Shares,
		s.Rows, s.Classes, s.Pairs, s.Sequences, run.Histograms, run.Fine, run.Online)
}

func digest(values ...any) string {
	sum := sha256.New()
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			panic("compare: " + err.Error()) // tables have no infinite numbers
		}
		fmt.Fprintf(sum, "%d %s\n", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// same reports whether two sides hold the same runs: the same seeds and, of each, the same
// specification and platform with the same course of events; by another version or without
// a digest of events, the same results.
func same(a, b Side, differs []analysis.Difference) bool {
	if !slices.Equal(a.Seeds(), b.Seeds()) {
		return false
	}
	versions := false
	for _, d := range differs {
		if versions = versions || d.Field == "tool_version" || d.Field == "schema_version"; d.Field != "tool_version" && d.Field != "schema_version" {
			return false
		}
	}
	for i, x := range a.Runs {
		y := b.Runs[i]
		events := x.Manifest.EventDigest != "" && x.Manifest.EventDigest == y.Manifest.EventDigest
		if !events && !versions && cmp.Or(x.Manifest.EventDigest, y.Manifest.EventDigest) != "" || (versions || !events) && x.Results != y.Results {
			return false
		}
	}
	return true
}

// Unlike returns those differences by which two sides do other work, so that their times
// are not to be compared unless that is what is asked. Work are the fields of a run's
// specification that say what work is done; those of measurements are known.
func Unlike(all []analysis.Difference, work []string) (out []analysis.Difference) {
	for _, of := range []any{bench.LogP{}, bench.Bandwidth{}} {
		measured, _ := analysis.Work(reflect.TypeOf(of))
		work = append(slices.Clone(work), measured...)
	}
	for _, d := range all {
		field, specified := strings.CutPrefix(d.Field, "specification.")
		says := func(name string) bool { return field == name || strings.HasPrefix(field, name+".") }
		if d.Field == "workload" || d.Field == "nodes" || specified && slices.ContainsFunc(work, says) {
			out = append(out, d)
		}
	}
	return out
}
