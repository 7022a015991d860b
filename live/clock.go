package live

import (
	"math"
	"slices"
	"sync"

	"github.com/sigview/sigview/trace"
)

// Clock converts a time of a node's clock to node 0's, with a bound of the error.
type Clock interface {
	Convert(node int, at int64) (global, bound int64)
	// Ready reports whether what will be learned later does not change the conversion.
	Ready(node int, at int64) bool
	// Card reports whether the clock of a node's card is known, and FromCard converts a time of it to
	// the node's own clock.
	Card(node int) bool
	FromCard(node int, at int64) (own, bound int64)
	// Between returns how long a message took from card to card, by what each one's clock showed, if it is
	// known how far these are apart.
	Between(from, to int, sent, received int64) (ns, bound int64, known bool)
}

// oneClock is the Clock of ends on one host, which all read the same clock.
type oneClock struct{}

// Convert, Ready, Card, FromCard and Between implement Clock: all times are of one clock, and no card stamps.
func (oneClock) Convert(_ int, at int64) (int64, int64) { return at, 0 }
func (oneClock) Ready(int, int64) bool                  { return true }
func (oneClock) Card(int) bool                          { return false }
func (oneClock) FromCard(int, int64) (int64, int64)     { panic("live: no card") }
func (oneClock) Between(_, _ int, _, _ int64) (int64, int64, bool) {
	panic("live: no card")
}

// Probe is an exchange of two messages between node 0 and another one, by the kernels' stamps, in ns since 1970
// by each one's clock.
type Probe struct {
	Node     int
	Sent     int64 // the query, by node 0
	Arrived  int64 // the query, by the other node
	Answered int64 // the answer, by the other node
	Received int64 // the answer, by node 0
	// The same instants by the clocks of both cards, later than the kernel's when sending and earlier when
	// receiving. 0: there is no such stamp.
	CardSent, CardArrived, CardAnswered, CardReceived int64
}

// cards returns the stamps of a probe as two exchanges, each between a kernel and the card of the same node:
// a message that is sent goes from the kernel to the card, one that is received the other way. Both ways
// take 0 or more, so that each exchange bounds the offset between the two clocks.
func (p *Probe) cards() (own, other Probe) {
	return Probe{Sent: p.Sent, Arrived: p.CardSent, Answered: p.CardReceived, Received: p.Received},
		Probe{Sent: p.Answered, Arrived: p.CardAnswered, Answered: p.CardArrived, Received: p.Arrived}
}

// wire returns the stamps of a probe as an exchange between the two cards. Its round trip holds the wire
// alone.
func (p *Probe) wire() Probe {
	return Probe{Sent: p.CardSent, Arrived: p.CardArrived, Answered: p.CardAnswered, Received: p.CardReceived}
}

// roundTrip returns the time in ns that both messages were on their way: (T4-T1) - (T3-T2), with the other
// node's time T3-T2 corrected by the rate, in ns per ns, at which its clock gains. At 50 ppm that is 50 ns per
// millisecond.
func (p *Probe) roundTrip(rate float64) int64 {
	between := p.Answered - p.Arrived
	return p.Received - p.Sent - between + int64(float64(rate*float64(between)))
}

// Tracker follows the clocks of the other nodes by probes. In each window of time it takes the probes
// with the shortest round trips and fits a line to their offsets. A probe cannot see how much longer one
// way takes than the other. That is at most its round trip, so half of it is part of every bound.
type Tracker struct {
	mu    sync.Mutex
	peers []peerClock // by node
	cards []peerClock // by node: the clock of its card, and its own in place of node 0's
	wires []peerClock // by node: the clock of its card, and that of node 0's card
	taken uint64      // probes
	rivals
}

// peerClock is what is known of a node's clock. Invariant: fits do not overlap, and the probes of open come
// after the last of them.
type peerClock struct {
	open  []Probe // of the window that has not ended, in the order of time
	last  []Probe // of the window before
	fits  []fit   // in the order of time
	taken int     // probes
}

// fit is a line through the offsets of a node's clock from node 0's, in one window. At node 0's time t the
// offset is base + offset + rate*(t-at), within bound.
type fit struct {
	begin, end int64   // of the window, ns of node 0's clock
	at         int64   // weighted mean time of the probes, ns of node 0's clock
	base       int64   // ns: whole part of the offset, as that of a card may not fit into a float64 exactly
	offset     float64 // ns: the rest
	rate       float64 // ns per ns
	bound      float64 // ns: largest error in the window
	least      int64   // ns: shortest round trip
}

