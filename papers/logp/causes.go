package logp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/papers/judge"
)

// assessCauses holds the rows of what sets the parameters (logp, section 3.3;
// grim, section 2.1).
func (r *rows) assessCauses(a *assessment) {
	r.Versus("logp-b-meiko-uncached", string(fastWords), a.wordsLimit(meiko), "the same on myrinet, whose messages lie in the card", a.wordsLimit(myrinet))
	r.Versus("logp-b-ni-latency", string(hostRoutes), a.routesMoved(unchanged, hostRoutes), "the same with an interface processor of ten times the clock", a.routesMoved(tenfoldCard, hostRoutesFastCard))
	r.Versus("logp-b-readdress", string(hostRoutes)+" on both SPARCstations", a.tradeOff(unchanged, hostRoutes), "stores to the card that cost nothing", a.tradeOff(freeBus, hostRoutesFreeBus))

	o := func(f figures) float64 { return f.sum() }
	l := func(f figures) float64 { return f.l }
	r.Versus("logp-attr-o", "library and bus twice as slow", a.moved(o, slowLibrary, farCard), "interface processor and links slower", a.moved(o, slowCard, slowLinks))
	r.Versus("logp-attr-L", "interface processor, links and switches slower", a.moved(l, slowCard, slowLinks, slowSwitches), string(slowLibrary), a.moved(l, slowLibrary))
	r.Versus("logp-attr-g", "host, card and link made the slowest in turn", a.slowest(), "library twice as slow, which is not the slowest", a.moved(func(f figures) float64 { return f.g }, slowLibrary))
}

// wordsLimit tells whether the gap halves when words take no time across the
// bus.
func (a *assessment) wordsLimit(name string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		now, err := a.of(ctx, name, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		fast, err := a.of(ctx, name, fastWords)
		return holds(fast.g < now.g/2, "g %.2f instead of %.2f µs", fast.g, now.g), err
	}
}

// routesMoved tells whether L falls and o_s rises when the host looks ways up.
func (a *assessment) routesMoved(without, with change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		card, err := a.of(ctx, myrinet, without)
		if err != nil {
			return judge.Measured{}, err
		}
		host, err := a.of(ctx, myrinet, with)
		return holds(host.l < card.l-0.5 && host.os > card.os+0.2, "L %+.2f µs, o_s %+.2f", host.l-card.l, host.os-card.os), err
	}
}

// tradeOff tells whether the same move lowers the time of a message on one
// machine and raises it on the other, whose bus is slower.
func (a *assessment) tradeOff(without, with change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		var d [2]float64
		for i, name := range []string{myrinet, myrinet10} {
			card, err := a.trips(machine{name, without})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			host, err := a.trips(machine{name, with})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			d[i] = (host.mean - card.mean) / 2
		}
		return holds(d[0] < 0 && d[1] > 0, "half a round trip %+.2f µs on myrinet, %+.2f on myrinet10", d[0], d[1]), nil
	}
}

// moved tells whether each of these changes moves a figure of Myrinet by more
// than a tenth.
func (a *assessment) moved(of func(figures) float64, cs ...change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		now, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		least := math.Inf(1)
		text := ""
		for _, c := range cs {
			f, err := a.of(ctx, myrinet, c)
			if err != nil {
				return judge.Measured{}, err
			}
			d := of(f)/of(now) - 1
			least = min(least, math.Abs(d))
			text += fmt.Sprintf(", %s: %+.0f %%", c, 100*d)
		}
		return holds(least > 0.1, "%s", text[2:]), nil
	}
}

// slowest tells whether the gap is the time of the slowest stage, whichever that
// is: the interface, the host when it takes longer, the link when that does.
func (a *assessment) slowest() judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		card, err := a.of(ctx, myrinet, slowCard)
		if err != nil {
			return judge.Measured{}, err
		}
		now, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		host, err := a.pair(machine{myrinet, slowHost})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		link, err := a.of(ctx, myrinet, slowLinks)
		if err != nil {
			return judge.Measured{}, err
		}
		s, err := a.subject(ctx, machine{myrinet, slowLinks})
		if err != nil {
			return judge.Measured{}, err
		}
		k := s.Profile.GAM
		wire := s.Profile.Network.LinkRate.Time(k.Firmware.HeaderBytes + 16).Us() // the words of a message
		hostG := host.Curves[0].AsymptoteUs.Value
		sum := host.Os.Value + host.Or.Value
		return holds(near(card.g, 2*now.g, 0.05) && near(hostG, sum, 0.05) && near(link.g, wire, 0.1),
			"card of half the clock: g %.1f after %.1f; slow host: %.1f of o_s + o_r %.1f; slow links: %.1f of %.1f on the wire", card.g, now.g, hostG, sum, link.g, wire), nil
	}
}
