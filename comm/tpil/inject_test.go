package tpil

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// round is a machine whose buses need no set-up, so that a bus carries the bytes of transfers.
func round() Machine {
	const ns = sim.Nanosecond
	return Machine{
		Host: host.Spec{
			CPUs: 1, Clock: sim.Hz(100e6), CacheLine: 32, L2KB: 256,
			MemBus: 400e6, MemRead: 200e6, MemWrite: 100e6, CopyHit: 400e6, CopyMiss: 100e6, IOBus: 100e6,
			PIOWrite: 100 * ns, PIOLine: 400 * ns, PIORead: 500 * ns, PollNotice: 100 * ns,
			Interrupt: host.Interrupt{Delivery: sim.Microsecond, Entry: 2 * sim.Microsecond, Return: sim.Microsecond},
		},
		Card: ni.Spec{
			ClockHz: 100e6, SRAMBytes: 1 << 20, SRAMBusMBps: 400, NetDMAMBps: 100,
			HostDMASetupUs: 1, HostDMAToNIMBps: 100, HostDMAToHostMBps: 100,
			RequestSlots: 16, RequestBytes: 64, ReceiveBuffers: 2, BufferBytes: 4096,
			Queues: ni.Queues{Place: "sram", UnitBytes: 4}, Loop: ni.Loop{TestCycles: 2, HostStartCycles: 5, CheckEveryCycles: 16},
		},
		TPIL: Spec{BufferBytes: 16384, ProgramWords: 4, Call: 2 * sim.Microsecond, Pin: sim.Microsecond},
	}
}

// own are transfers of the card's own.
type own struct {
	ni.Bare
	nic  *ni.NIC
	dma  ni.DMA
	left int
}

func (o *own) Timer() { o.nic.HostDMA(&o.dma) }
func (o *own) HostDone(*ni.DMA, sim.Time) {
	if o.left--; o.left > 0 {
		o.nic.HostDMA(&o.dma)
	}
}

// TestEveryByteOnce: whatever the mechanism, the place and the length, and whatever the card
// transfers beside it, the bytes of an injection cross once, no transfer is longer than its
// mechanism allows, and when the injection returns nothing is under way.
func TestEveryByteOnce(t *testing.T) {
	m := round()
	rapid.Check(t, func(t *rapid.T) {
		b, err := newBench(m, 1, 1<<17)
		require.NoError(t, err)
		defer b.engine.Close()
		how := rapid.SampledFrom([]Mechanism{Word, OneCopy, DoubleBuffered, ZeroCopy}).Draw(t, "mechanism")
		o := &own{nic: b.injector.card, left: rapid.IntRange(0, 40).Draw(t, "transfers of the card")}
		o.dma = ni.DMA{Dir: ni.ToHost, Bytes: rapid.IntRange(1, 3000).Draw(t, "their bytes")}
		cards := o.left * o.dma.Bytes
		b.injector.card.Load(o)
		if o.left > 0 {
			b.injector.card.SetTimer(sim.Time(rapid.IntRange(0, 100).Draw(t, "from, µs")) * sim.Time(sim.Microsecond))
		}
		total := 0
		var words uint64
		b.host.Go("program", host.Application, func(c *host.Context) {
			for range rapid.IntRange(1, 4).Draw(t, "injections") {
				at := rapid.IntRange(0, 8191).Draw(t, "at")
				n := rapid.IntRange(0, 60000).Draw(t, "bytes")
				b.injector.By(c, how, b.source+host.Addr(at), n)
				total += n
				words += uint64(n+3) / 4
				if b.injector.pending > 0 || len(b.injector.parts) > 0 {
					t.Fatalf("%d transfers under way, %d not started", b.injector.pending, len(b.injector.parts))
				}
			}
		})
		err = b.engine.Run(sim.Never)
		if _, serves := err.(*sim.DeadlockError); err != nil && !serves {
			t.Fatal(err)
		}
		limit := map[Mechanism]int{OneCopy: 16384, DoubleBuffered: 8192, ZeroCopy: host.PageBytes}[how]
		require.LessOrEqual(t, b.injector.longest, limit)
		if how.PIO() {
			require.Equal(t, words, b.host.Stats().Stored)
			total = 0
		}
		require.EqualValues(t, total+cards, b.host.Pool().Stats(host.SRAM).Bytes)
	})
}

// TestCopyBesideTransfer: with two halves the copy of one takes place while the other is read.
func TestCopyBesideTransfer(t *testing.T) {
	m := round()
	one, err := m.Measure(OneCopy, 1<<18, 1)
	require.NoError(t, err)
	two, err := m.Measure(DoubleBuffered, 1<<18, 1)
	require.NoError(t, err)
	require.InDelta(t, 2*2621, one.Took.Us(), 300, "the copy and the transfer, 2621 µs each")
	require.InDelta(t, 2621, two.Took.Us(), 400)
}