// windowNs is the length in ns of a window, in which one line holds. A clock that wanders by 0.1 ppm leaves it
// by 0.1 µs.
const windowNs = 5e9

// leastProbes is how many probes a line rests on at least.
const leastProbes = 4

// newTracker follows the clocks of nodes beside node 0. The estimators of package clock follow them
// too, for comparison.
func newTracker(nodes int) *Tracker {
	return &Tracker{peers: make([]peerClock, nodes), cards: make([]peerClock, nodes), wires: make([]peerClock, nodes), rivals: newRivals(nodes)}
}

// Add takes a probe. Those of a node come in the order of time.
func (t *Tracker) Add(p Probe) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ended := t.peers[p.Node].add(p); ended { // so that what is ready by the one line has the other too
		t.wires[p.Node].end()
	}
	if p.CardSent != 0 && p.CardArrived != 0 && p.CardAnswered != 0 && p.CardReceived != 0 {
		t.wires[p.Node].open = append(t.wires[p.Node].open, p.wire())
	}
	own, other := p.cards()
	if p.Node == 1 { // of node 0 one peer's suffice
		t.cards[0].addCard(own)
	}
	t.cards[p.Node].addCard(other)
	t.taken++
	t.rivals.add(p)
}

// add takes a probe, and reports whether it is the first one of a window.
func (k *peerClock) add(p Probe) (ended bool) {
	if ended = len(k.open) >= 2*leastProbes && p.Received-k.open[0].Sent > windowNs; ended {
		k.close()
	}
	k.open = append(k.open, p)
	k.taken++
	return ended
}

// end ends a window, unless too few probes are in it.
func (k *peerClock) end() {
	if len(k.open) >= leastProbes {
		k.close()
	}
}

// cut ends all windows, as far as there are probes.
func (t *Tracker) cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, all := range [][]peerClock{t.peers, t.cards, t.wires} {
		for i := range all {
			all[i].end()
		}
	}
}

// addCard takes an exchange with a card that has stamped both ways.
func (k *peerClock) addCard(p Probe) {
	if p.Arrived != 0 && p.Answered != 0 {
		k.add(p)
	}
}

// probes returns how many probes have been taken.
func (t *Tracker) probes() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken
}

// asymmetry is the largest time by which one way can take longer than the other without a probe's seeing
// it, ns.
func (t *Tracker) asymmetry() (most float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, k := range t.peers {
		if len(t.wires[i].fits) > 0 {
			k = t.wires[i]
		}
		for _, f := range k.fits {
			most = max(most, float64(f.least))
		}
	}
	return most
}

// Close ends the last window. A short one is joined with the one before.
func (t *Tracker) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, all := range [][]peerClock{t.peers, t.cards, t.wires} {
		for i := range all {
			all[i].finish()
		}
	}
}

// finish ends the last window.
func (k *peerClock) finish() {
	// Few probes at the end of a run would give a poor line: they share that of the window before.
	if n := len(k.fits); n > 0 && len(k.open) < 2*leastProbes {
		k.open = append(k.last, k.open...)
		k.fits = k.fits[:n-1]
	}
	if len(k.open) > 0 {
		k.close()
	}
}

// close ends a window with a line through its probes. There has to be one.
func (k *peerClock) close() {
	f := fit{begin: k.open[0].Sent, end: k.open[len(k.open)-1].Received}
	for range 2 { // the second time with the rate known
		f.line(k.best(&f))
	}
	k.fits = append(k.fits, f)
	// The old memory of last is used again.
	k.open, k.last = k.last[:0], k.open
}

// slots is the number of parts of a window, each of which gives one probe to the line. Otherwise the shortest
// round trips could lie close together and leave the rate open.
const slots = 10

