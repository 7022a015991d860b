package sockets_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// transfer sends total bytes there in parts, gets each back, and returns what came
// and the first error.
func transfer(r *rig, total, part int) (sent, got []byte, err error) {
	sent = random(9, total)
	r.pair(func(x *host.Context, c *sockets.Conn) {
		space := c.Stack().Space()
		a, b := space.Alloc(int64(total)), space.Alloc(int64(total))
		space.WriteAt(a, sent)
		for i := 0; i < total && err == nil; i += part {
			n := min(part, total-i)
			if _, e := c.Write(x, a+host.Addr(i), n); e != nil {
				keep(&err, fmt.Errorf("near writes: %w", e))
			} else if _, e := c.ReadFull(x, b+host.Addr(i), n); e != nil {
				keep(&err, fmt.Errorf("near reads: %w", e))
			}
		}
		keep(&err, c.Close(x))
		got = make([]byte, total)
		space.ReadAt(b, got)
	}, func(x *host.Context, c *sockets.Conn) {
		space := c.Stack().Space()
		a := space.Alloc(8192)
		for {
			n, e := c.Read(x, a, 8192)
			if e != nil {
				if c.Ended() && e != sockets.ErrDamaged {
					return
				}
				keep(&err, fmt.Errorf("far reads: %w", e))
				_ = c.Close(x)
				return
			}
			if _, e := c.Write(x, a, n); e != nil {
				keep(&err, fmt.Errorf("far writes: %w", e))
				_ = c.Close(x)
				return
			}
		}
	})
	if e := r.run(20 * sim.Second); e != nil {
		err = errors.Join(err, e)
	}
	return sent, got, err
}

func TestFaultsThatAreSurvived(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults fabric.Faults
		begin  func(*rig)
	}{
		{"bit errors", fabric.Faults{ErrorPerByte: 1e-6}, nil},
		{"many bit errors", fabric.Faults{ErrorPerByte: 2e-5}, nil},
		{"a stalled node", fabric.Faults{}, func(r *rig) {
			r.c.Net.Stall(fabric.Stall{Node: 1, At: sim.Time(3 * sim.Millisecond), For: 60 * sim.Millisecond})
		}},
		{"lost acknowledgements", fabric.Faults{}, func(r *rig) {
			draw := r.c.Engine.Stream("test/acknowledgements")
			r.c.Net.DropWhen(func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Ack && draw.Float64() < 0.2 })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, 2, 4, sockets.Default(), c.faults)
			if c.begin != nil {
				c.begin(r)
			}
			sent, got, err := transfer(r, 1_000_000, 20_000)
			require.NoError(t, err)
			require.True(t, bytes.Equal(sent, got))
			repeated := r.c.Nodes[0].VMMC.Stats().Retransmitted + r.c.Nodes[1].VMMC.Stats().Retransmitted
			require.NotZero(t, repeated+r.c.Net.Stats().Dropped, "the fault was there")
		})
	}
}

// TestUnseenCorruption lets errors through that the checksum of a packet does not show.
// Whatever they hit, the programs end: with the right bytes, with wrong ones
// that the fabric has counted, or with an error; or the run says who waits.
func TestUnseenCorruption(t *testing.T) {
	outcomes := map[string]int{}
	runs := 40
	if testing.Short() {
		runs = 10
	}
	for seed := range uint64(runs) {
		total, part, faults := 200_000, 20_000, fabric.Faults{ErrorPerByte: 2e-4, BurstBytes: 6}
		if seed%2 == 1 {
			total, part, faults.ErrorPerByte = 20_000, 50, 2e-3 // entries only
		}
		r := newRig(t, 2, seed, sockets.Default(), faults)
		sent, got, err := transfer(r, total, part)
		unseen := r.c.Net.Stats().Undetected
		switch {
		case err != nil:
			require.NotZero(t, unseen, "seed %d: %v", seed, err)
			outcomes["error"]++
			t.Logf("seed %d: %v", seed, err)
		case !bytes.Equal(sent, got):
			require.NotZero(t, unseen, "seed %d", seed)
			outcomes["wrong bytes, counted"]++
		default:
			outcomes["right"]++
		}
	}
	t.Log(outcomes)
	require.NotZero(t, outcomes["right"])
}

