package watch

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/trace"
)

// theirs is where the numbers of the other host's programs begin.
const theirs = 256

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

// mostUnsure is how much Net may be wrong at most, in ns. Clocks of which no probe is known are further apart.
const mostUnsure = 1e9

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
	if bound > mostUnsure {
		j.unclocked++
		return
	}
	m := &p.sent
	net := p.arrived.At[0] - m.At[2]
	if m.UDP && !j.datagrams.sure(m, net, bound) {
		j.unsure++
		return
	}
	j.joined[index(p.there)]++
	s := sample{
		At:     [5]uint64{uint64(m.At[0]), uint64(m.At[1]), uint64(m.At[2]), uint64(p.arrived.At[0]), uint64(p.read.At[0])},
		Served: uint64(m.Served), Woken: uint64(p.read.Woken), Waited: uint64(p.read.Waited), Bytes: m.Bytes, Program: m.Program, ToServer: uint32(index(m.ToServer)), UDP: uint32(index(m.UDP)), Why: m.Why | p.read.Why, Deferred: uint32(min(p.arrived.Waited, max(p.arrived.At[0]-m.At[2], 0))),
	}
	if p.there {
		s.Program += theirs
	}
	h := j.histogram(sort{program: int(s.Program), bits: max(bits.Len32(s.Bytes)-1, 0), toServer: m.ToServer, udp: m.UDP})
	if p.there {
		h.Bytes += uint64(m.Bytes)
		h.Stages[trace.Source].count(s.At[1] - s.At[0])
		h.Stages[trace.LANai].count(s.At[2] - s.At[1])
	}
	if net < 0 {
		j.early++
	}
	h.Stages[trace.Net].count(uint64(max(net, 0)))
	h.Stages[trace.Dest].count(s.At[4] - s.At[3])
	if j.filed++; j.filed%r.spec.Every == 0 {
		r.keep(&s, bound)
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
	back, exact := j.back, r.ends && j.whole()
	if exact {
		back = j.exactly()
	}
	for s, h := range back {
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
	r.counts.across = across{host: host.Name, translated: j.other.Translated(), sent: j.sent, joined: j.joined, early: j.early, unclocked: j.unclocked, unsure: j.unsure, dropped: j.told.Drops, failed: j.failed}
	c := &r.counts
	copy(c.there[:], j.told.Counts)
	if !exact {
		c.there = [numCounters]uint64{started: j.joined[1], away: j.joined[1], over: j.joined[1]}
	}
	for n, name := range j.other.Names() {
		r.programs[theirs+n] = fmt.Sprintf("%s@%s", name, host.Name)
	}
}

// exactly returns what is joined, with Source and NI of messages from there as that host has counted them of all.
func (j *joining) exactly() map[sort]*histogram {
	out := map[sort]*histogram{}
	for s, h := range j.back {
		whole := *h
		if s.program >= theirs {
			whole.Bytes = 0
			whole.Stages[trace.Source], whole.Stages[trace.LANai] = binned{}, binned{}
		}
		out[s] = &whole
	}
	for _, t := range j.told.Histograms {
		s := sortOf(t.Key)
		s.program += theirs
		if out[s] == nil {
			out[s] = new(histogram)
		}
		h := out[s]
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
	return out
}

// enter enters the clocks into the records of a run.
func (j *joining) enter(records *collect.Records, r *result) {
	j.other.Enter(records, r.origin+j.offset.ns)
}
