package data

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
	Broken    bool     // its trace cannot be read
	Packets   *Packets // nil when there is no trace, or it is not read yet

	Tags   []trace.Tag
	Bins   map[trace.Group][]analysis.Packets
	Pairs  map[PairKey][]analysis.Packets    // by class; without its class a pair's sizes all together
	Linked map[trace.Tag][]PairKey           // pairs that have packets, in order
	ByNode map[trace.Tag][]analysis.NodeSums // of all pairs
	Hists  map[HistKey][]trace.HistogramRow
	Nodes  int

	Operations []analysis.Operation
	Explained  *explain.Brief   // nil without a trace, or when it is not explained yet
	Events     []trace.SpanRow  // phases and barriers
	Lanes      *lanes.Lanes     // with a trace
	Rankings   []*Ranked        // those that were asked for
	Account    *account.Account // who waited for whom, or a part of that; nil before it was read
	Path       *lanes.Path      // the critical path, with all of that
	Sought     sought           // a single operation
	Found      spans.Found      // of the trace's operations
	Tested     *why.Explanation // nil unless the cause has been tested
	Findings   []Finding        // of all grades, the worst first
}

// sought is an operation that was looked for in a trace, nil if there is none.
type sought struct {
	spans.ID
	one *spans.One
}

type HistKey struct {
	Group  trace.Group
	Stage  trace.Stage
	BySize bool
}

// Alike finds the packets of the same sizes.
func Alike(p analysis.Packets, list []analysis.Packets) (analysis.Packets, bool) {
	i := slices.IndexFunc(list, func(o analysis.Packets) bool { return o.Sizes == p.Sizes && o.Class == p.Class })
	if i < 0 {
		return analysis.Packets{}, false
	}
	return list[i], true
}

// Where names packets by their class or sizes.
func Where(p analysis.Packets) string {
	if p.Class != "" {
		return p.Class
	}
	return fmt.Sprintf("%d-%d B", p.SizeLoBytes+1, p.SizeHiBytes)
}

// NewData prepares a run. A base other than nil takes the place of the
// baseline that the run was stored with.
func NewData(dir string, run trace.Run, base *analysis.Baseline) *Data {
	d := &Data{Dir: dir, Run: run, Signature: analysis.Of(run), Nodes: run.Manifest.Nodes}
	if base != nil {
		d.Signature = d.Signature.Against(*base)
	}
	d.Diagnosis = analysis.Diagnose(d.Signature, d.Facts())
	d.Tags = d.Signature.Tags()
	d.Bins = map[trace.Group][]analysis.Packets{}
	for _, p := range d.Signature.BySize() {
		d.Bins[p.Group] = append(d.Bins[p.Group], p)
	}
	sizes := SizesOf(d.Signature)
	whole := map[trace.Tag][]analysis.Packets{} // pairs, of all sizes
	d.Pairs, d.Linked = map[PairKey][]analysis.Packets{}, map[trace.Tag][]PairKey{}
	for _, p := range d.Signature.ByPair() {
		if p.Kind == trace.AllKinds && !p.First.OK {
			p.Sizes = sizes[p.Class]
			k := PairKey{p.Tag, p.Sender, p.Receiver}
			if max(p.Sender, p.Receiver) >= int64(d.Nodes) {
				continue // the files are not of one run
			}
			if d.Pairs[k] == nil {
				d.Linked[p.Tag] = append(d.Linked[p.Tag], k)
			}
			if p.Class == trace.AllSizes {
				whole[p.Tag] = append(whole[p.Tag], p)
			}
			d.Pairs[k] = append(d.Pairs[k], p)
		}
	}
	d.ByNode = map[trace.Tag][]analysis.NodeSums{}
	for tag, pairs := range whole {
		d.ByNode[tag] = analysis.SumsOfPairs(d.Nodes, pairs)
	}
	d.Hists = map[HistKey][]trace.HistogramRow{}
	for _, r := range run.Histograms {
		k := HistKey{r.Group, r.Stage, r.Kind == trace.AllKinds}
		d.Hists[k] = append(d.Hists[k], r)
	}
	d.Rank()
	return d
}

// StageName is what people call a stage of the run.
func (d *Data) StageName(s trace.Stage) string {
	return analysis.StageName(s, d.Run.Manifest.Real())
}

// Facts are what a diagnosis takes from the run.
func (d *Data) Facts() analysis.Facts {
	facts := analysis.FactsOf(d.Run)
	if d.Dir != LiveName {
		facts.Dir = d.Dir
	}
	return facts
}

