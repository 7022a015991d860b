package grim

import (
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// apart is a gap in which all that a message causes ends.
const apart = sim.Millisecond

// transfers adds the transfers between a card and its host that the control program starts
// (Tables 5.2 and 5.3), and the path of an active message, of which they are a part.
func (r *rows) transfers() {
	const what = "transfers of a control program whose other steps take no time"
	for card, on := range cards {
		measure := func(id string, x transfer) {
			r.Of("grim-"+id+"-"+card, what, judge.Run(func(s *judge.Session) judge.Measured {
				x.on = on
				return judge.Value(r.transfer(s, x), "median of %d", x.times())
			}), "from the start of the engine until the program handles the end")
		}
		for id, x := range map[string]transfer{
			"t52-dma32":  {face: active, bytes: 32},
			"t52-dma64k": {face: active, bytes: nearlyMTU},
			"t52-ptrdma": {face: active, bytes: 32, skip: 1},
			"t53-xreq":   {face: virtual, bytes: 4, fresh: true},
			"t53-pay4":   {face: virtual, bytes: 4},
			"t53-pay64k": {face: virtual, bytes: nearlyMTU, all: true},
		} {
			measure(id, x)
		}
		r.Of("grim-am-crit-"+card, "steps, and "+what, judge.Run(func(s *judge.Session) judge.Measured {
			f := &loaded(on).GRIM.Firmware
			steps := (f.Detect + f.SetValues + f.Decode + f.Sequence + f.Capacity + f.Pointer).Us()
			data, pointer := r.transfer(s, transfer{on: on, face: active, bytes: 32}), r.transfer(s, transfer{on: on, face: active, bytes: 32, skip: 1})
			return judge.Value(steps+data+pointer, "steps %.1f, message %.2f, pointer %.2f", steps, data, pointer)
		}))
	}
}

// transfer is one of those that a message causes at its receiver.
type transfer struct {
	on    string
	face  face
	bytes int
	fresh bool
	skip  int  // transfers of the message before it
	all   bool // it, and those of the message behind it
}

// times is how often a transfer is measured: its set-up, which varies, matters in short ones.
func (t transfer) times() int {
	if t.bytes < host.PageBytes {
		return 400
	}
	return 20
}

// transfer returns the time of a transfer, µs.
func (r *rows) transfer(s *judge.Session, t transfer) float64 {
	w := walk{roundTrip: roundTrip{on: t.on, face: t.face, mode: stored}, gap: apart, fresh: t.fresh, bare: true}
	for range t.times() + 1 {
		w.sizes = append(w.sizes, t.bytes)
	}
	x := r.follow(s, w)
	var all []float64
	for k := range t.times() {
		moves := x.of(k + 1)[t.skip:] // the first message has translations of its own
		if !t.all {
			moves = moves[:1]
		}
		us := 0.0
		for _, m := range moves {
			us += m.took.Us()
		}
		all = append(all, us)
	}
	return middle(all)
}
