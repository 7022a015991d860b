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

// longest says where the messages that took longest have spent most of their time, if they stand out.
func (r *result) longest() (out []trace.Observed) {
	drawn := make([]int64, 0, len(r.samples))
	slow := slices.Clone(r.slowest.kept)
	sum := 0.0
	for i := range r.samples {
		took := r.samples[i].took()
		sum += float64(took)
		drawn = append(drawn, took)
		slow = append(slow, r.samples[i].sample)
	}
	if len(drawn) == 0 {
		return nil
	}
	slices.Sort(drawn)
	from := stands * drawn[len(drawn)/2]
	slow = slices.DeleteFunc(slow, func(s sample) bool { return s.took() < from })
	slices.SortFunc(slow, func(x, y sample) int { return cmp.Compare(y.took(), x.took()) })
	slow = slow[:min(len(slow), mostSlow)]
	of := 0.0
	for i := range slow {
		of += float64(slow[i].took())
	}
	all := sum / float64(len(drawn)) * float64(max(int(r.counts.messages()), len(drawn)))
	if len(slow) < above || of < matter*all {
		return nil
	}
	return r.mostOf(slow)
}

// mostOf returns what took most of the time of some messages, the longest first: by program, direction and what it was.
func (r *result) mostOf(slow []sample) (out []trace.Observed) {
	least := slow[len(slow)-1].took()
	type of struct {
		about
		where string
	}
	ns, n := map[of]int64{}, map[of]int64{}
	for i := range slow {
		s := &slow[i]
		where, took := s.mostOf()
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

// mostOf returns the longest part of a message's way and its time in ns: what is known to have taken it, or its stage.
func (s *sample) mostOf() (where string, ns int64) {
	part := func(name string, took uint64) {
		if int64(took) > ns {
			where, ns = name, int64(took)
		}
	}
	source := trace.Source.String()
	for i, cause := range causes[:served] {
		if s.UDP == 0 && s.Why&(2<<i) != 0 {
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