// Against returns the run beside another baseline.
func (d *Data) Against(base *analysis.Baseline) *Data {
	fresh, out := NewData(d.Dir, d.Run, base), *d
	out.Signature, out.Diagnosis, out.Bins, out.Pairs = fresh.Signature, fresh.Diagnosis, fresh.Bins, fresh.Pairs
	out.Rank()
	return &out
}

// SizesOf returns the sizes of the classes.
func SizesOf(s analysis.Signature) map[string]trace.Sizes {
	out := map[string]trace.Sizes{trace.AllSizes: {SizeHiBytes: MaxBytes}}
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
			out = append(out, analysis.Packets{Group: p.Group, Real: p.Real, Sizes: p.Sizes, Class: p.Class})
		}
		out[i].Stats = analysis.Pool(out[i].Stats, p.Stats)
	}
	slices.SortStableFunc(out, func(a, b analysis.Packets) int { return cmp.Compare(a.SizeHiBytes, b.SizeHiBytes) })
	return out
}

// Kinds lists the groups of packets that a run has of a tag.
func (d *Data) Kinds(tag trace.Tag) []trace.Group {
	var out []trace.Group
	for _, r := range d.Signature.Rows {
		if r.Tag == tag && !slices.Contains(out, r.Group) {
			out = append(out, r.Group)
		}
	}
	return out
}

// HasTrace reports whether the run's directory holds a trace.
func (d *Data) HasTrace() bool {
	name := trace.PacketRow{}.TableName() + "."
	return slices.ContainsFunc(d.Run.Manifest.Files, func(f trace.File) bool { return strings.HasPrefix(f.Name, name) })
}

// traced returns the number of packets in the trace.
func (d *Data) traced() int64 { return d.Run.Manifest.Rows(trace.PacketRow{}) }

// Load reads a measurement or a run.
func Load(dir string, base *analysis.Baseline) (*Data, *Measured, error) {
	if m, err := ReadMeasured(dir); !errors.Is(err, bench.ErrNotMeasured) {
		return nil, m, err
	}
	run, err := explain.ReadSummary(dir)
	if err != nil {
		return nil, nil, err
	}
	return NewData(dir, run, base), nil, nil
}

// BaselineOf reads a run as a baseline.
func BaselineOf(dir string) (*analysis.Baseline, error) {
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

// WithTrace returns a copy of the run that includes its trace.
func (d *Data) WithTrace() (*Data, error) {
	packets, err := newPackets(d)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Packets = packets
	return &out, out.readOperations()
}

// KeptOperations is how many operations of each kind are kept one by one.
const KeptOperations = 10

// readOperations reads the operations of a trace: their sums, the costliest first, the longest
// ones, and when programs were in them.
func (d *Data) readOperations() (err error) {
	at := lanes.New(d.Nodes)
	var sums analysis.OperationSums
	d.Found, err = explain.LongestOperations(d.Dir, KeptOperations, func(rows []trace.SpanRow) {
		sums.AddSpans(rows)
		at.AddSpans(rows)
		for _, r := range rows {
			if r.Operation == string(trace.OpPhase) || r.Operation == string(trace.OpBarrier) {
				d.Events = append(d.Events, r)
			}
		}
	}, sums.AddSteps)
	at.Done()
	d.Operations, d.Lanes = sums.Done(), at
	slices.SortStableFunc(d.Operations, func(a, b analysis.Operation) int {
		return cmp.Or(cmp.Compare(b.Duration.SumNs, a.Duration.SumNs), strings.Compare(NameOf(a), NameOf(b)))
	})
	return err
}

// WithPart returns a copy of the run for which a part of its trace has been read.
func (d *Data) WithPart(want Request) (*Data, error) {
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
	MinBytes = 32
	MaxBytes = 4096
)

// LiveName stands for the directory of a run that has none yet.
const LiveName = "(in progress)"

// Finding is a finding of any grade.
type Finding struct {
	Grade       trace.Grade
	Cost        trace.Opt[float64] // share of the run time, where that is known
	Least, Most trace.Opt[float64] // shares of the run time between which Cost is, of a finding of a trace
	Outlier     bool               // a part of the machine unlike its peers: these come first
	Waits       float64            // ns beyond the baseline, of all packets together
	Brief       string
	rest        []string // sentences
	Last        bool     // it rests on few packets, or is a wait shorter than the baseline's
	Place       Place    // where it is to be seen
}
