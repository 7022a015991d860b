package rebuild

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/sigview/sigview/trace"
)

// ns is a nanosecond in ps.
const ns = 1000

// usual is the time that a service takes when nothing is in its way, by size: the baseline
// of the stage that it fills. Without one it is the median of the packets of which no record
// shows anything else; without enough of them, the lower quartile of all; without enough
// packets of a size, that of packets of about the size.
type usual struct {
	base  baseline
	sizes map[int]*times
	known map[int]int64 // by size, once asked for
	less  int64         // of the stage's baseline is no part of the service
}

// baseline is the time of a stage on idle nodes in ps, by the upper end of a size bin in bytes.
type baseline struct{ ends, times []int64 }

// baselineOf returns the baseline of a stage.
func baselineOf(rows []trace.SignatureRow, stage trace.Stage) (b baseline) {
	for _, r := range rows {
		if r.Stage == stage && r.Kind == trace.AllKinds && !r.First.OK && r.BySizeNs.OK && !slices.Contains(b.ends, r.SizeHiBytes) {
			b.ends = append(b.ends, r.SizeHiBytes)
			b.times = append(b.times, int64(ns*r.BySizeNs.Value))
		}
	}
	return b
}

// of returns the time of the bin that holds a size, and false if there is none.
func (b baseline) of(size int) (t int64, known bool) {
	// Ends are in the order of the rows: the bin of a size is the one with the least end that holds it.
	best := -1
	for i, end := range b.ends {
		if end >= int64(size) && (best < 0 || end < b.ends[best]) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	return b.times[best], true
}

// usualOf returns the usual time of a stage, with the baseline of the signature if it has one.
func usualOf(rows []trace.SignatureRow, stage trace.Stage) *usual {
	return &usual{baselineOf(rows, stage), map[int]*times{}, map[int]int64{}, 0}
}

// times are those of packets of one size, in ps: of all, and of those with nothing in their way.
type times struct{ quiet, all []int64 }

// enough is the number of packets from which on their times give a usual time.
const enough = 20

// about returns the class of a size: sizes within a factor of two have the same. It is negative.
func about(size int) int { return -1 - bits.Len(uint(size)) }

// add adds the time in ps of a packet, quiet if no record shows anything in its way.
func (u *usual) add(size int, t int64, quiet bool) {
	for _, class := range [...]int{size, about(size)} {
		x := u.sizes[class]
		if x == nil {
			x = &times{}
			u.sizes[class] = x
		}
		x.all = append(x.all, t)
		if quiet {
			x.quiet = append(x.quiet, t)
		}
	}
}

// of returns the usual time of packets of a size, of which there is one at least. All
// packets have been added.
func (u *usual) of(size int) int64 {
	t, asked := u.known[size]
	if !asked {
		t = u.find(size)
		u.known[size] = t
	}
	return t
}

// find computes what of returns.
func (u *usual) find(size int) int64 {
	// The baseline is that of a whole stage, a part of which may be no service.
	if t, known := u.base.of(size); known {
		return max(t-u.less, 0)
	}
	x := u.sizes[size]
	if x == nil || len(x.all) < enough {
		x = u.sizes[about(size)]
	}
	if len(x.quiet) >= enough {
		slices.Sort(x.quiet)
		// Nothing delayed these: the median is the time alone.
		return x.quiet[len(x.quiet)/2]
	}
	slices.Sort(x.all)
	// Something may have delayed most of these: the lower quartile is nearer to the time alone.
	return x.all[len(x.all)/4]
}

// least returns the usual time of the size where it is shortest.
func (u *usual) least() int64 {
	times := slices.Collect(maps.Values(u.all()))
	if len(times) == 0 {
		return 0
	}
	return slices.Min(times)
}

// all returns the usual times of all sizes, of which all packets have been added.
func (u *usual) all() map[int]int64 {
	for size := range u.sizes {
		if size >= 0 { // no class of sizes
			u.of(size)
		}
	}
	return u.known
}

// transfers sets the usual times of transfers to those of the rules, if there are any.
func (b *builder) transfers() {
	if b.rules != nil {
		maps.Copy(b.fetches.known, b.rules.fetches)
		maps.Copy(b.deposits.known, b.rules.deposits)
	}
}

// travels returns the part of Net that all packets to a receiver have: that of the quickest size. If the rules know the
// receiver, it sets the times of all sizes to theirs.
func (b *builder) travels(received []*packet, net *usual) int64 {
	if len(received) == 0 {
		return 0
	}
	to := received[0].receiver
	if b.rules != nil && b.rules.ways[to].times != nil {
		maps.Copy(net.known, b.rules.ways[to].times)
		return b.rules.ways[to].least
	}
	b.ways[to] = way{net.all(), net.least()}
	if b.paces[to] > 0 {
		b.unlike(received, net)
	}
	return b.ways[to].least
}

// unlike sets the times in the network to a receiver whose processor is slow to those to others, but for the work of its processor.
func (b *builder) unlike(received []*packet, net *usual) {
	for _, p := range received {
		var others []int64
		for to, w := range b.ways {
			if t, known := w.times[p.size]; known && b.paces[to] == 0 {
				others = append(others, t)
			}
		}
		if at := (stamp{p.t5, p, arrived}); len(others) > 0 {
			slices.Sort(others)
			net.known[p.size] = others[(len(others)-1)/2] + b.ahead(at) - b.before.of(at)
		}
	}
}

// quickest returns the least time that packets take from one instant to another, in ps, which begin when the one before has
// ended, by a key, where there are enough of them: what is longer than usual then is no waiting. The packets are in the order of
// their ends.
func quickest[K comparable](all []*packet, key func(*packet) K, from, to func(*packet) int64) map[K]int64 {
	least, count, last := map[K]int64{}, map[K]int{}, int64(0)
	for _, p := range all {
		if k, t := key(p), to(p)-from(p); from(p) >= last && !p.lost {
			if count[k]++; count[k] == 1 || t < least[k] {
				least[k] = t
			}
		}
		last = max(last, to(p))
	}
	for k, n := range count {
		if n < enoughQuiet {
			delete(least, k)
		}
	}
	return least
}

// enoughQuiet is the number of packets from which on the quickest was in nobody's way.
const enoughQuiet = 5
