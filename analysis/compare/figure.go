package compare

import (
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// Figure is one quantity of one run, in the unit of the quantity.
type Figure struct {
	Key
	Value float64 // in the unit of the quantity
	Base  float64 // of which a change is a share; the value itself if 0
	// Packets is the number of packets that a mean latency rests on, 0 of other quantities.
	Packets int64
	// Bound is the largest error of Value due to the clocks, for a stage between two nodes' clocks; else 0.
	Bound float64
	// Part is of a cause the share of messages of which it is so.
	Part float64
}

// Key identifies a figure among those of a run.
type Key struct {
	Program  string // "" in a run of one program
	Quantity string
	Where    string // size class of packets, or what was measured; "" for a whole program
	// Kind is set for a share of a part of run time: the time in Stage of packets of this kind, for which the
	// program waits in Quantity. No condition names such a figure.
	Kind  string
	Stage trace.Stage
}

// Units of figures.
const (
	unitNs      = "ns"
	unitPackets = "packets"
	unitMBps    = "MB/s"
)

// quantity is a quantity that conditions can name.
type quantity struct {
	name, noun, unit string
	limit            float64 // default threshold, a share; 0: none
	family           string  // of what is judged together
}

// quantities lists all quantities, the stages first.
var quantities = func() (all []quantity) {
	for _, s := range trace.Stages() {
		q := quantity{s.String(), "", unitNs, 0.05, "stages"}
		if s == trace.NetMinusLANai {
			q.limit = 0 // a difference of means, of which no share means anything
		}
		all = append(all, q)
	}
	all = append(all, quantity{RunTime, "run time", unitNs, 0.02, RunTime})
	for _, p := range shares {
		all = append(all, quantity{p.name, p.noun, unitNs, 0.02, "parts"})
	}
	for _, c := range causes {
		all = append(all, quantity{string(c.what), c.noun, c.unit, c.limit, seenFamily})
	}
	return append(all,
		quantity{"lost", "lost packets", unitPackets, 0.01, unitPackets}, quantity{"repeated", "repeated packets", unitPackets, 0.01, unitPackets},
		quantity{"o_s", "o_s", unitNs, 0.05, "layers"}, quantity{"o_r", "o_r", unitNs, 0.05, "layers"}, quantity{"L", "L", unitNs, 0.05, "layers"},
		quantity{"g", "g", unitNs, 0.05, "layers"}, quantity{"rtt", "round trip", unitNs, 0.05, "layers"}, quantity{"one_way", "one-way time", unitNs, 0.05, "layers"}, quantity{"t_typical", "typical time", unitNs, 0.05, "layers"},
		quantity{"o", "o of bulk transfers", unitNs, 0.05, "layers"}, quantity{"T", "T of bulk transfers", unitNs, 0.05, "layers"},
		quantity{"bandwidth", "bandwidth", unitMBps, 0.05, "layers"})
}()

// seenFamily has what the kernel was seen to do with messages of programs as they are.
const seenFamily = "seen"

// causes are what can be seen. Of those in ns the figure is the time that they cost the average message; of
// sent-again and dropped it is segments, of datagrams-dropped datagrams, of ring-full packets, of discipline the packets at a time at most, of throttled the time in all.
var causes = []struct {
	what       trace.Cause
	noun, unit string
	limit      float64
}{
	{trace.HeldByNagle, "Nagle's algorithm", unitNs, 0.05},
	{trace.HeldByCork, "corked socket", unitNs, 0.05},
	{trace.HeldByWindow, "receiver's window", unitNs, 0.05},
	{trace.HeldByCongestion, "window of congestion", unitNs, 0.05},
	{trace.InDiscipline, "queueing discipline", unitPackets, 0.05},
	{trace.CardFull, "full ring", unitPackets, 0.01},
	{trace.Deferred, "receiving kernel", unitNs, 0.05},
	{trace.SentAgain, "segments sent again", unitPackets, 0.01},
	{trace.SegmentsDropped, "segments dropped", unitPackets, 0.01},
	{trace.DatagramsDropped, "datagrams dropped", unitPackets, 0.01},
	{trace.Asleep, "reader asleep", unitNs, 0.05},
	{trace.RunQueue, "run queue", unitNs, 0.05},
	{trace.Migrated, "reader moved", unitNs, 0.05},
	{trace.ReaderBusy, "reader busy", unitNs, 0.05},
	{trace.ServerTime, "server time", unitNs, 0.05},
	{trace.Throttled, "throttled", unitNs, 0.05},
}

// RunTime is the quantity of a program's whole run time.
const RunTime = "runtime"

// of returns the quantity with a name, which has to be one of quantities.
func of(name string) quantity {
	i := slices.IndexFunc(quantities, func(q quantity) bool { return q.name == name })
	return quantities[i]
}

// anyStage is the name of all recorded stages in a condition.
const anyStage = "any"

// quantityNames returns the names that a condition can have.
func quantityNames() names.Words {
	all := []string{anyStage}
	for _, q := range quantities {
		all = append(all, q.name)
	}
	return names.NewWords("quantity", all...)
}

// share is a part of run time and the kinds of packets that the program waits for in it.
type share struct {
	name, noun string
	ns         func(trace.Shares) int64
	kinds      []trace.Kind
}

// shares lists the parts of run time. They sum to it but for the moment in which processes end.
var shares = []share{
	{"computing", "computing", func(s trace.Shares) int64 { return s.ComputingNs }, nil},
	{"pages", "page wait", func(s trace.Shares) int64 { return s.PageWaitNs }, []trace.Kind{trace.PageRequest, trace.PageReply}},
	{"locks", "lock wait", func(s trace.Shares) int64 { return s.LockNs }, []trace.Kind{trace.LockRequest, trace.LockForward, trace.LockGrant}},
	{"barriers", "barrier wait", func(s trace.Shares) int64 { return s.BarrierNs }, []trace.Kind{trace.BarrierArrive, trace.BarrierRelease}},
	{"library", "communication library", func(s trace.Shares) int64 { return s.MessagingNs }, nil},
	{"messages", "message wait", func(s trace.Shares) int64 { return s.MessageWaitNs },
		[]trace.Kind{trace.Message, trace.Broadcast, trace.Envelope, trace.Data, trace.Flag, trace.Stream, trace.FileRequest, trace.FileReply}},
	{"service", "service for others", func(s trace.Shares) int64 { return s.ServiceNs }, nil},
	{"descheduled", "descheduled", func(s trace.Shares) int64 { return s.DescheduledNs }, nil},
	{"monitor", "monitor", func(s trace.Shares) int64 { return s.MonitorNs }, nil},
}

// figures returns the figures of a run: mean latencies by program, stage and size class; the run time of each
// program and its parts; and the lost and repeated packets of all programs together.
func figures(run trace.Run, s analysis.Signature) (out []Figure) {
	m := run.Manifest
	program := func(tag trace.Tag) string {
		if len(m.Tags) < 2 {
			return ""
		}
		return m.Program(tag)
	}
	clocks := analysis.ClockErrors(run)
	for _, r := range s.Classes {
		if r.Kind == trace.AllKinds && !r.First.OK && r.MeanNs.OK {
			f := Figure{Key: Key{Program: program(r.Tag), Quantity: r.Stage.String(), Where: r.Class}, Value: r.MeanNs.Value, Packets: r.Count}
			if r.Stage == trace.Net || r.Stage == trace.NetMinusLANai {
				f.Bound = clocks(r.Tag, r.Class)
			}
			out = append(out, f)
		}
	}
	for _, p := range m.Tags {
		out = append(out, runTime(run.Manifest, s, p, program(p.Tag))...)
	}
	if len(m.Tags) > 0 {
		sent := float64(max(m.Packets, 1))
		out = append(out,
			Figure{Key: Key{Quantity: "lost"}, Value: float64(m.Lost.Dropped + m.Lost.Corrupted), Base: sent},
			Figure{Key: Key{Quantity: "repeated"}, Value: float64(m.Lost.Retransmitted), Base: sent})
	}
	return out
}

// runTime returns the figures of program p: its run time, each part as the mean over its nodes, and the time
// per node that packets spend in each stage, by the part that waits for them. Times are in ns.
func runTime(m trace.Manifest, sig analysis.Signature, p trace.Program, program string) []Figure {
	total := float64(p.RunTimeNs)
	out := []Figure{{Key: Key{Program: program, Quantity: RunTime}, Value: total}}
	nodes := 0
	parts := make([]float64, len(shares))
	for _, s := range m.Shares {
		if s.Tag != p.Tag {
			continue
		}
		nodes++
		for i, part := range shares {
			parts[i] += float64(part.ns(s))
		}
	}
	if nodes == 0 {
		return out
	}
	for i, part := range shares {
		out = append(out, Figure{Key: Key{Program: program, Quantity: part.name}, Value: parts[i] / float64(nodes), Base: total})
	}
	type group struct {
		kind  string
		stage trace.Stage
	}
	spent := map[group]float64{}
	for _, r := range sig.Classes {
		if r.Tag == p.Tag && r.Stage < trace.NumStages && !r.First.OK && r.MeanNs.OK {
			spent[group{r.Kind, r.Stage}] += float64(r.MeanNs.Value * float64(r.Count))
		}
	}
	for _, part := range shares {
		for _, kind := range part.kinds {
			for stage := range trace.NumStages {
				if ns := spent[group{kind.String(), stage}]; ns != 0 {
					key := Key{Program: program, Quantity: part.name, Kind: kind.String(), Stage: stage}
					out = append(out, Figure{Key: key, Value: ns / float64(nodes), Base: total})
				}
			}
		}
	}
	return out
}
