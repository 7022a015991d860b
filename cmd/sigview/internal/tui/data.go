package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Data is a run prepared for drawing. It is not changed once made, so that
// pictures can be drawn of it while something else is read.
type Data struct {
	Dir       string
	Run       trace.Run
	Signature analysis.Signature
	Diagnosis analysis.Diagnosis
	Partial   bool     // the run has not ended
	Packets   *Packets // nil when there is no trace, or it is not read yet

	tags  []trace.Tag
	bins  map[trace.Group][]column
	pairs map[pairKey][]column // by class; without its class a pair's sizes all together
	hists map[histKey][]trace.HistogramRow
	nodes int

	operations []operation
}

// column is the five latencies of one group of packets.
type column struct {
	trace.Sizes
	class string
	count int64
	stats [trace.NumStages + 1]trace.Stat
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

func (c *column) add(s trace.Stat) {
	c.stats[s.Stage] = s
	c.count = max(c.count, s.Count)
}

// of finds the column of the same packets.
func (c column) of(cols []column) (column, bool) {
	for _, o := range cols {
		if o.Sizes == c.Sizes && o.class == c.class {
			return o, true
		}
	}
	return column{}, false
}

// NewData prepares a run. A base other than nil takes the place of the
// baseline that the run was stored with.
func NewData(dir string, run trace.Run, base *analysis.Baseline) *Data {
	d := &Data{Dir: dir, Run: run, Signature: analysis.Of(run), nodes: run.Manifest.Nodes}
	if base != nil {
		d.Signature = d.Signature.Against(*base)
	}
	var clock analysis.Clock
	if b := run.Manifest.Clock.MedianBoundNs; b != nil {
		clock.BoundNs = trace.Some(*b)
	}
	d.Diagnosis = analysis.Diagnose(d.Signature, clock)
	d.tags = d.Signature.Tags()
	d.bins = map[trace.Group][]column{}
	for _, r := range d.Signature.Rows {
		d.bins[r.Group] = gather(d.bins[r.Group], column{Sizes: r.Sizes}, r.Stat)
	}
	d.pairs = map[pairKey][]column{}
	for _, r := range d.Signature.Pairs {
		if r.Kind == trace.AllKinds && !r.First.OK {
			k := pairKey{r.Tag, r.Sender, r.Receiver}
			d.pairs[k] = gather(d.pairs[k], column{class: r.Class, Sizes: classSizes(r.Class)}, r.Stat)
		}
	}
	d.hists = map[histKey][]trace.HistogramRow{}
	for _, r := range run.Histograms {
		k := histKey{r.Group, r.Stage, r.Kind == trace.AllKinds}
		d.hists[k] = append(d.hists[k], r)
	}
	return d
}

// gather puts a latency into the column that it belongs to, which is the last
// one or a new one.
func gather(to []column, c column, s trace.Stat) []column {
	if n := len(to); n == 0 || to[n-1].Sizes != c.Sizes || to[n-1].class != c.class {
		for i := range c.stats {
			c.stats[i].Stage = trace.Stage(i)
		}
		to = append(to, c)
	}
	to[len(to)-1].add(s)
	return to
}

// classSizes is where a class stands on the axis of sizes.
func classSizes(class string) trace.Sizes {
	switch class {
	case trace.ClassUnder128:
		return trace.Sizes{SizeLoBytes: 0, SizeHiBytes: 127}
	case trace.Class128:
		return trace.Sizes{SizeLoBytes: 127, SizeHiBytes: 1023}
	case trace.Class1024:
		return trace.Sizes{SizeLoBytes: 1023, SizeHiBytes: 4095}
	case trace.Class4096:
		return trace.Sizes{SizeLoBytes: 4095, SizeHiBytes: 4096}
	}
	return trace.Sizes{SizeLoBytes: 0, SizeHiBytes: 4096}
}

// merge pools columns of the same sizes, in the order of sizes.
func merge(lists ...[]column) []column {
	var out []column
	for _, list := range lists {
		for _, c := range list {
			i := slices.IndexFunc(out, func(o column) bool { return o.Sizes == c.Sizes && o.class == c.class })
			if i < 0 {
				out = append(out, c)
				continue
			}
			o := &out[i]
			o.count += c.count
			for s := range o.stats {
				o.stats[s] = pooled(o.stats[s], c.stats[s])
			}
		}
	}
	slices.SortStableFunc(out, func(a, b column) int { return int(a.SizeHiBytes - b.SizeHiBytes) })
	return out
}

func pooled(a, b trace.Stat) trace.Stat {
	list := analysis.Pool(nil, []trace.Stat{a})
	return analysis.Pool(list, []trace.Stat{b})[0]
}

// kinds lists the groups that a tag's packets are kept by.
func (d *Data) kinds(tag trace.Tag) []trace.Group {
	var out []trace.Group
	for _, r := range d.Signature.Rows {
		if r.Tag == tag && !slices.Contains(out, r.Group) {
			out = append(out, r.Group)
		}
	}
	return out
}

// program names the program of a tag.
func (d *Data) program(tag trace.Tag) string {
	for _, p := range d.Run.Manifest.Tags {
		if p.Tag == tag {
			return p.Name
		}
	}
	return "no name"
}

func (d *Data) title() string {
	m := d.Run.Manifest
	return fmt.Sprintf("%s on %s, %d nodes, seed %d", m.Workload, m.Platform.Name, m.Nodes, m.Seed)
}

// hasTrace reports whether the run's directory holds a trace.
func (d *Data) hasTrace() bool {
	for _, f := range d.Run.Manifest.Files {
		if strings.HasPrefix(f.Name, trace.PacketRow{}.TableName()+".") {
			return true
		}
	}
	return false
}

// withTrace is the run with its trace put together.
func (d *Data) withTrace(read func(string, TraceTaker) error) (*Data, error) {
	t := taker{NewPackets(d.nodes, d.Run.Manifest.SimulatedNs), newOperations()}
	if err := read(d.Dir, t); err != nil {
		return nil, err
	}
	out := *d
	out.Packets, out.operations = t.packets.Done(), t.operations.done()
	return &out, nil
}

// taker takes a trace in.
type taker struct {
	packets    *Packets
	operations *operations
}

func (t taker) Packets(rows []trace.PacketRow) error { t.packets.Add(rows); return nil }
func (t taker) Spans(rows []trace.SpanRow) error     { t.operations.addSpans(rows); return nil }
func (t taker) Stages(rows []trace.StepRow) error    { t.operations.addStages(rows); return nil }

// liveName stands for the directory of a run that has none yet.
const liveName = "(in progress)"

// TraceTaker takes the tables of a trace in pieces, which it may not keep.
type TraceTaker interface {
	Packets([]trace.PacketRow) error
	Spans([]trace.SpanRow) error
	Stages([]trace.StepRow) error
}