// TestDamagedEntry deposits entries that cannot be. Whoever waits on the
// connection goes on with an error, after what had come before.
func TestDamagedEntry(t *testing.T) {
	for name, line := range map[string][]byte{
		"kind":            {2, 0, 0, 0, 1, 0, 0, 9, 0, 0, 0, 0},
		"too long":        {2, 0, 0, 0, 57, 0, 0, 1, 0, 0, 0, 0},
		"empty":           {2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
		"number":          {3, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0},
		"far number":      {2, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0},
		"past number":     {194, 255, 255, 255, 1, 0, 0, 1, 0, 0, 0, 0},
		"end with bytes":  {2, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0},
		"place in a ring": {2, 0, 0, 0, 1, 0, 0, 2, 0, 16, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 2, 1, sockets.Default(), fabric.Faults{})
			r.pair(func(x *host.Context, c *sockets.Conn) {
				_, err := write(x, c, []byte("good"))
				require.NoError(t, err)
				x.Sleep(sim.Millisecond)
				require.NoError(t, c.Close(x))
			}, func(x *host.Context, c *sockets.Conn) {
				x.Sleep(200 * sim.Microsecond)
				sockets.Deposit(c, 1, line)
				b, err := read(x, c, 100)
				require.NoError(t, err)
				require.Equal(t, "good", string(b))
				_, err = read(x, c, 100)
				require.ErrorIs(t, err, sockets.ErrDamaged)
				_, err = write(x, c, []byte("more"))
				require.ErrorIs(t, err, sockets.ErrDamaged)
				require.ErrorIs(t, c.Close(x), sockets.ErrDamaged)
				require.EqualValues(t, 1, c.Stack().Stats().Damaged)
			})
			require.NoError(t, r.run(sim.Second))
		})
	}
}

// TestEntryAheadOfItsData: an entry that has overtaken its data announces nothing until all of the
// data has come, also where a page comes in several packets.
func TestEntryAheadOfItsData(t *testing.T) {
	r := newRig(t, 2, 1, sockets.Default(), fabric.Faults{})
	r.pair(func(*host.Context, *sockets.Conn) {}, func(x *host.Context, c *sockets.Conn) {
		want := random(1, 3000)
		sockets.Deposit(c, 0, []byte{1, 0, 0, 0, 0xb8, 0x0b, 0, 2, 0, 0, 0, 0}) // 3000 B from position 0
		for at := 0; at < 3000; at += 1000 {
			require.Zero(t, c.Buffered(), "%d B have come", at)
			sockets.Land(c, at, want[at:at+1000])
		}
		require.Equal(t, 3000, c.Buffered())
		b, err := read(x, c, 3000)
		require.NoError(t, err)
		require.Equal(t, want, b)
	})
	require.NoError(t, r.run(sim.Second))
}

// TestDataAheadOfEarlierBytes: what was put into a reader's buffer before it was known that
// other bytes precede it is at the wrong place. The reader gets an error, not wrong bytes.
func TestDataAheadOfEarlierBytes(t *testing.T) {
	r := newRig(t, 2, 1, sockets.Default(), fabric.Faults{})
	var reader *sockets.Conn
	r.pair(func(x *host.Context, _ *sockets.Conn) {
		x.Sleep(sim.Millisecond) // the other side reads
		sockets.Land(reader, 0, random(1, 3000))
		sockets.Deposit(reader, 0, []byte{1, 0, 0, 0, 4, 0, 0, 1, 'b', 'y', 't', 'e'})
		sockets.Deposit(reader, 1, []byte{2, 0, 0, 0, 0xb8, 0x0b, 0, 2, 0, 0, 0, 0})
	}, func(x *host.Context, c *sockets.Conn) {
		reader = c
		_, err := c.ReadFull(x, c.Stack().Space().Alloc(4096), 3004)
		require.ErrorIs(t, err, sockets.ErrDamaged)
		require.EqualValues(t, 3000, c.Stack().Stats().Redirected)
	})
	require.NoError(t, r.run(sim.Second))
}

// TestDataOlderThanTheBuffer: a packet whose DMA began before the reader posted its buffer is on
// its way to the ring. The reader finds it there.
func TestDataOlderThanTheBuffer(t *testing.T) {
	r := newRig(t, 2, 1, sockets.Default(), fabric.Faults{})
	want := random(1, 3000)
	var reader *sockets.Conn
	r.pair(func(x *host.Context, _ *sockets.Conn) {
		for reader == nil || !sockets.Posted(reader) {
			x.Sleep(sim.Microsecond)
		}
		sockets.Land(reader, 0, want)
		sockets.Deposit(reader, 0, []byte{1, 0, 0, 0, 0xb8, 0x0b, 0, 2, 0, 0, 0, 0})
	}, func(x *host.Context, c *sockets.Conn) {
		reader = c
		got, err := read(x, c, 3000)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Zero(t, c.Stack().Stats().Redirected)
	})
	require.NoError(t, r.run(sim.Second))
}
