package sockets_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// direction is one stream of a random connection: what is written, in which
// pieces, and how it is read.
type direction struct {
	data     []byte
	writes   []step
	reads    []step // used again and again until the stream ends
	received []byte
	wrong    error
}

// step is one call.
type step struct {
	bytes int
	skew  int // of the buffer from the beginning of a page
	pause sim.Duration
	full  bool
}

func drawSteps(t *rapid.T, name string, n int) []step {
	size := rapid.OneOf(
		rapid.IntRange(1, 120), rapid.IntRange(1, 5000), rapid.SampledFrom([]int{56, 57, 112, 113, 4095, 4096, 4097, 8192, 40000}))
	skew := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, host.PageBytes-1))
	pause := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 300))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			size.Draw(t, "bytes"), skew.Draw(t, "skew"),
			sim.Duration(pause.Draw(t, "pause")) * sim.Microsecond, rapid.Bool().Draw(t, "full"),
		}
	}), 1, n).Draw(t, name)
}

func drawDirection(t *rapid.T, name string, seed uint64) *direction {
	d := &direction{writes: drawSteps(t, name+" writes", 30), reads: drawSteps(t, name+" reads", 8)}
	total := 0
	for _, w := range d.writes {
		total += w.bytes
	}
	d.data = random(seed, total)
	return d
}

func random(seed uint64, n int) []byte {
	s := sim.NewStream(seed, "bytes")
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint64())
	}
	return b
}

const slack = 64 << 10

// write is the program that writes d and spoils its buffer after each call.
func (d *direction) write(x *host.Context, c *sockets.Conn) error {
	space := c.Stack().Space()
	buffer := space.Alloc(2 * slack)
	rest := d.data
	for _, w := range d.writes {
		a := buffer + host.Addr(w.skew)
		space.WriteAt(a, rest[:w.bytes])
		n, err := c.Write(x, a, w.bytes)
		if err != nil {
			return err
		}
		if n != w.bytes {
			return fmt.Errorf("wrote %d of %d B without an error", n, w.bytes)
		}
		space.WriteAt(a, make([]byte, w.bytes))
		rest = rest[w.bytes:]
		x.Sleep(w.pause)
	}
	return c.CloseWrite(x)
}

// read is the program that reads d to its end. Nothing but what a read
// returns may change its buffer, then or later.
func (d *direction) read(x *host.Context, c *sockets.Conn) error {
	space := c.Stack().Space()
	buffer := space.Alloc(2 * slack)
	poison := bytes.Repeat([]byte{0xa5}, 2*slack)
	now := make([]byte, 2*slack)
	space.WriteAt(buffer, poison)
	for i := 0; ; i++ {
		r := d.reads[i%len(d.reads)]
		a := buffer + host.Addr(r.skew)
		var n int
		var err error
		if r.full {
			n, err = c.ReadFull(x, a, r.bytes)
		} else {
			n, err = c.Read(x, a, r.bytes)
		}
		x.Sleep(r.pause)
		near := now[:r.skew+r.bytes+1000]
		space.ReadAt(buffer, near)
		got := near[r.skew : r.skew+n]
		d.received = append(d.received, got...)
		copy(got, poison)
		if !bytes.Equal(near, poison[:len(near)]) {
			return fmt.Errorf("read %d returned %d B at %d and changed other bytes of the buffer", i, n, r.skew)
		}
		space.WriteAt(a, got)
		switch {
		case err == io.EOF && n == 0:
			return nil
		case err == io.ErrUnexpectedEOF && r.full && n > 0 && n < r.bytes:
		case err != nil:
			return err
		case n == 0 || r.full && n != r.bytes:
			return fmt.Errorf("read %d returned %d of %d B (full: %t) without an error", i, n, r.bytes, r.full)
		}
	}
}

// check compares what came with what was sent.
func (d *direction) check(t require.TestingT, name string) {
	require.NoError(t, d.wrong, name)
	require.Equal(t, len(d.data), len(d.received), name)
	for i := range d.data {
		if d.data[i] != d.received[i] {
			require.Failf(t, "wrong byte", "%s: byte %d of %d", name, i, len(d.data))
		}
	}
}