// best returns the probe with the shortest round trip of each slot of the window, without those that take
// more than twice as long as the shortest, unless fewer than leastProbes would be left.
func (k *peerClock) best(f *fit) (best []Probe) {
	// max keeps a window of one instant from dividing by zero.
	slot := func(p *Probe) int64 { return (p.Received - f.begin) * slots / max(1, f.end-f.begin) }
	for i := range k.open {
		p := &k.open[i]
		if n := len(best); n > 0 && slot(&best[n-1]) == slot(p) {
			if p.roundTrip(f.rate) < best[n-1].roundTrip(f.rate) {
				best[n-1] = *p
			}
			continue
		}
		best = append(best, *p)
	}
	// A round trip twice as long as the shortest has met a queue.
	limit := 2 * shortest(best, f.rate)
	short := slices.DeleteFunc(slices.Clone(best), func(p Probe) bool { return p.roundTrip(f.rate) > limit })
	if len(short) < min(leastProbes, len(best)) {
		return best
	}
	return short
}

// shortest returns the shortest round trip of probes, in ns.
func shortest(all []Probe, rate float64) int64 {
	least := all[0].roundTrip(rate)
	for i := range all {
		least = min(least, all[i].roundTrip(rate))
	}
	return least
}

// line fits the line to the offsets of probes by weighted least squares. The offset of a probe is
// ((T2-T1) + (T3-T4)) / 2, its weight 1 / (1 + excess/usualExcess)^2, where excess is by how much its round trip
// exceeds the shortest. At its time the true offset is within half of its round trip, whatever has delayed it.
// So the bound holds at the times of probes, and in the whole window if the clocks drift evenly.
func (f *fit) line(probes []Probe) {
	first, rate := &probes[0], f.rate
	f.least, f.rate, f.bound = shortest(probes, rate), 0, 0
	middle := func(p *Probe) float64 { return float64(float64(p.Sent-first.Sent+p.Received-first.Sent) / 2) }
	base := first.Arrived - first.Sent // keeps the sums small
	rest := func(p *Probe) float64 {
		return float64(float64((p.Arrived-p.Sent-base)+(p.Answered-p.Received-base)) / 2)
	}
	weight := func(p *Probe) float64 {
		longer := 1 + float64(p.roundTrip(rate)-f.least)/usualExcess
		return 1 / (longer * longer)
	}
	var n, x, y float64
	for i := range probes {
		p, w := &probes[i], weight(&probes[i])
		n, x, y = n+w, x+float64(w*middle(p)), y+float64(w*rest(p))
	}
	x, y = x/n, y/n
	// The slope of weighted least squares: Σ w·dx·dy / Σ w·dx², about the weighted means x and y.
	var xx, xy float64
	for i := range probes {
		w, dx := weight(&probes[i]), middle(&probes[i])-x
		xx, xy = xx+float64(w*dx*dx), xy+float64(w*dx*(rest(&probes[i])-y))
	}
	// Probes at one instant leave the rate open: it stays 0.
	if xx > 0 {
		f.rate = xy / xx
	}
	f.at, f.base, f.offset = first.Sent+int64(x), base, y
	var all []sure
	for i := range probes {
		p := &probes[i]
		// How far the line is from the probe's offset, and how far that may be from the true one.
		off := math.Abs(rest(p) - y - float64(f.rate*(middle(p)-x)))
		all = append(all, sure{middle(p), off + float64(float64(p.roundTrip(rate))/2)})
		f.bound = max(f.bound, all[i].bound)
	}
	f.bound = max(f.bound, reach(all, float64(f.begin-first.Sent)), reach(all, float64(f.end-first.Sent)))
}

// sure is the largest error of the line, in ns, at the time of a probe, in ns since the first one.
type sure struct{ at, bound float64 }

