package grim

import "github.com/sigview/sigview/papers/judge"

// rivals adds what the study says of GRIM beside the other layers.
func (r *rows) rivals() {
	r.Of("grim-gm-all-better", "round trips of GRIM by RM-P and of GM", judge.Run(func(s *judge.Session) judge.Measured {
		var claims []judge.Claim
		for _, on := range []string{p3L4, p3L9, p4L4, p4L9} {
			g := other{platform: on, layer: "gm"}
			claims = append(claims, judge.Below(judge.Fig("GRIM's latency on "+on, r.us(s, short(on))), judge.Fig("GM's", r.latency(s, g)), 0))
			if on != p4L9 { // a tie
				claims = append(claims, judge.Above(judge.Fig("GRIM's bandwidth on "+on, r.own(s, on)), judge.Fig("GM's", r.bandwidth(s, g)), 0))
			}
		}
		return judge.All(claims...)
	}))
	r.Versus("grim-gm-l4", "round trips of GRIM by RM-P and of GM", r.advantage(false), "GM with its optimizations on the LANai 4", r.advantage(true))
	r.Of("grim-rank-lat", "round trips of GRIM by RM-P and of the others", judge.Run(func(s *judge.Session) judge.Measured {
		us := func(id string) judge.Figure { return judge.Fig(id, r.latency(s, reported[id])) }
		own, rate := judge.Fig("GRIM", r.us(s, short(p3L4))), judge.Fig("GRIM", r.own(s, p3L4))
		claims := []judge.Claim{
			judge.Above(rate, judge.Fig("fm", r.bandwidth(s, reported["fm"])), 0),
			judge.Below(rate, judge.Fig("trapeze", r.bandwidth(s, reported["trapeze"])), 0),
		}
		for _, id := range []string{"am", "bip", "fm", "lfc"} {
			claims = append(claims, judge.Above(own, us(id), 0))
		}
		for _, id := range []string{"amii", "trapeze"} {
			claims = append(claims, judge.Below(own, us(id), 0))
		}
		return judge.All(claims...)
	}))
}

// advantage compares GRIM and GM on the Pentium III with both cards.
func (r *rows) advantage(whole bool) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		old, young := other{platform: p3L4, layer: "gm", whole: whole}, other{platform: p3L9, layer: "gm"}
		return judge.All(
			judge.Below(judge.Fig("GRIM's latency by GM's with LANai 4", r.us(s, short(p3L4))/r.latency(s, old)),
				judge.Fig("with LANai 9", r.us(s, short(p3L9))/r.latency(s, young)), 0),
			judge.Above(judge.Fig("GRIM's bandwidth by GM's with LANai 4", r.own(s, p3L4)/r.bandwidth(s, old)),
				judge.Fig("with LANai 9", r.own(s, p3L9)/r.bandwidth(s, young)), 0))
	})
}

func short(on string) roundTrip { return roundTrip{on: on, face: physical, bytes: 4} }

// own returns GRIM's bandwidth by RM-P, MB/s.
func (r *rows) own(s *judge.Session, on string) float64 {
	v, _ := r.highest(s, roundTrip{on: on, face: physical})
	return v
}
