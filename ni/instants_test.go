package ni_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// watcher notes the instants as a probe hears of them, and spends nothing.
type watcher struct {
	probe
	words int
	log   *[]heard
}

type heard struct {
	what string
	who  uint64 // Arg of the record, sequence number of the packet
	at   sim.Time
}

func (w *watcher) hear(what string, who uint64, at sim.Time) {
	*w.log = append(*w.log, heard{what, who, at})
}

func (w *watcher) Requested(r *ni.Record, at sim.Time) { w.hear("t1", r.Arg, at) }
func (w *watcher) Fetched(r *ni.Record, at sim.Time)   { w.hear("t2", r.Arg, at) }
func (w *watcher) Injecting(r *ni.Record, k *fabric.Packet) {
	k.WireBytes += 4 * w.words
	w.hear("t3", r.Arg, w.nic.Now())
}
func (w *watcher) Injected(r *ni.Record, at sim.Time) { w.hear("t4", r.Arg, at) }
func (w *watcher) Arriving(k *fabric.Packet)          { w.hear("t5", uint64(k.Header.Seq), w.nic.Now()) }
func (w *watcher) Delivered(k *fabric.Packet, at sim.Time) {
	w.hear("t6", uint64(k.Header.Seq), at)
}
func (w *watcher) Words() (descriptor, header int) { return 0, w.words }

// calls returns what was heard of one packet, in order.
func (w *watcher) calls(who uint64) (out []string) {
	for _, h := range *w.log {
		if h.who == who {
			out = append(out, h.what)
		}
	}
	return out
}

func (w *watcher) when(t *testing.T, what string, who uint64) sim.Time {
	t.Helper()
	for _, h := range *w.log {
		if h.what == what && h.who == who {
			return h.at
		}
	}
	require.Failf(t, "not heard", "%s of %d among %v", what, who, *w.log)
	return 0
}

// watch attaches a watcher to either card; both note in one log.
func (r *rig) watch() *watcher {
	log := &[]heard{}
	var w [2]*watcher
	for i, n := range r.nics {
		w[i] = &watcher{probe: probe{program: r.progs[i]}, log: log}
		n.Attach(w[i])
	}
	return w[0]
}

// TestSixInstants: a program that fetches, sends and deposits packets has all
// six instants observed without a word about the probe.
func TestSixInstants(t *testing.T) {
	r := newRig(t, setup{})
	here, there := r.nics[0], r.nics[1]
	w := r.watch()
	r.progs[1].release = false
	record := &ni.Record{Arg: 7}
	var seen sim.Time
	r.progs[0].on("request", func() {
		here.Spend(10)
		here.Begin(record, &ni.Posted{Seen: seen})
		here.HostDMA(&ni.DMA{Dir: ni.ToNI, Bytes: 100, Record: record})
	})
	r.progs[0].on("hostdone", func() {
		k := r.packet(0, trace.Data, 100)
		k.Header.Seq = 7
		here.Send(k, record)
	})
	r.progs[1].takes("demultiplex", 20)
	r.progs[1].on("received", func() {
		k := r.net.NewPacket()
		k.Header.Seq = 7
		r.progs[1].held = append(r.progs[1].held, k)
		there.HostDMA(&ni.DMA{Dir: ni.ToHost, Bytes: 100, Packet: k})
	})
	r.at(sim.Time(us), func() { seen = here.Post().Seen })
	r.run(t)
	require.Equal(t, []string{"t1", "t2", "t3", "t4", "t5", "t6"}, w.calls(7))
	require.Equal(t, seen, w.when(t, "t1", 7))
	require.Equal(t, r.progs[0].first(t, "hostdone").seen, w.when(t, "t2", 7))
	require.Equal(t, r.progs[0].first(t, "sent").seen, w.when(t, "t4", 7))
	require.Equal(t, r.progs[1].first(t, "received").at, w.when(t, "t5", 7), "after Demultiplex, before Received")
	require.Equal(t, 20*cycle, r.progs[1].first(t, "received").at.Sub(r.progs[1].first(t, "received").look), "an idle loop has noticed it")
	require.Equal(t, r.progs[1].first(t, "hostdone").seen, w.when(t, "t6", 7))
	require.Equal(t, r.progs[0].moved[0].look, record.Ready, "the true end of the DMA")
	require.NotEqual(t, record.Ready, w.when(t, "t2", 7))
}

