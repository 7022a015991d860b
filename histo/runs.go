package histo

import (
	"math"

	"github.com/sigview/sigview/trace"
)

// Sample is what one interface measures of a packet: two latencies, of the stages First and the next.
type Sample struct {
	Ticks [2]int64 // the first may be Missing
	Sort
	Peer  int32
	First trace.Stage
}

// Missing stands for a latency that is not recorded.
const Missing = math.MinInt64

// Sort holds the attributes of a packet but for its peer.
type Sort struct {
	Bytes int32
	Tag   trace.Tag
	Kind  trace.Kind
	After trace.Predecessor
	Later bool
}

// RecordAll records samples, which all begin with the same stage. The result is that of
// Record for each. Those of one sort that follow one another enter the sums together.
func (b *Bank) RecordAll(list []Sample) {
	for len(list) > 0 {
		first, n, peers := &list[0], 1, int32(0)
		for n < len(list) && list[n].Sort == first.Sort {
			peers |= list[n].Peer ^ first.Peer
			n++
		}
		if n == 1 || !b.recordRun(list[:n], peers == 0) {
			for i := range list[:n] {
				b.recordOne(&list[i])
			}
		}
		list = list[n:]
	}
}

func (b *Bank) recordOne(s *Sample) {
	p := Packet{Tag: s.Tag, Kind: s.Kind, After: s.After, Later: s.Later, Bytes: int(s.Bytes), Peer: int(s.Peer)}
	if s.Ticks[0] != Missing {
		b.Record(p, s.First, s.Ticks[0])
	}
	b.Record(p, s.First+1, s.Ticks[1])
}

// recordRun records samples of one sort, perhaps of one peer, if they have histograms, and reports whether it
// has. Record counts or refuses all others one by one. Sums by peer take part only if all samples are of one
// peer.
func (b *Bank) recordRun(list []Sample, onePeer bool) bool {
	l, s := b.l, &list[0]
	if s.Kind >= trace.NumKinds || int(s.Tag) >= l.spec.Tags || uint(s.Bytes) >= uint(len(l.place)) {
		return false
	}
	slot := l.slotOf(s.Kind, s.Later)
	if slot < 0 || onePeer && uint(s.Peer) >= uint(l.spec.Nodes) {
		return false
	}
	at := l.rows(int(s.Tag), slot, s.Kind, s.After, int(s.Bytes))
	sums := [...]int{at.kind, at.all, at.sequence, -1}
	if onePeer && at.peers >= 0 {
		sums[3], at.peers = at.peers+int(s.Peer)*l.step.peer, -1
	}
	for k := range 2 {
		stage := s.First + trace.Stage(k)
		t := b.recordStage(list, k, stage, at)
		for _, to := range sums {
			if to >= 0 {
				b.addRun(to+int(stage)*l.step.cell, list, k, t)
			}
		}
	}
	return true
}

// tally is the number and the sum of latencies.
type tally struct {
	n   uint32
	sum int64
	// Of a negative latency the complement counts, which is its magnitude less one.
	wide uint64 // as many bits as the longest has
}

// recordStage counts the k-th latencies of samples in the rows of bins and adds them to the sums by peer. It
// returns their tally.
func (b *Bank) recordStage(list []Sample, k int, stage trace.Stage, at row) (t tally) {
	l := b.l
	scale, cell, bins := &l.scale[stage], int(stage)*l.step.cell, int(stage)*l.step.bins
	for i := range list {
		s := &list[i]
		ticks := s.Ticks[k]
		if ticks == Missing {
			continue
		}
		t.n++
		t.sum += ticks
		t.wide |= uint64(ticks ^ ticks>>63)
		bin := bins
		if ticks < 0 {
			b.bump(l.underflowWord(int(s.Tag), stage))
		} else {
			bin += int(scale.bin(ticks))
		}
		if at.bySize >= 0 && !b.counted(at.bySize+bin) {
			b.bump(at.bySize + bin)
		}
		if at.byKind >= 0 && !b.counted(at.byKind+bin) {
			b.bump(at.byKind + bin)
		}
		if at.peers >= 0 {
			if uint(s.Peer) >= uint(l.spec.Nodes) {
				b.recordOne(s) // panics
			}
			b.add(at.peers+int(s.Peer)*l.step.peer+cell, ticks)
		}
	}
	return t
}

// addRun adds the k-th latencies of samples, of which t is the tally, to the cell at a word. What might fill
// the cell is added one by one, so that the result is that of Record.
func (b *Bank) addRun(at int, list []Sample, k int, t tally) {
	// With latencies below 2³² ticks and a sum so far below 2⁶¹, a billion samples more do not overflow.
	const small = 1 << 32
	c := (*[cellWords]uint32)(b.from(at))
	old := int64(uint64(c[2])<<32 | uint64(c[1]))
	if t.wide < small && c[0] <= math.MaxUint32-t.n && uint64(old^old>>63) < 1<<61 && !b.l.spec.Variance {
		sum := old + t.sum
		c[0] += t.n
		c[1], c[2] = uint32(uint64(sum)), uint32(uint64(sum)>>32)
		return
	}
	for i := range list {
		if ticks := list[i].Ticks[k]; ticks != Missing {
			b.add(at, ticks)
		}
	}
}
