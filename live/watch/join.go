package watch

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/trace"
)

// theirs is where the numbers of the other host's programs begin.
const theirs = 256

// joining joins the halves of messages between this host and another one.
type joining struct {
	other  Other
	offset realtime

	mu     sync.Mutex
	ways   map[uint64]*way
	held   []pair // of which times may still be converted better
	filed  int
	back   map[sort]*histogram // Net and Dest of messages from here, all stages of those from there
	sent   [2]uint64           // messages of which their sender has told, by whether that is there
	joined [2]uint64           // of these
	early  uint64              // of these, with Net below 0
	ended  bool
	told   Told
	failed error // why the other host's watch has ended before
}

// way is a flow between both hosts. Each list is in the order in which its host tells.
type way struct{ sent, arrived, read []Half }

// pair is a message of which both halves are known.
type pair struct {
	sent, arrived, read Half
	there               bool // it was sent there
}

// mostWaiting is how many messages of a flow wait for their other half at most.
const mostWaiting = 1 << 14

func newJoining(o Other) *joining {
	return &joining{other: o, offset: readRealtime(), ways: map[uint64]*way{}, back: map[sort]*histogram{}}
}

// add takes halves of one host.
func (j *joining) add(there bool, all ...Half) {
	for _, h := range all {
		w := j.ways[h.Flow]
		if w == nil {
			w = new(way)
			j.ways[h.Flow] = w
		}
		switch h.Kind {
		case HalfSent:
			j.sent[index(there)]++
			w.sent = append(w.sent, h)
			j.match(w, there)
		case HalfArrived:
			w.arrived = lately(append(w.arrived, h))
		case HalfRead:
			w.read = lately(append(w.read, h))
			j.match(w, !there)
		}
	}
}

func index(there bool) int {
	if there {
		return 1
	}
	return 0
}

// lately drops what has waited longest if there is too much. Of bytes that are not of a message that is followed nobody
// else does.
func lately(all []Half) []Half {
	if len(all) > 2*mostWaiting {
		return append(all[:0], all[mostWaiting:]...)
	}
	return all
}

// match joins messages of a flow, in their order. One that was not seen arriving or being read has no other half.
func (j *joining) match(w *way, there bool) {
	for len(w.sent) > 0 {
		m := &w.sent[0]
		read, passed := find(w.read, m)
		if read == nil && !passed && len(w.sent) < mostWaiting {
			return
		}
		if arrived, _ := find(w.arrived, m); read != nil && arrived != nil {
			j.held = append(j.held, pair{*m, *arrived, *read, there})
		}
		w.arrived, w.read = after(w.arrived, m), after(w.read, m)
		w.sent = w.sent[1:]
	}
}

// find returns the first half with the last byte of a message, or whether bytes behind it are there.
func find(all []Half, m *Half) (found *Half, passed bool) {
	for i := range all {
		if h := &all[i]; h.covers(m) {
			return h, false
		} else if h.behind(m) {
			passed = true
		}
	}
	return nil, passed
}

// after drops what comes before the end of a message.
func after(all []Half, m *Half) []Half {
	for len(all) > 0 && int32(all[0].End-m.End) <= 0 {
		all = all[1:]
	}
	return all
}

// file files the messages whose times are final; all of them, if nothing more comes.
func (j *joining) file(r *result, all bool) {
	n := 0
	for i := range j.held {
		p := &j.held[i]
		at := p.read.At[0]
		if p.there {
			at = p.sent.At[2]
		}
		if all || j.other.Ready(at) {
			j.one(r, p)
			continue
		}
		j.held[n] = *p
		n++
	}
	clear(j.held[n:])
	j.held = j.held[:n]
}

// convert converts a time of the other host to this one's monotonic clock.
func (j *joining) convert(at int64) (own, bound int64) {
	own, bound = j.other.Convert(at)
	return own - j.offset.ns, bound + j.offset.unsure + j.told.UnsureNs
}

// one files a message. Times of one host stay as far apart as its clock tells.
func (j *joining) one(r *result, p *pair) {
	var bound int64
	if p.there {
		at, b := j.convert(p.sent.At[2])
		bound = b
		p.sent.shift(at - p.sent.At[2])
	} else {
		at, b := j.convert(p.arrived.At[0])
		bound = b
		by := at - p.arrived.At[0]
		p.arrived.shift(by)
		p.read.shift(by)
	}
	j.joined[index(p.there)]++
	m := &p.sent
	s := sample{
		At:     [5]uint64{uint64(m.At[0]), uint64(m.At[1]), uint64(m.At[2]), uint64(p.arrived.At[0]), uint64(p.read.At[0])},
		Served: uint64(m.Served), Woken: uint64(p.read.Woken), Waited: uint64(p.read.Waited), Bytes: m.Bytes, Program: m.Program, ToServer: uint32(index(m.ToServer)), Why: m.Why,
	}
	if p.there {
		s.Program += theirs
	}
	h := j.histogram(sort{program: int(s.Program), bits: max(bits.Len32(s.Bytes)-1, 0), toServer: m.ToServer})
	if p.there {
		h.Bytes += uint64(m.Bytes)
		h.Stages[trace.Source].count(s.At[1] - s.At[0])
		h.Stages[trace.LANai].count(s.At[2] - s.At[1])
	}
	net := p.arrived.At[0] - m.At[2]
	if net < 0 {
		j.early++
	}
	h.Stages[trace.Net].count(uint64(max(net, 0)))
	h.Stages[trace.Dest].count(s.At[4] - s.At[3])
	if j.filed++; j.filed%r.spec.Every == 0 {
		r.row(&s, bound)
	}
}

