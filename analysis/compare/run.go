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

// Run is the input of a comparison: the figures of one run, or of one measurement of layers.
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

// Side is one side of a comparison: one run, or several with the same specification and different seeds.
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

// Of returns the figures of a run by the signature that the run holds.
func Of(run trace.Run) Run { return OfSignature(run, analysis.Of(run)) }

// OfSignature returns the figures of a run by the signature s instead.
func OfSignature(run trace.Run, s analysis.Signature) Run {
	return Run{Dir: run.Dir, Manifest: run.Manifest, Figures: append(figures(run, s), observed(run.Manifest)...), Results: results(run, s), Signature: s}
}

// results returns a digest of all measured values of a run. It leaves out how the run was made, so that runs of
// two versions of sigview can be compared.
func results(run trace.Run, s analysis.Signature) string {
	m := run.Manifest
	return digest(m.Tags, m.Verified, m.SimulatedNs, m.Packets, m.FirmwarePackets, m.Lost, m.Shares,
		s.Rows, s.Classes, s.Pairs, s.Sequences, run.Histograms, run.Fine, run.Online)
}

// digest returns the SHA-256 in hexadecimal of the values as JSON, each after its length.
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

// same reports whether both sides hold the same runs: equal seeds and specifications, and for each seed the
// same digest of events. Between versions, and without a digest of events, the digests of results have to be
// equal.
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

// Unlike returns the differences in the work that the two sides do: workload, nodes and the fields of the
// specification in work. The times of such sides are compared only on request. The fields of measurements of
// layers are always among work.
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
