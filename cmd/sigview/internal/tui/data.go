package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/trace"
)

// Data is a run prepared for drawing. It never changes, so that it can be drawn
// while something else is read.
type Data struct {
	Dir       string
	Run       trace.Run
	Signature analysis.Signature
	Diagnosis analysis.Diagnosis
	Partial   bool     // the run has not ended
	broken    bool     // its trace cannot be read
	Packets   *Packets // nil when there is no trace, or it is not read yet

	tags  []trace.Tag
	bins  map[trace.Group][]analysis.Packets
	pairs map[pairKey][]analysis.Packets // by class; without its class a pair's sizes all together
	hists map[histKey][]trace.HistogramRow
	nodes int

	operations []analysis.Operation
	explained  *explain.Brief   // nil without a trace, or when it is not explained yet
	events     []trace.SpanRow  // phases and barriers
	lanes      *lanes.Lanes     // with a trace
	rankings   []*ranked        // those that were asked for
	account    *account.Account // who waited for whom, or a part of that; nil before it was read
	path       *lanes.Path      // the critical path, with all of that
	sought     sought           // a single operation
	found      spans.Found      // of the trace's operations
	tested     *why.Explanation // nil unless the cause has been tested
	findings   []finding        // of all grades, the worst first
}

// sought is an operation that was looked for in a trace, nil if there is none.
type sought struct {
	spans.ID
	one *spans.One
}

type pairKey struct {
	tag              trace.Tag
	sender, receiver int64
}

type histKey struct {
	group  trace.Group
	stage  trace.Stage
	bySize bool
}

// alike finds the packets of the same sizes.
func alike(p analysis.Packets, list []analysis.Packets) (analysis.Packets, bool) {
	i := slices.IndexFunc(list, func(o analysis.Packets) bool { return o.Sizes == p.Sizes && o.Class == p.Class })
	if i < 0 {
		return analysis.Packets{}, false
	}
	return list[i], true
}

// where names packets by their class or sizes.
func where(p analysis.Packets) string {
	if p.Class != "" {
		return p.Class
	}
	return fmt.Sprintf("%d-%d B", p.SizeLoBytes+1, p.SizeHiBytes)
}

// NewData prepares a run. A base other than nil takes the place of the
// baseline that the run was stored with.
func NewData(dir string, run trace.Run, base *analysis.Baseline) *Data {
	d := &Data{Dir: dir, Run: run, Signature: analysis.Of(run), nodes: run.Manifest.Nodes}
	if base != nil {
		d.Signature = d.Signature.Against(*base)
	}
	d.Diagnosis = analysis.Diagnose(d.Signature, d.facts())
	d.tags = d.Signature.Tags()
	d.bins = map[trace.Group][]analysis.Packets{}
	for _, p := range d.Signature.BySize() {
		d.bins[p.Group] = append(d.bins[p.Group], p)
	}
	sizes := sizesOf(d.Signature)
	d.pairs = map[pairKey][]analysis.Packets{}
	for _, p := range d.Signature.ByPair() {
		if p.Kind == trace.AllKinds && !p.First.OK {
			p.Sizes = sizes[p.Class]
			k := pairKey{p.Tag, p.Sender, p.Receiver}
			d.pairs[k] = append(d.pairs[k], p)
		}
	}
	d.hists = map[histKey][]trace.HistogramRow{}
	for _, r := range run.Histograms {
		k := histKey{r.Group, r.Stage, r.Kind == trace.AllKinds}
		d.hists[k] = append(d.hists[k], r)
	}
	d.rank()
	return d
}

// facts are what a diagnosis takes from the run.
func (d *Data) facts() analysis.Facts {
	facts := analysis.FactsOf(d.Run)
	if d.Dir != liveName {
		facts.Dir = d.Dir
	}
	return facts
}

// against returns the run beside another baseline.
func (d *Data) against(base *analysis.Baseline) *Data {
	fresh, out := NewData(d.Dir, d.Run, base), *d
	out.Signature, out.Diagnosis, out.bins, out.pairs = fresh.Signature, fresh.Diagnosis, fresh.bins, fresh.pairs
	out.rank()
	return &out
}