func (j *joining) histogram(s sort) *histogram {
	h := j.back[s]
	if h == nil {
		h = new(histogram)
		j.back[s] = h
	}
	return h
}

// into adds what is joined to what this host has counted.
func (j *joining) into(r *result) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for s, h := range j.back {
		if r.histograms[s] == nil {
			r.histograms[s] = new(histogram)
		}
		r.histograms[s].add(h)
	}
	// Packets whose messages the other host has counted are not told twice.
	for s := range r.histograms {
		if s.packets {
			delete(r.histograms, s)
		}
	}
	host, _, _ := j.other.Host()
	r.counts.across = across{host: host.Name, sent: j.sent, joined: j.joined, early: j.early, failed: j.failed}
	c := &r.counts
	copy(c.there[:], j.told.Counts)
	if !j.ended || j.failed != nil {
		c.there = [numCounters]uint64{started: j.joined[1], away: j.joined[1], over: j.joined[1]}
	}
	for n, name := range j.told.Names {
		r.programs[theirs+n] = fmt.Sprintf("%s@%s", name, host.Name)
	}
}

// exactly replaces Source and NI of messages from there by what that host has counted of all.
func (j *joining) exactly() {
	for s, h := range j.back {
		if s.program >= theirs {
			h.Bytes = 0
			h.Stages[trace.Source], h.Stages[trace.LANai] = binned{}, binned{}
		}
	}
	for _, t := range j.told.Histograms {
		s := sortOf(t.Key)
		s.program += theirs
		h := j.histogram(s)
		h.Bytes += t.Bytes
		for i := range t.Stages {
			h.Stages[i].Sum += t.Stages[i].Sum
			for bin, n := range t.Stages[i].Bins {
				if bin >= 0 && bin < numBins {
					h.Stages[i].Bins[bin] += n
				}
			}
		}
	}
}

// end ends the other host's watch, and joins what there is.
func (j *joining) end(r *result) {
	said, err := j.other.End()
	all := j.other.Take()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(true, all...)
	j.ended, j.told, j.failed = true, said, err
	j.file(r, true)
	if err == nil {
		j.exactly()
	}
}

// take takes what the other host has told since the last call, and files what is final.
func (j *joining) take(r *result) {
	all := j.other.Take()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(true, all...)
	j.file(r, false)
}

// here takes a half of this host.
func (j *joining) here(h Half) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(false, h)
}

// enter enters the clocks into the records of a run.
func (j *joining) enter(records *collect.Records, r *result) {
	j.other.Enter(records, r.origin+j.offset.ns)
}

// realtime is the system's clock less the monotonic one, in ns, and how much that may be wrong.
type realtime struct{ ns, unsure int64 }

// across is what has become of messages between two hosts. Lists are by whether they were sent there.
type across struct {
	host   string // the other one's name
	there  [numCounters]uint64
	sent   [2]uint64 // messages of which the sender's half has come
	joined [2]uint64 // of these
	early  uint64    // of these, with Net below 0
	failed error
}

// words says how many messages have all stages.
func (b *across) words(away uint64) string {
	return fmt.Sprintf("Net and Dest stand on %s to %s and %s from there", share(b.joined[0], away), b.host, share(b.joined[1], b.there[over]))
}

func share(n, of uint64) string {
	if of == 0 {
		return "no message"
	}
	return fmt.Sprintf("%d of %d messages (%.2f %%)", n, of, 100*float64(n)/float64(of))
}

// warnings say why messages were not joined. Away are those that went there, noRoom the halves that found no room here, and packets what
// came from there while it was watched.
func (b *across) warnings(away, noRoom, packets uint64) (out []string) {
	if b.host == "" {
		return nil
	}
	warn := func(n uint64, text string) {
		if n > 0 {
			out = append(out, fmt.Sprintf(text, n, b.host))
		}
	}
	if b.failed != nil {
		out = append(out, fmt.Sprintf("%v: messages after that have the stages of this host only. Of what came in %d packets before, the %d messages count that are joined", b.failed, packets, b.joined[1]))
	}
	for i, way := range []struct {
		to   string
		away uint64
	}{{"to", away}, {"from", b.there[over]}} {
		warn(b.sent[i]-b.joined[i], "%d messages "+way.to+" %s have Source and NI only: their other half was not seen")
		warn(way.away-min(b.sent[i], way.away), "%d messages "+way.to+" %s have Source and NI only: they are not among those that are joined (--sample-every), or the ring had no room for their halves")
	}
	warn(noRoom, "%d halves of messages found no room in the ring of this host; the other one is %s")
	warn(b.there[untold], "%d halves of messages found no room in the ring of %s")
	if b.early > 0 {
		out = append(out, fmt.Sprintf("%d messages have a Net below 0 by the two clocks, which the bound allows: in the histograms it is 0", b.early))
	}
	return out
}
