package spans

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Edge is the waiting of one sort of actors for another one's.
type Edge struct {
	Waiter, Holder string
	Ps             int64
	At             []Use // the longest first
}

// Use is waiting at one resource of a node.
type Use struct {
	Resource string
	Instance int64 // node of the resource; the channel of a port
	Ps       int64
}

// Blocked sums up who waited for whom: all actors are added first, then all their waits, and then who
// had what they wait for in line.
// Events and the order of packets, for which no resource is short, do not count.
type Blocked struct {
	sorts []string
	index map[string]uint16
	of    []uint16 // by actor
	sums  map[wait]int64
	lines map[spot]map[uint16]*waits.Together // by sort of those that wait
	total int64
	known int64
}

type wait struct {
	waiter, holder uint16
	spot
}

type spot struct {
	resource string
	instance int64
}

// NewBlocked returns sums of nothing.
func NewBlocked() *Blocked {
	return &Blocked{sorts: []string{"nobody known"}, index: map[string]uint16{}, of: []uint16{0}, sums: map[wait]int64{}, lines: map[spot]map[uint16]*waits.Together{}}
}

// AddActors adds rows in the order of the table.
func (b *Blocked) AddActors(rows []trace.ActorRow) {
	for _, r := range rows {
		sort := strings.TrimRight(r.Name, " 0123456789") + " " + r.Type
		if r.Kind != "" {
			sort = r.Kind + " packets"
		}
		i, ok := b.index[sort]
		if !ok {
			i = uint16(len(b.sorts))
			b.index[sort] = i
			b.sorts = append(b.sorts, sort)
		}
		b.of = append(b.of, i)
	}
}

// AddWaits adds intervals.
func (b *Blocked) AddWaits(rows []trace.WaitRow) {
	for i := range rows {
		r := &rows[i]
		if r.What != waits.Waiting.String() || r.Resource == waits.Event.String() || r.Resource == waits.Order.String() {
			continue
		}
		w := wait{b.sort(r.Actor), 0, spot{r.Resource, r.Instance}}
		if r.Line.Value {
			b.line(w.spot, w.waiter).Add(r.BeginPs, r.EndPs)
		} else {
			w.holder = b.sort(r.Holder)
		}
		length := r.EndPs - r.BeginPs
		b.total += length
		if w.holder != 0 {
			b.known += length
		}
		b.sums[w] += length
	}
}

// line returns the waiting of a sort of actors in line for a place.
func (b *Blocked) line(at spot, sort uint16) *waits.Together {
	if b.lines[at] == nil {
		b.lines[at] = map[uint16]*waits.Together{}
	}
	if b.lines[at][sort] == nil {
		b.lines[at][sort] = &waits.Together{}
	}
	return b.lines[at][sort]
}

// AddHolds adds who had a place: all in the line waited for that one, instead of for nobody.
func (b *Blocked) AddHolds(rows []trace.HoldRow) {
	for i := range rows {
		r := &rows[i]
		at := spot{r.Resource, r.Instance}
		for sort, line := range b.lines[at] {
			length := line.Between(r.BeginPs, r.EndPs)
			b.known += length
			b.sums[wait{sort, 0, at}] -= length
			b.sums[wait{sort, b.sort(r.Actor), at}] += length
		}
	}
}

func (b *Blocked) sort(actor int64) uint16 {
	if actor >= int64(len(b.of)) {
		return 0
	}
	return b.of[actor]
}

// Graph is who waited for whom.
type Graph struct {
	Edges          []Edge // the longest waiting first
	WaitedPs       int64
	WithHolderPs   int64
	Waiter, Holder []Sum // sorts of actors, the longest waiting first
}

// Sum is all waiting of one sort of actors, or for it.
type Sum struct {
	Name string
	Ps   int64
}

// Done returns the graph.
func (b *Blocked) Done() Graph {
	g := Graph{WaitedPs: b.total, WithHolderPs: b.known}
	edges := map[[2]uint16]*Edge{}
	waiter, holder := map[string]int64{}, map[string]int64{}
	for w, ps := range b.sums {
		if ps == 0 {
			continue
		}
		k := [2]uint16{w.waiter, w.holder}
		e := edges[k]
		if e == nil {
			e = &Edge{Waiter: b.sorts[w.waiter], Holder: b.sorts[w.holder]}
			edges[k] = e
		}
		e.Ps += ps
		e.At = append(e.At, Use{w.resource, w.instance, ps})
		waiter[e.Waiter] += ps
		holder[e.Holder] += ps
	}
	for _, e := range edges {
		slices.SortFunc(e.At, func(x, y Use) int {
			return cmp.Or(cmp.Compare(y.Ps, x.Ps), strings.Compare(x.Resource, y.Resource), cmp.Compare(x.Instance, y.Instance))
		})
		g.Edges = append(g.Edges, *e)
	}
	slices.SortFunc(g.Edges, func(x, y Edge) int {
		return cmp.Or(cmp.Compare(y.Ps, x.Ps), strings.Compare(x.Waiter, y.Waiter), strings.Compare(x.Holder, y.Holder))
	})
	g.Waiter, g.Holder = longest(waiter), longest(holder)
	return g
}

func longest(sums map[string]int64) (out []Sum) {
	for name, ps := range sums {
		out = append(out, Sum{name, ps})
	}
	slices.SortFunc(out, func(x, y Sum) int { return cmp.Or(cmp.Compare(y.Ps, x.Ps), strings.Compare(x.Name, y.Name)) })
	return out
}

// View shows who waited for whom, the longest first.
func (g Graph) View() analysis.View {
	return analysis.Tabulate(g.Edges,
		analysis.Word("waits", "waiter", func(e Edge) string { return e.Waiter }),
		analysis.Word("for", "holder", func(e Edge) string { return e.Holder }),
		analysis.Milli("ms", "waited_us", func(e Edge) float64 { return float64(e.Ps) / 1e6 }),
		analysis.Share("share", "share", func(e Edge) float64 { return float64(e.Ps) / float64(max(g.WaitedPs, 1)) }),
		analysis.Word("mostly at", "place", func(e Edge) string {
			u := e.At[0]
			at := fmt.Sprintf("%s of node %d", u.Resource, u.Instance)
			if u.Resource == waits.Port.String() {
				at = fmt.Sprintf("channel %d of the network", u.Instance)
			}
			return fmt.Sprintf("%s, %.0f %%", at, 100*float64(u.Ps)/float64(max(e.Ps, 1)))
		}))
}