// sizesOf returns the sizes of the classes.
func sizesOf(s analysis.Signature) map[string]trace.Sizes {
	out := map[string]trace.Sizes{trace.AllSizes: {SizeHiBytes: maxBytes}}
	for _, r := range s.Classes {
		out[r.Class] = r.Sizes
	}
	return out
}

// pool merges packets of the same sizes and sorts them by size.
func pool(list []analysis.Packets) []analysis.Packets {
	var out []analysis.Packets
	for _, p := range list {
		i := slices.IndexFunc(out, func(o analysis.Packets) bool { return o.Sizes == p.Sizes && o.Class == p.Class })
		if i < 0 {
			i = len(out)
			out = append(out, analysis.Packets{Group: p.Group, Sizes: p.Sizes, Class: p.Class})
		}
		out[i].Stats = analysis.Pool(out[i].Stats, p.Stats)
	}
	slices.SortStableFunc(out, func(a, b analysis.Packets) int { return cmp.Compare(a.SizeHiBytes, b.SizeHiBytes) })
	return out
}

// kinds lists the groups of packets that a run has of a tag.
func (d *Data) kinds(tag trace.Tag) []trace.Group {
	var out []trace.Group
	for _, r := range d.Signature.Rows {
		if r.Tag == tag && !slices.Contains(out, r.Group) {
			out = append(out, r.Group)
		}
	}
	return out
}

// hasTrace reports whether the run's directory holds a trace.
func (d *Data) hasTrace() bool {
	name := trace.PacketRow{}.TableName() + "."
	return slices.ContainsFunc(d.Run.Manifest.Files, func(f trace.File) bool { return strings.HasPrefix(f.Name, name) })
}

// traced returns the number of packets in the trace.
func (d *Data) traced() int64 { return d.Run.Manifest.Rows(trace.PacketRow{}) }

// load reads a measurement or a run.
func load(dir string, base *analysis.Baseline) (*Data, *Measured, error) {
	if m, err := readMeasured(dir); !errors.Is(err, bench.ErrNotMeasured) {
		return nil, m, err
	}
	run, err := explain.ReadSummary(dir)
	if err != nil {
		return nil, nil, err
	}
	return NewData(dir, run, base), nil, nil
}

// baselineOf reads a run as a baseline.
func baselineOf(dir string) (*analysis.Baseline, error) {
	run, err := explain.ReadSummary(dir)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	b, err := analysis.BaselineOf(run)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return &b, nil
}

// withTrace returns a copy of the run that includes its trace.
func (d *Data) withTrace() (*Data, error) {
	packets, err := newPackets(d)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Packets = packets
	return &out, out.readOperations()
}

// keptOperations is how many operations of each kind are kept one by one.
const keptOperations = 10

// readOperations reads the operations of a trace: their sums, the costliest first, the longest
// ones, and when programs were in them.
func (d *Data) readOperations() (err error) {
	at := lanes.New(d.nodes)
	var sums analysis.OperationSums
	d.found, err = explain.LongestOperations(d.Dir, keptOperations, func(rows []trace.SpanRow) {
		sums.AddSpans(rows)
		at.AddSpans(rows)
		for _, r := range rows {
			if r.Operation == string(trace.OpPhase) || r.Operation == string(trace.OpBarrier) {
				d.events = append(d.events, r)
			}
		}
	}, sums.AddSteps)
	at.Done()
	d.operations, d.lanes = sums.Done(), at
	slices.SortStableFunc(d.operations, func(a, b analysis.Operation) int {
		return cmp.Or(cmp.Compare(b.Duration.SumNs, a.Duration.SumNs), strings.Compare(nameOf(a), nameOf(b)))
	})
	return err
}

// withPart returns a copy of the run for which a part of its trace has been read.
func (d *Data) withPart(want request) (*Data, error) {
	packets, err := d.Packets.reads(d.Dir, want)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Packets = packets
	return &out, nil
}

// Bounds of packet sizes.
const (
	minBytes = 32
	maxBytes = 4096
)

// liveName stands for the directory of a run that has none yet.
const liveName = "(in progress)"
