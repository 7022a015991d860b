package spans

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Edge is the waiting of one sort of actors for another one's. Ps sums over all that wait, also over those that
// wait at once.
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

// blocked sums up waiting by sorts of actors. Sorts are numbered from 1; 0 is nobody known.
type blocked struct {
	sorts []string
	index map[string]uint16
	of    []uint16 // by actor
	// In ps. Invariant: the sums add up to total.
	sums map[wait]int64
	// Waits in line, of which the holders become known only afterwards: sums has them as waits for nobody until
	// then.
	lines map[spot]map[uint16]*waits.Together // by sort of those that wait
	// Both in ps. Invariant: known <= total.
	total int64
	known int64
}

// wait is who waits for whom at which place, by sorts.
type wait struct {
	waiter, holder uint16
	spot
}

// spot is one instance of a resource.
type spot struct {
	resource waits.Resource
	instance int32
}

// Blocked sums up who waited for whom in all of an account, in ps. Events and the order of packets, for which
// no resource is short, do not count.
func Blocked(a *account.Account) Graph {
	var b Blocking
	b.Add(a, math.MinInt64, math.MaxInt64)
	return b.Graph()
}

// Blocking sums up who waited for whom in windows of a log. Its memory does not grow with their number.
type Blocking struct{ b *blocked }

// Add adds the waiting between two instants, in ps, of an account that has all that happens then.
func (x *Blocking) Add(a *account.Account, from, to int64) {
	if x.b == nil {
		x.b = &blocked{sorts: []string{"nobody known"}, index: map[string]uint16{}, sums: map[wait]int64{}}
	}
	b := x.b
	b.lines = map[spot]map[uint16]*waits.Together{}
	b.sort(a)
	for id := range a.Actors {
		for _, p := range a.Of(waits.ID(id)) {
			if p.Begin, p.End = max(p.Begin, from), min(p.End, to); p.Begin < p.End {
				b.add(waits.ID(id), p)
			}
		}
	}
	// Only after all pieces: a hold divides the waiting of a whole line.
	for h := range a.Holds() {
		if h.Begin, h.End = max(h.Begin, from), min(h.End, to); h.Begin < h.End {
			b.hold(h)
		}
	}
}

// Graph returns who waited for whom.
func (x *Blocking) Graph() Graph {
	if x.b == nil {
		return Graph{}
	}
	return x.b.graph()
}

// sort finds the sort of each actor.
func (b *blocked) sort(a *account.Account) {
	// Sorts are few, however many actors there are: a number of 16 bits is enough.
	b.of = make([]uint16, len(a.Actors))
	for id := 1; id < len(a.Actors); id++ {
		x := &a.Actors[id]
		// Processes and tasks that differ by the number at the end of their names are of one sort.
		sort := strings.TrimRight(x.Name, " 0123456789") + " " + x.Type.String()
		if x.Type.IsPacket() {
			sort = x.Kind.String() + " packets"
		}
		i, ok := b.index[sort]
		if !ok {
			i = uint16(len(b.sorts))
			b.index[sort], b.sorts = i, append(b.sorts, sort)
		}
		b.of[id] = i
	}
}

// add adds a piece of an actor's time.
func (b *blocked) add(id waits.ID, p account.Piece) {
	if p.What != waits.Waiting || p.Resource == waits.Event || p.Resource == waits.Order {
		return
	}
	w := wait{b.of[id], 0, spot{p.Resource, p.Instance}}
	if p.Line {
		b.line(w.spot, w.waiter).Add(p.Begin, p.End)
	} else {
		w.holder = b.of[p.Holder]
	}
	b.total += p.Length()
	if w.holder != 0 {
		b.known += p.Length()
	}
	b.sums[w] += p.Length()
}

// line returns the waiting of a sort of actors in line for a place.
func (b *blocked) line(at spot, sort uint16) *waits.Together {
	if b.lines[at] == nil {
		b.lines[at] = map[uint16]*waits.Together{}
	}
	if b.lines[at][sort] == nil {
		b.lines[at][sort] = &waits.Together{}
	}
	return b.lines[at][sort]
}

// hold adds who had a place: all in the line waited for that one meanwhile, instead of for nobody.
func (b *blocked) hold(h waits.Hold) {
	at := spot{h.Resource, h.Instance}
	for sort, line := range b.lines[at] {
		length := line.Between(h.Begin, h.End)
		b.known += length
		b.sums[wait{sort, 0, at}] -= length
		b.sums[wait{sort, b.of[h.Actor], at}] += length
	}
}

// Graph is who waited for whom. Invariant: WithHolderPs <= WaitedPs.
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

// graph sorts the sums. Equal ones are sorted by name, so that the order of maps does not matter.
func (b *blocked) graph() Graph {
	g := Graph{WaitedPs: b.total, WithHolderPs: b.known}
	edges := map[[2]uint16]*Edge{}
	waiter, holder := map[string]int64{}, map[string]int64{}
	for w, ps := range b.sums {
		// hold leaves zeros where it has moved all waiting to holders.
		if ps == 0 {
			continue
		}
		// An edge stands for all waits of one sort of actor for another, at whatever resources. Its uses sum to
		// Ps.
		k := [2]uint16{w.waiter, w.holder}
		e := edges[k]
		if e == nil {
			e = &Edge{Waiter: b.sorts[w.waiter], Holder: b.sorts[w.holder]}
			edges[k] = e
		}
		e.Ps += ps
		e.At = append(e.At, Use{w.resource.String(), int64(w.instance), ps})
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

// longest returns sums in ps with their names, the largest first.
func longest(sums map[string]int64) (out []Sum) {
	for name, ps := range sums {
		out = append(out, Sum{name, ps})
	}
	slices.SortFunc(out, func(x, y Sum) int { return cmp.Or(cmp.Compare(y.Ps, x.Ps), strings.Compare(x.Name, y.Name)) })
	return out
}

// View shows who waited for whom, the longest first: each with its time, its share of all waiting, and the
// place where most of it is.
func (g Graph) View() analysis.View {
	return analysis.Tabulate(g.Edges,
		analysis.Word("waits", "waiter", func(e Edge) string { return e.Waiter }),
		analysis.Word("for", "holder", func(e Edge) string { return e.Holder }),
		analysis.Milli("ms", "waited_us", func(e Edge) float64 { return float64(e.Ps) / 1e6 }),
		analysis.Share("share", "share", func(e Edge) float64 { return float64(e.Ps) / float64(max(g.WaitedPs, 1)) }),
		analysis.Word("mostly at", "place", func(e Edge) string {
			// An edge has at least the place of its first wait.
			u := e.At[0]
			at := fmt.Sprintf("%s of node %d", u.Resource, u.Instance)
			if u.Resource == waits.Port.String() {
				at = fmt.Sprintf("channel %d of the network", u.Instance)
			}
			return fmt.Sprintf("%s, %.0f %%", at, 100*float64(u.Ps)/float64(max(e.Ps, 1)))
		}))
}