// TestInstantsWithoutDMA: a program says when data came with the request and
// when the processor itself has put a packet before the host.
func TestInstantsWithoutDMA(t *testing.T) {
	r := newRig(t, setup{})
	n := r.nics[0]
	w := r.watch()
	record := &ni.Record{Arg: 1}
	var loaded, stored sim.Time
	r.progs[0].on("request", func() {
		n.Begin(record, &ni.Posted{Seen: sim.Never})
		n.Spend(10)
		n.Loaded(record)
		loaded = n.Now()
		k := r.packet(0, trace.Data, 100)
		n.Spend(10)
		stored = n.Now()
		n.Stored(k)
		r.net.Free(k)
	})
	r.at(sim.Time(us), func() { n.Post() })
	r.run(t)
	require.Equal(t, []heard{{"t1", 1, loaded.Add(-10 * cycle)}, {"t2", 1, loaded}, {"t6", 0, stored}}, *w.log)
	require.Equal(t, loaded, record.Ready)
}

// TestDataBehindInsertion: the insertion of a packet whose data still arrives
// ends with its host DMA at the earliest.
func TestDataBehindInsertion(t *testing.T) {
	r := newRig(t, setup{})
	n := r.nics[0]
	w := r.watch()
	record := &ni.Record{}
	r.progs[0].on("timer", func() {
		n.HostDMA(&ni.DMA{Dir: ni.ToNI, Bytes: 1000, Record: record})
		n.Send(r.packet(0, trace.Data, 100), record)
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, []string{"timer", "sent", "hostdone"}, r.progs[0].calls())
	require.Equal(t, []string{"t3", "t5", "t2", "t4"}, w.calls(0))
	require.Equal(t, w.when(t, "t2", 0), w.when(t, "t4", 0))
}

// TestInstantsOfCopies: the data of a packet for several receivers is fetched
// for all of them at once.
func TestInstantsOfCopies(t *testing.T) {
	r := newRig(t, setup{})
	n := r.nics[0]
	w := r.watch()
	second := &ni.Record{Arg: 2}
	first := &ni.Record{Arg: 1, Copy: second}
	r.progs[0].on("timer", func() { n.HostDMA(&ni.DMA{Dir: ni.ToNI, Bytes: 100, Record: first}) })
	n.SetTimer(sim.Time(us))
	r.run(t)
	at := r.progs[0].first(t, "hostdone").seen
	require.Equal(t, []heard{{"t2", 1, at}, {"t2", 2, at}}, *w.log)
	require.Equal(t, first.Ready, second.Ready)
	require.Nil(t, first.Copy, "from here on they are apart")
}

// TestRepeatedPacket: a packet that is sent again has the length that it had,
// is not observed at the sender, and reaches the probe of the receiver.
func TestRepeatedPacket(t *testing.T) {
	r := newRig(t, setup{})
	n := r.nics[0]
	w := r.watch()
	w.words = 3
	var sizes []int
	r.progs[0].on("timer", func() {
		for _, flags := range []uint8{0, ni.FlagRepeated} {
			k := r.packet(0, trace.Data, 100)
			k.Header.Flags = flags
			n.Send(k, &ni.Record{})
		}
	})
	r.progs[1].release = false
	n.SetTimer(sim.Time(us))
	r.run(t)
	for _, k := range r.progs[1].held {
		sizes = append(sizes, k.WireBytes)
	}
	require.Equal(t, []int{112, 112}, sizes)
	require.Equal(t, []string{"t3", "t5", "t4", "t5"}, w.calls(0))
	require.Equal(t, []string{"timer", "sent", "sent"}, r.progs[0].calls())
}