// reach returns the largest error of the line at a time before or after all probes, in ns. The true line lies
// within the bounds of any two probes, so it may diverge from the fitted one by their sum between them; the
// pair that gives the least counts. With one probe it returns 0.
func reach(all []sure, at float64) float64 {
	least := math.Inf(1)
	for _, near := range all {
		for _, far := range all {
			if apart := math.Abs(far.at-at) - math.Abs(near.at-at); apart > 0 {
				// The two lines are within near.bound at near, and can diverge by near.bound+far.bound on the
				// way from far to near, so as much more for each such distance beyond.
				least = min(least, near.bound+float64((near.bound+far.bound)*math.Abs(near.at-at)/apart))
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// usualExcess is by how much a round trip usually exceeds the shortest on an idle host, in ns.
const usualExcess = 50

// convert returns the time of node 0's clock, in ns, at which the node's clock showed at. It inverts the line,
// which is a function of node 0's time.
func (f *fit) convert(at int64) int64 {
	// at = t + base + offset + rate*(t-f.at), solved for t-f.at.
	since := float64(at-f.at-f.base) - f.offset
	return f.at + int64(math.Round(since/(1+f.rate)))
}

// Convert implements Clock. Before the first line and after the last one they go on.
func (t *Tracker) Convert(node int, at int64) (global, bound int64) {
	if node == 0 {
		return at, 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.peers[node].convert(at)
}

// convert converts by the line of the window in which the time lies. Without a line nothing is known: the bound
// is so large that sums of it do not overflow.
func (k *peerClock) convert(at int64) (global, bound int64) {
	if len(k.fits) == 0 {
		return at, math.MaxInt64 / 4
	}
	i := len(k.fits) - 1 // most conversions are of late
	for i > 0 && k.fits[i].convert(at) < k.fits[i].begin {
		i--
	}
	f := &k.fits[i]
	return f.convert(at), int64(math.Ceil(f.bound))
}

// Ready implements Clock.
func (t *Tracker) Ready(node int, at int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	// A card's stamp waits for the card's line too.
	if k := &t.cards[node]; k.known() && (len(k.fits) == 0 || at > k.fits[len(k.fits)-1].end) {
		return false
	}
	if node == 0 {
		return true
	}
	fits := t.peers[node].fits
	// It lies in a window that has ended.
	return len(fits) > 0 && fits[len(fits)-1].convert(at) <= fits[len(fits)-1].end
}

// known reports whether enough probes have been taken for a line.
func (k *peerClock) known() bool { return k.taken >= leastProbes }

// Card implements Clock.
func (t *Tracker) Card(node int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cards[node].known()
}

// FromCard implements Clock.
func (t *Tracker) FromCard(node int, at int64) (own, bound int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cards[node].convert(at)
}

// Between implements Clock. Seconds of cards differ by secondsDiffer at most.
func (t *Tracker) Between(from, to int, sent, received int64) (ns, bound int64, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var sure [2]int64
	for i, x := range []struct {
		node int
		at   *int64
	}{{from, &sent}, {to, &received}} {
		if x.node == 0 {
			continue
		}
		k := &t.wires[x.node]
		if len(k.fits) == 0 {
			return 0, 0, false
		}
		*x.at, sure[i] = k.convert(*x.at)
	}
	// Both by node 0's card now.
	ns = received - sent
	return ns, sure[0] + sure[1] + max(ns, -ns)/secondsDiffer, true
}

// secondsDiffer bounds how much the rates of two cards differ: by 1/secondsDiffer, 100 ppm.
const secondsDiffer = 10_000

// rows returns the lines as rows of the table of clocks, with times since origin, in ns of node 0's clock.
func (t *Tracker) rows(origin int64) (out []trace.ClockRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for node := range t.peers {
		out = append(out, t.peers[node].rows(estimatorLines, node, origin)...)
	}
	for node := range t.cards {
		out = append(out, t.cards[node].rows(estimatorCard, node, origin)...)
	}
	for node := range t.wires {
		// Times of node 0's card become times of its system's clock.
		rows := t.wires[node].rows(estimatorWire, node, 0)
		for i := range rows {
			rows[i].TimeNs, _ = t.cards[0].convert(rows[i].TimeNs)
			rows[i].TimeNs -= origin
		}
		out = append(out, rows...)
	}
	return append(out, t.rivals.rows(origin)...)
}

// rows returns a row for each line. The residual is by how much a line differs from where the one before would
// have gone, in ns.
func (k *peerClock) rows(estimator string, node int, origin int64) (out []trace.ClockRow) {
	var last *fit
	for i := range k.fits {
		f := &k.fits[i]
		row := trace.ClockRow{
			Estimator: estimator, Round: int64(i), Node: int64(node), TimeNs: f.at - origin, OffsetNs: float64(f.base) + f.offset,
			RatePPB: trace.Some(f.rate * 1e9), BoundNs: trace.Some(f.bound),
		}
		if last != nil {
			row.ResidualNs = trace.Some(float64(f.base-last.base) + f.offset - last.offset - float64(last.rate*float64(f.at-last.at)))
		}
		out, last = append(out, row), f
	}
	return out
}

// estimatorLines is the name of the lines through the probes with the shortest trips, estimatorCard of those for
// the clock of a node's card, against the node's own, and estimatorWire against that of node 0's card.
const (
	estimatorLines = "lines"
	estimatorCard  = "card"
	estimatorWire  = "wire"
)