// TestStreams holds random connections, both directions at once, against
// slices of bytes.
func TestStreams(t *testing.T) {
	var total sockets.Stats
	var repeated, cases uint64
	rapid.Check(t, func(rt *rapid.T) {
		cases++
		spec := sockets.Spec{
			RingBytes:     rapid.SampledFrom([]int{16384, 32768, 65536}).Draw(rt, "ring"),
			Entries:       rapid.SampledFrom([]int{8, 16, 64}).Draw(rt, "entries"),
			CopyBytes:     rapid.SampledFrom([]int{0, 200, 4096}).Draw(rt, "copy"),
			RedirectBytes: rapid.SampledFrom([]int{0, 1, 1024}).Draw(rt, "redirect"),
			Blocking:      rapid.Bool().Draw(rt, "blocking"),
		}
		p, err := platform.Load("shrimp")
		require.NoError(rt, err)
		p.Host.Quantum = 200 * sim.Microsecond // programs of a node that spin hand over
		seed := rapid.Uint64().Draw(rt, "seed")
		built := cluster.Spec{Profile: p, Nodes: 2, Seed: seed, Options: monitor.Options{Build: monitor.Off}}
		built.Faults.ErrorPerByte = rapid.SampledFrom([]float64{0, 0, 1e-5}).Draw(rt, "errors")
		r := newRigOn(t, built, spec)
		defer r.c.Engine.Close()
		acks, lost, sent := rapid.Bool().Draw(rt, "lost acknowledgements"), rapid.IntRange(0, 3).Draw(rt, "lost packet"), 0
		draw := r.c.Engine.Stream("test/acknowledgements")
		r.c.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Header.Meta.Kind.CarriesRequest() {
				sent++
				return sent == lost
			}
			return acks && p.Header.Meta.Kind == trace.Ack && draw.Float64() < 0.1
		})
		there, back := drawDirection(rt, "there", seed), drawDirection(rt, "back", seed+1)
		var ends [2]*sockets.Conn
		if rapid.Bool().Draw(rt, "counters near their end") {
			r.pair(func(_ *host.Context, c *sockets.Conn) { ends[0] = c }, func(_ *host.Context, c *sockets.Conn) { ends[1] = c })
			require.NoError(rt, r.run(sim.Second))
			for i := range ends {
				sockets.SkipTo(ends[i], ends[1-i], uint32(-spec.RingBytes), uint32(-spec.Entries))
			}
		} else {
			r.pair(func(_ *host.Context, c *sockets.Conn) { ends[0] = c }, func(_ *host.Context, c *sockets.Conn) { ends[1] = c })
			require.NoError(rt, r.run(sim.Second))
		}
		r.program(0, func(x *host.Context, _ *sockets.Stack) { keep(&there.wrong, there.write(x, ends[0])) })
		r.program(1, func(x *host.Context, _ *sockets.Stack) { keep(&there.wrong, there.read(x, ends[1])) })
		r.program(1, func(x *host.Context, _ *sockets.Stack) { keep(&back.wrong, back.write(x, ends[1])) })
		r.program(0, func(x *host.Context, _ *sockets.Stack) { keep(&back.wrong, back.read(x, ends[0])) })
		require.NoError(rt, r.run(30*sim.Second))
		there.check(rt, "there")
		back.check(rt, "back")
		for i := range 2 {
			add(&total, r.net.Stack(i).Stats())
			repeated += r.c.Nodes[i].VMMC.Stats().Retransmitted
		}
	})
	t.Logf("%d cases: %+v, %d packets sent again", cases, total, repeated)
	require.Zero(t, total.Damaged)
	if testing.Short() {
		return // a fifth of the cases, too few to meet all of these
	}
	require.NotZero(t, total.Redirected)
	require.NotZero(t, total.Drained)
	require.NotZero(t, total.Waits)
	require.NotZero(t, repeated)
}

func keep(to *error, err error) {
	if *to == nil {
		*to = err
	}
}

func add(to *sockets.Stats, s sockets.Stats) {
	to.Connections += s.Connections
	to.Written += s.Written
	to.Read += s.Read
	to.Inline += s.Inline
	to.Bulk += s.Bulk
	to.Copied += s.Copied
	to.Redirected += s.Redirected
	to.Drained += s.Drained
	to.Credits += s.Credits
	to.Waits += s.Waits
	to.Damaged += s.Damaged
}
