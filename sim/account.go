package sim

import (
	"math"
	"math/bits"
	"slices"
)

// Account makes the pool keep what each flow that starts from now on loses to others; see
// Flow.Losses.
func (p *Pool) Account() { p.accounts = true }

// Taken sets the owner to whom flows lose the part of capacity i that SetCapacity has taken away.
func (p *Pool) Taken(i int, owner uint32) { p.caps[i].taker = owner }

// account is what a flow has lost since it was started or resumed. Invariant: the losses up to since are in it.
type account struct {
	began  Time
	since  Time  // charged up to here
	full   Rate  // rate alone, with whole capacities
	left   units // when it began
	losses []loss
}

// loss is time lost at one capacity to one owner.
type loss struct {
	capacity int
	owner    uint32
	time     float64 // ps
}

// open begins the account of a flow that starts or is resumed.
func (p *Pool) open(f *Flow) {
	if f.account == nil {
		f.account = &account{}
	}
	a := f.account
	a.began, a.since, a.left, a.losses = p.engine.Now(), p.engine.Now(), f.left, a.losses[:0]
	a.full = f.limit
	for m := f.uses; m != 0; m &= m - 1 {
		a.full = min(a.full, p.caps[bits.TrailingZeros32(m)].most)
	}
}

// charge brings the accounts up to now. At rate r a flow loses the share 1 − r/full of the time
// since its account was last charged.
func (p *Pool) charge() {
	for _, f := range p.flows {
		a := f.account
		if a == nil {
			continue
		}
		d := p.engine.Now().Sub(a.since)
		a.since = p.engine.Now()
		if d > 0 && f.rate < a.full && a.full != Infinite {
			p.split(f, float64(d)*(1-float64(f.rate)/float64(a.full)))
		}
	}
}

// split divides the time lost by f among those that used the capacity that limits f: the other
// flows in proportion to their rates, and the taker in proportion to the rate that it has taken.
func (p *Pool) split(f *Flow, lost float64) {
	i := p.tightest(f)
	c := &p.caps[i]
	taken := float64(c.most - c.rate)
	sum := taken
	p.others(f, i, func(g *Flow) { sum += float64(g.rate) })
	if sum == 0 {
		return
	}
	f.account.add(i, c.taker, lost*taken/sum)
	p.others(f, i, func(g *Flow) { f.account.add(i, g.Owner, lost*float64(g.rate)/sum) })
}

// others calls do for each running flow but f that uses the capacity.
func (p *Pool) others(f *Flow, capacity int, do func(g *Flow)) {
	for _, g := range p.flows {
		if g != f && g.uses>>capacity&1 != 0 {
			do(g)
		}
	}
}

// tightest returns the capacity that limits f. At each of its capacities f could get what the
// others leave, or as much as the fastest of them; f is limited by the capacity where this is
// least.
func (p *Pool) tightest(f *Flow) int {
	best, least := 0, Infinite
	for m := f.uses; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		room, fastest := p.caps[i].rate, Rate(0)
		p.others(f, i, func(g *Flow) {
			room -= min(room, g.rate)
			fastest = max(fastest, g.rate)
		})
		if most := max(room, fastest); most < least {
			best, least = i, most
		}
	}
	return best
}

// add enters a loss of time, in picoseconds, at a capacity to an owner. Losses of the same pair add
// up.
func (a *account) add(capacity int, owner uint32, time float64) {
	if time <= 0 {
		return
	}
	i := slices.IndexFunc(a.losses, func(l loss) bool { return l.capacity == capacity && l.owner == owner })
	if i < 0 {
		i = len(a.losses)
		a.losses = append(a.losses, loss{capacity: capacity, owner: owner})
	}
	a.losses[i].time += time
}

// Losses reports the time that f, which has ended or is paused, has lost to each owner at each capacity since
// it was started or resumed. The time that its bytes take alone and all losses sum to the whole time: the
// losses are scaled to what is left of it, and rounded as a running sum.
func (f *Flow) Losses(report func(capacity int, owner uint32, d Duration)) {
	a := f.account
	if a == nil || len(a.losses) == 0 {
		return
	}
	total := a.since.Sub(a.began) - a.left.minus(f.left).end(0, a.full).Sub(0)
	var all, sum float64
	for _, l := range a.losses {
		all += l.time
	}
	var reported Duration
	for _, l := range a.losses {
		sum += l.time
		if d := Duration(math.Round(sum/all*float64(total))) - reported; d > 0 {
			report(l.capacity, l.owner, d)
			reported += d
		}
	}
}
