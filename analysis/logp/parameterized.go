package logp

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Search are the constants of the fast measurement of parameterized LogP (plogp,
// section 3). Published says which of them the paper gives.
type Search struct {
	Epsilon      float64 `json:"epsilon" range:"0<..1"`      // accuracy of gaps, means and extrapolations
	Departure    float64 `json:"departure" range:"0..10"`    // accuracy of extrapolations to sizes between; 0: epsilon
	FirstTrain   int     `json:"first_train" range:"1..1e6"` // messages
	MostTrain    int     `json:"most_train" range:"first_train..1e9"`
	ShortTrains  bool    `json:"short_trains"` // trains end when the gap settles, however short they are
	LeastRounds  int     `json:"least_rounds" range:"2..1e6"`
	MostSmall    int     `json:"most_small" range:"least_rounds..1e6"` // rounds of messages shorter than large_bytes
	MostLarge    int     `json:"most_large" range:"least_rounds..1e6"`
	LargeBytes   int     `json:"large_bytes" range:"1..1e9"`
	Expected     bool    `json:"expected"`                           // o_r is of messages whose receive is posted before they arrive
	Wait         float64 `json:"wait" range:"1<..100"`               // before the receive that is timed, in round trips
	Exponent     int     `json:"exponent" range:"2..22"`             // 2 to this is the largest of the first sizes
	MostExponent int     `json:"most_exponent" range:"exponent..22"` // of sizes that are added beyond
	LeastStep    int     `json:"least_step" range:"1..1e9"`          // between two sizes, bytes
}

// Published returns the paper's constants. It gives no figure for the longest train and where
// sizes end, which are assumed, nor for the fewest rounds, the boundary between small and
// large messages, and how much the wait exceeds a round trip. These are those of the authors'
// program of 2003, logp_mpi (https://www.cs.vu.nl/pub/kielmann). The paper's
// average error, below which rounds end, is not defined: half of the interval of 95 % is assumed.
func Published() Search {
	return Search{
		Epsilon: 0.01, FirstTrain: 10, MostTrain: 1 << 20,
		LeastRounds: 3, MostSmall: 60, MostLarge: 15, LargeBytes: 1025, Wait: 1.2,
		Exponent: 18, MostExponent: 22, LeastStep: 32,
	}
}

// Mirror takes the samples of the method. Times are in µs, sizes in bytes; size 0 is an
// empty message.
type Mirror interface {
	// Train sends n messages and receives one empty reply. It returns the time of the
	// sends, and of all.
	Train(bytes, n int) (sends, roundTrip float64, err error)
	// Ready waits until the mirror is ready for round trips of a size.
	Ready(bytes int) error
	// There sends a message and receives an empty reply. It returns the time of the
	// send, and of both.
	There(bytes int) (send, roundTrip float64, err error)
	// Back sends an empty message, waits, and receives the reply. It returns the time of
	// the receive.
	Back(bytes int, wait float64) (receive float64, err error)
}

// Sized is what was measured of one message size, in µs, with the gap that follows: g(m) = RTT(m) − RTT(0) +
// g(0).
type Sized struct {
	Bytes       int
	Os, Or, RTT Mean
	G           Estimate
	Rounds      int
}

// First reports whether the size is one of those that are measured first, whatever the figures are: 0 or a
// power of two.
func (s Sized) First() bool { return First(s.Bytes) }

// First reports whether a size is one of those that are measured first: 0 or a power of two.
func First(bytes int) bool { return bytes&(bytes-1) == 0 }

// Parameterized is the result of the method: parameters as functions of message size. The
// first size is that of an empty message.
type Parameterized struct {
	G0, L    Estimate // µs
	Trains   []int    // messages of each train
	Sizes    []Sized  // in order
	Warnings []string
	g0, l    reading
}

// Measure measures the gap of empty messages by trains, and each size by round trips: empty messages and those
// of least bytes or more, least being the shortest message of the layer. It returns the errors of m.
func (s Search) Measure(m Mirror, least int) (*Parameterized, error) {
	f := fast{Search: s, mirror: m, known: map[int]*Sized{}, out: &Parameterized{}}
	if err := f.trains(); err != nil {
		return nil, err
	}
	err := f.sizes(least)
	return f.out, err
}

// fast is a measurement in progress. known holds the sizes that have been measured.
type fast struct {
	Search
	mirror Mirror
	known  map[int]*Sized
	empty  reading // RTT(0)
	out    *Parameterized
}

// warn adds a warning.
func (f *fast) warn(format string, args ...any) {
	f.out.Warnings = append(f.out.Warnings, fmt.Sprintf(format, args...))
}

// trains measures g(0), the gap of empty messages.
func (f *fast) trains() error {
	gap, trains, err := f.saturate(f.mirror, 0)
	if f.out.g0, f.out.Trains = gap, trains; err != nil {
		return err
	}
	f.out.G0 = gap.estimate("g(0) is negative")
	if trains[len(trains)-1] >= f.MostTrain {
		f.warn("g(0) still changed with a train of %d messages", f.MostTrain)
	}
	return nil
}

// saturate doubles trains until the gap per message changes by no more than epsilon, and a round trip of one
// message is no more than epsilon of the train's. It returns the gap, whose half width is the last change, and
// the lengths of the trains.
func (s Search) saturate(m Mirror, bytes int) (reading, []int, error) {
	_, alone, err := m.Train(bytes, 1)
	if err != nil {
		return reading{}, nil, err
	}
	if s.ShortTrains {
		alone = 0
	}
	last := math.Inf(1)
	var trains []int
	for n := s.FirstTrain; ; n *= 2 {
		n = min(n, s.MostTrain)
		sends, roundTrip, err := m.Train(bytes, n)
		if err != nil {
			return reading{}, nil, err
		}
		trains = append(trains, n)
		gap := sends / float64(n)
		change := math.Abs(gap - last)
		if n > s.FirstTrain && change <= float64(s.Epsilon*last) && alone < float64(s.Epsilon*roundTrip) || n == s.MostTrain {
			return reading{gap, min(change, gap)}, trains, nil
		}
		last = gap
	}
}

// Saturate measures the gap of messages of a size by trains alone, in µs: the method that the fast one is
// compared with (plogp, section 4). The paper gives its rule for empty messages; that it is the same for others
// is assumed.
func (s Search) Saturate(m Mirror, bytes int) (Estimate, error) {
	gap, _, err := s.saturate(m, bytes)
	return gap.estimate("g is negative"), err
}

// sizes measures all sizes: powers of two, larger ones while the gap departs from a line, and sizes between
// where a parameter does. L = RTT(0)/2 − g(0).
func (f *fast) sizes(least int) error {
	if _, err := f.measure(0); err != nil {
		return err
	}
	f.out.l = f.empty.minus(f.out.g0.times(2)).times(0.5)
	f.out.L = f.out.l.estimate("L is negative: twice g(0) exceeds the round trip of empty messages")
	sizes := []int{0}
	for k := range f.Exponent + 1 {
		if n := 1 << k; n >= least {
			sizes = append(sizes, n)
		}
	}
	sizes, err := f.extend(sizes)
	if err != nil {
		return err
	}
	for i := 2; i < len(sizes); i++ {
		if err := f.halve(sizes[i-2], sizes[i-1], sizes[i]); err != nil {
			return err
		}
	}
	for _, n := range f.known {
		f.out.Sizes = append(f.out.Sizes, *n)
	}
	slices.SortFunc(f.out.Sizes, func(a, b Sized) int { return a.Bytes - b.Bytes })
	return nil
}

// extend measures sizes, and doubles the last one until its gap lies on the line through the gaps of the two
// sizes before. It returns all sizes.
func (f *fast) extend(sizes []int) ([]int, error) {
	for _, n := range sizes {
		if _, err := f.measure(n); err != nil {
			return nil, err
		}
	}
	for {
		last := sizes[len(sizes)-3:]
		at, err := f.points(last[0], last[1], last[2])
		if err != nil || fits(at, gapOf, f.Epsilon) {
			return sizes, err
		}
		if last[2] >= 1<<f.MostExponent {
			f.warn("g(m) still departs from a line at %d B", last[2])
			return sizes, nil
		}
		sizes = append(sizes, 2*last[2])
	}
}

// halve measures the size in the middle between b and c, and so on in both halves, until g, o_s and o_r at the
// last of three neighbouring sizes lie on the line through the two before, or the sizes are LeastStep apart.
func (f *fast) halve(a, b, c int) error {
	at, err := f.points(a, b, c)
	if err != nil || float64(c-b) <= max(float64(f.LeastStep), f.Epsilon*float64(c)) {
		return err
	}
	off := cmp.Or(f.Departure, f.Epsilon)
	if at[2].G.OK() && fits(at, gapOf, off) && fits(at, sendOf, off) && fits(at, receiveOf, off) {
		return nil
	}
	middle := (b + c) / 2
	if err := f.halve(a, b, middle); err != nil {
		return err
	}
	return f.halve(b, middle, c)
}

func gapOf(s *Sized) float64     { return s.G.Value }
func sendOf(s *Sized) float64    { return s.Os.Value }
func receiveOf(s *Sized) float64 { return s.Or.Value }

// fits reports whether the value of the last of three sizes lies on the line through the other two, within off
// of the line's value.
func fits(at [3]*Sized, of func(*Sized) float64, off float64) bool {
	slope := (of(at[1]) - of(at[0])) / float64(at[1].Bytes-at[0].Bytes)
	line := of(at[1]) + float64(slope*float64(at[2].Bytes-at[1].Bytes))
	return math.Abs(of(at[2])-line) <= off*math.Abs(line)
}

// points returns three sizes with their samples.
func (f *fast) points(sizes ...int) (at [3]*Sized, err error) {
	for i, n := range sizes {
		if at[i], err = f.measure(n); err != nil {
			return at, err
		}
	}
	return at, nil
}

// measure returns the samples of a size. It takes them if they are not known: rounds until all means are
// accurate to epsilon, or as many as the size is given.
func (f *fast) measure(n int) (*Sized, error) {
	if x := f.known[n]; x != nil {
		return x, nil
	}
	if err := f.mirror.Ready(n); err != nil {
		return nil, err
	}
	most := f.MostSmall
	if n >= f.LargeBytes {
		most = f.MostLarge
	}
	x := &Sized{Bytes: n}
	enough := Enough{Batch: most, Relative: f.Epsilon, MaxBatches: 1}
	os, or, rtt := NewSampler(enough), NewSampler(enough), NewSampler(enough)
	accurate := func() bool { return os.accurate() && or.accurate() && rtt.accurate() }
	for x.Rounds < f.LeastRounds || x.Rounds < most && !accurate() {
		send, roundTrip, err := f.mirror.There(n)
		if err != nil {
			return nil, err
		}
		os.Add(send)
		rtt.Add(roundTrip)
		receive, err := f.mirror.Back(n, float64(f.Wait*rtt.Mean().Value))
		if err != nil {
			return nil, err
		}
		or.Add(receive)
		x.Rounds++
	}
	x.Os, x.Or, x.RTT = os.Mean(), or.Mean(), rtt.Mean()
	if n == 0 {
		f.empty = x.RTT.reading()
	}
	x.G = x.RTT.reading().minus(f.empty).plus(f.out.g0).estimate("g is negative: RTT(m) is shorter than RTT(0) by more than g(0)")
	if n == 0 {
		x.G = f.out.G0
	}
	f.known[n] = x
	return x, nil
}

// LogP returns the parameters of LogP for the shortest message that is not empty (plogp, Table 1): L of LogP is
// L + g(m) − o_s − o_r. RTT is its round trip with an empty reply.
func (p *Parameterized) LogP() Params {
	one := p.Sizes[0]
	if len(p.Sizes) > 1 {
		one = p.Sizes[1]
	}
	out := one.params(p.L)
	l := p.l.plus(reading{one.G.Value, (one.G.Hi - one.G.Lo) / 2}).minus(one.Os.reading()).minus(one.Or.reading())
	if out.L = p.L; p.L.OK() && one.G.OK() {
		out.L = l.estimate("L is negative: the overheads exceed L + g")
	}
	return out
}

// Params returns the parameters of each size, in their order. L is that of the method, and the same for all.
func (p *Parameterized) Params() []Params {
	var out []Params
	for _, s := range p.Sizes {
		out = append(out, s.params(p.L))
	}
	return out
}

// params returns the parameters of one size with a given L.
func (s Sized) params(l Estimate) Params {
	return Params{Os: s.Os.Estimate("o_s"), Or: s.Or.Estimate("o_r"), L: l, G: s.G, RTT: s.RTT.Estimate("RTT")}
}
