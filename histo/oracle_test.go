package histo

import (
	"math"
	"math/big"
	"slices"

	"github.com/sigview/sigview/trace"
)

// record is one call of Record at one node. The oracle keeps them all and
// answers every question by walking the list.
type record struct {
	node  int
	p     Packet
	stage trace.Stage
	ticks int64
}

type oracle struct {
	spec Spec
	list []record
}

// filed reports whether a record goes into the arrays at all.
func (o *oracle) filed(r record) bool {
	return int(r.p.Tag) < o.spec.Tags && slices.Contains(o.spec.Kinds, r.p.Kind)
}

func (o *oracle) selects(q Query, r record) bool {
	if !o.filed(r) || r.stage != q.Stage {
		return false
	}
	if q.Tags != nil && !slices.Contains(q.Tags, r.p.Tag) {
		return false
	}
	if q.Kinds != nil && !slices.Contains(q.Kinds, r.p.Kind) {
		return false
	}
	if q.Part == FirstPackets && r.p.Later || q.Part == LaterPackets && !r.p.Later {
		return false
	}
	if q.After.OK && o.after(r.p) != q.After.Value {
		return false
	}
	size := min(r.p.Bytes, o.spec.MaxBytes)
	if q.Sizes == (Range{}) {
		return true
	}
	return size <= q.Sizes.HiBytes && (size > q.Sizes.LoBytes || q.Sizes.LoBytes == 0)
}

// after is a packet's predecessor, none if its kind is not told apart by that one.
func (o *oracle) after(p Packet) trace.Predecessor {
	if k, ok := p.After.Kind(); ok && slices.Contains(o.spec.Sequences, trace.Sequence{Kind: p.Kind, After: k}) {
		return p.After
	}
	return 0
}

func (o *oracle) find(q Query, also func(record) bool) []record {
	var found []record
	for _, r := range o.list {
		if o.selects(q, r) && (also == nil || also(r)) {
			found = append(found, r)
		}
	}
	return found
}

func (o *oracle) toNs(ticks int64) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(ticks, 1), big.NewRat(1_000_000_000, o.spec.TickHz))
}

func (o *oracle) mean(list []record) float64 {
	if len(list) == 0 {
		return 0
	}
	sum := new(big.Rat)
	for _, r := range list {
		sum.Add(sum, o.toNs(r.ticks))
	}
	mean, _ := sum.Quo(sum, big.NewRat(int64(len(list)), 1)).Float64()
	return mean
}

func (o *oracle) variance(list []record) float64 {
	mean := new(big.Rat)
	for _, r := range list {
		mean.Add(mean, o.toNs(r.ticks))
	}
	mean.Quo(mean, big.NewRat(int64(len(list)), 1))
	sum := new(big.Rat)
	for _, r := range list {
		d := new(big.Rat).Sub(o.toNs(r.ticks), mean)
		sum.Add(sum, d.Mul(d, d))
	}
	v, _ := sum.Quo(sum, big.NewRat(int64(len(list)-1), 1)).Float64()
	return v
}

// bins counts a list in bins of exact time.
func (o *oracle) bins(list []record, bins int, widthNs int64) map[int]uint64 {
	m := map[int]uint64{}
	for _, r := range list {
		q := new(big.Rat).Quo(o.toNs(r.ticks), big.NewRat(widthNs, 1))
		b := new(big.Int).Quo(q.Num(), q.Denom())
		switch {
		case r.ticks < 0:
			m[0]++
		case b.Cmp(big.NewInt(int64(bins-1))) >= 0:
			m[bins-1]++
		default:
			m[int(b.Int64())]++
		}
	}
	return m
}

func near(a, b, rel float64) bool {
	return math.Abs(a-b) <= rel*math.Max(math.Abs(a), math.Abs(b))
}
