package watch

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
)

const (
	// stands is how many times as long as half of all messages those are that are told to be slow.
	stands = 10
	// matter is the least part of the time of all messages that they have together.
	matter = 0.01
)

// longest says where the messages that took longest were longest, if they stand out.
func (r *result) longest() []trace.Observed {
	drawn, sum := make([]int64, len(r.samples)), 0.0
	for i := range r.samples {
		drawn[i] = r.samples[i].took()
		sum += float64(drawn[i])
	}
	if len(drawn) == 0 {
		return nil
	}
	slices.Sort(drawn)
	from := stands * drawn[len(drawn)/2]
	var slow []sample
	add := func(s *sample) {
		if s.took() >= from {
			slow = append(slow, *s)
		}
	}
	for i := range r.slowest.kept {
		add(&r.slowest.kept[i])
	}
	for i := range r.samples {
		add(&r.samples[i].sample)
	}
	slices.SortFunc(slow, func(x, y sample) int { return cmp.Compare(y.took(), x.took()) })
	slow = slow[:min(len(slow), mostSlow)]
	took := 0.0
	for i := range slow {
		took += float64(slow[i].took())
	}
	all := sum / float64(len(drawn)) * float64(max(int(r.counts.messages()), len(drawn)))
	if len(slow) < above || took < matter*all {
		return nil
	}
	return r.parts(slow)
}

// parts returns the longest parts of the way of some messages, the longest message first: by program, direction and part.
func (r *result) parts(slow []sample) (out []trace.Observed) {
	least := slow[len(slow)-1].took()
	type of struct {
		about
		where string
	}
	ns, n := map[of]int64{}, map[of]int64{}
	for i := range slow {
		s := &slow[i]
		where, took := s.longestPart()
		key := of{about{s.Program, s.ToServer}, where}
		ns[key], n[key] = ns[key]+took, n[key]+1
	}
	for key, messages := range n {
		if above*messages >= int64(len(slow)) {
			out = append(out, trace.Observed{
				What: trace.Slowest, Program: cmp.Or(r.programs[int(key.program)], others), ToServer: key.toServer != 0, Where: key.where,
				Messages: messages, Of: int64(len(slow)), MeanNs: float64(ns[key]) / float64(messages), LeastNs: least,
			})
		}
	}
	slices.SortFunc(out, func(x, y trace.Observed) int {
		return cmp.Or(cmp.Compare(y.Messages, x.Messages), cmp.Compare(x.Program, y.Program), cmp.Compare(x.Where, y.Where), compare(x.ToServer, y.ToServer))
	})
	return out
}

// longestPart returns that of a message's way and its time in ns: what is known to have taken it, or its stage.
func (s *sample) longestPart() (where string, ns int64) {
	part := func(name string, took uint64) {
		if int64(took) > ns {
			where, ns = name, int64(took)
		}
	}
	source := trace.Source.String()
	for i, cause := range causes[:served] {
		if s.UDP == 0 && s.held()&(2<<i) != 0 {
			source = string(cause)
		}
	}
	part(source, s.At[1]-s.At[0])
	part(trace.LANai.String(), s.At[2]-s.At[1])
	arrived, read := s.At[3], s.At[4]
	net, deferred := arrived-min(s.At[2], arrived), uint64(s.Deferred)
	part(string(trace.Deferred), deferred)
	part(trace.Net.String(), net-min(deferred, net))
	woken := min(max(s.Woken, arrived), read)
	waited := min(s.Waited, read-woken)
	part(string(trace.Asleep), woken-arrived)
	part(string(trace.RunQueue), waited)
	part(string(trace.ReaderBusy), read-woken-waited)
	return where, ns
}
