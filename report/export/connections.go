package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// connections is the traffic of a run with packets as a connection matrix of csg-htsim: who sends how many bytes to whom, from when on.
func (s Spec) connections(ctx context.Context, m trace.Manifest) ([]rundir.Part, error) {
	if !hasTable[trace.PacketRow](m) {
		return nil, fmt.Errorf("connections of %s: %w: record it with sigview run --trace=packets", s.Dir, errNothing)
	}
	return single(func(w io.Writer) error {
		f := flows{open: map[[2]int64]*flow{}}
		err := scan(ctx, s.Dir, func(rows []trace.PacketRow) error {
			for i := range rows {
				f.add(&rows[i])
			}
			return nil
		})
		if err != nil {
			return err
		}
		return f.write(w, m)
	}), nil
}

// flow is what one node sends to another without a break: messages that are requested before the one before has left.
type flow struct {
	from, to   int64
	begin, end int64 // ns
	bytes      int64
}

// flows gathers packets. Those of a pair come in the order of their injection.
type flows struct {
	open map[[2]int64]*flow
	all  []*flow
}

func (f *flows) add(p *trace.PacketRow) {
	begin := p.T3Ns.Value
	if p.T1Ns.OK {
		begin = p.T1Ns.Value
	}
	key := [2]int64{p.Sender, p.Receiver}
	k := f.open[key]
	if k == nil || p.First && begin > k.end {
		k = &flow{from: p.Sender, to: p.Receiver, begin: begin}
		f.open[key], f.all = k, append(f.all, k)
	}
	k.bytes += p.SizeBytes
	k.end = max(k.end, p.T3Ns.Value)
	if p.T4Ns.OK {
		k.end = max(k.end, p.T4Ns.Value)
	}
}

// mostFlowBytes is the largest size that csg-htsim reads. A longer flow is several that begin together.
const mostFlowBytes = math.MaxInt32

// write writes the flows by their beginning, in ps after the first.
func (f *flows) write(w io.Writer, m trace.Manifest) error {
	slices.SortStableFunc(f.all, func(a, b *flow) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	lines, first := 0, int64(0)
	for i, k := range f.all {
		if i == 0 {
			first = k.begin
		}
		lines += k.parts()
	}
	out := bufio.NewWriter(w)
	for _, line := range comments(m) {
		fmt.Fprintln(out, "#", line)
	}
	fmt.Fprintf(out, "Nodes %d\nConnections %d\n", m.Nodes, lines)
	id := 0
	for _, k := range f.all {
		for part := range k.parts() {
			id++
			fmt.Fprintf(out, "%d->%d id %d start %d size %d\n", k.from, k.to, id, (k.begin-first)*1000, min(mostFlowBytes, k.bytes-int64(part)*mostFlowBytes))
		}
	}
	return out.Flush()
}

// parts returns how many flows it is; one without data is none.
func (k *flow) parts() int { return int((k.bytes + mostFlowBytes - 1) / mostFlowBytes) }
