package verbs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// crossing is a packet of data of node 0 on its way.
type crossing struct {
	seq    uint32
	repeat bool
	lost   bool
}

// losing makes the network lose some of node 0's packets of data, counted from 1, and returns all in their order.
func losing(r *testbed.Test, lost ...int) *[]crossing {
	all := &[]crossing{}
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src != 0 || p.Header.Meta.Kind != trace.Data && p.Header.Meta.Kind != trace.Request {
			return false
		}
		x := crossing{seq: p.Header.Seq, repeat: p.Header.Flags&ni.FlagRepeated != 0}
		for _, n := range lost {
			x.lost = x.lost || n == len(*all)+1
		}
		*all = append(*all, x)
		return x.lost
	})
	return all
}

// losingAgain makes the network lose one of node 0's packets, by its number, so many times.
func losingAgain(r *testbed.Test, seq uint32, times int) {
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		lost := p.Src == 0 && p.Header.Seq == seq && times > 0
		if lost {
			times--
		}
		return lost
	})
}

// again returns the numbers of the packets that are sent again.
func again(all []crossing) (seqs []uint32) {
	for _, x := range all {
		if x.repeat {
			seqs = append(seqs, x.seq)
		}
	}
	return
}

// writes writes so many packets of 1 KB as one write, and checks what has come.
func writes(t *testing.T, r *testbed.Test, s [2]side, packets int) {
	want := s[0].fill(3, 0, packets*1024)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Write(c, s[0].at, len(want), s[1].region, 0, data, 0, true))
		require.NoError(t, s[0].process.AwaitCompletion(c).Err)
	})
	require.Equal(t, want, s[1].bytes(0, len(want)))
	require.True(t, s[0].node.Quiet() && s[1].node.Quiet())
	require.Zero(t, r.Net.InUse())
}

// TestSelectiveRepeat: what is lost is sent again, alone and at once; also what is lost twice, and three times.
func TestSelectiveRepeat(t *testing.T) {
	for _, x := range []struct {
		lost  []int
		again []uint32
	}{
		{[]int{5}, []uint32{4}},
		{[]int{5, 6, 20}, []uint32{4, 5, 19}},
		{[]int{1}, []uint32{0}},
	} {
		r, s := two(t, 60*1024)
		all := losing(r, x.lost...)
		writes(t, r, s, 60)
		require.Equal(t, x.again, again(*all))
		require.Zero(t, s[0].node.Stats().Timeouts)
		require.Zero(t, s[1].node.Stats().Duplicates)
		require.EqualValues(t, len(x.again), s[0].node.Stats().Repeated)
	}
	for times := 1; times < 4; times++ {
		r, s := two(t, 400*1024)
		losingAgain(r, 9, times)
		writes(t, r, s, 400)
		require.EqualValues(t, times, s[0].node.Stats().Repeated)
		require.Zero(t, s[0].node.Stats().Timeouts)
		require.Zero(t, s[1].node.Stats().Duplicates)
	}
}

// TestFewAreKept: a card that keeps track of few packets behind a gap needs the others again, once.
func TestFewAreKept(t *testing.T) {
	r, s := two(t, 8*1024, with(func(s *verbs.Spec) { s.Selective = 4 }))
	all := losing(r, 1)
	writes(t, r, s, 8)
	require.Equal(t, []uint32{0, 4, 5, 6, 7}, again(*all))
	require.Zero(t, s[0].node.Stats().Timeouts)
}

// TestAskedForAgain: a card that goes back is asked again when the packet to which it has gone back is lost once more.
func TestAskedForAgain(t *testing.T) {
	for times := 1; times < 4; times++ {
		r, s := two(t, 60*1024, goesBack)
		losingAgain(r, 9, times)
		writes(t, r, s, 60)
		require.EqualValues(t, times, s[1].node.Stats().Naks, "one each time")
		require.Zero(t, s[0].node.Stats().Timeouts)
	}
}

// TestAnswerAskedForAgain: the same of the first packet of an answer.
func TestAnswerAskedForAgain(t *testing.T) {
	r, s := two(t, 60*1024)
	want, left := s[1].fill(5, 0, 60*1024), 3
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 1 && p.Header.Meta.Kind == trace.Reply && p.Header.Flags&ni.FlagFirst != 0 && left > 0 {
			left--
			return true
		}
		return false
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Read(c, s[0].at, 60*1024, s[1].region, 0, data, 0, true))
		require.NoError(t, s[0].process.AwaitCompletion(c).Err)
	})
	require.Equal(t, want, s[0].bytes(0, len(want)))
	require.Zero(t, s[0].node.Stats().Timeouts)
	require.EqualValues(t, 3, s[0].node.Stats().Repeated)
}

// TestWhatHasToComeInItsTurn: behind a gap notices, messages and requests are not kept, and come again.
func TestWhatHasToComeInItsTurn(t *testing.T) {
	r, s := two(t, 8192)
	told := 0
	region, err := s[1].process.Export(s[1].at, 8192, func(deposit.Arrival) { told++ })
	require.NoError(t, err)
	all := losing(r, 1)
	var old uint64
	r.Go(func(c *host.Context, _ *testbed.Process) {
		m, err := s[0].process.Import(region)
		require.NoError(t, err)
		q := s[0].process.Pair(1)
		require.NoError(t, q.Write(c, s[0].at, 1024, region.(*verbs.Region), 0, data, 0, true))        // 0: lost
		require.NoError(t, q.Write(c, s[0].at, 1024, region.(*verbs.Region), 0, data, 1, true))        // 1: kept
		require.NoError(t, s[0].process.Send(c, s[0].at, m, 0, 1024, data, true))                      // 2: notice
		require.NoError(t, q.Read(c, s[0].at+4096, 1024, region.(*verbs.Region), 4096, data, 3, true)) // 3
		require.NoError(t, q.Write(c, s[0].at, 1024, region.(*verbs.Region), 0, data, 4, true))        // 4: kept
		require.NoError(t, q.FetchAdd(c, region.(*verbs.Region), 4096, 3, &old, data, 5, true))        // 5
		for i := range 5 {
			require.Equal(t, []uint64{0, 1, 3, 4, 5}[i], s[0].process.AwaitCompletion(c).ID)
		}
		c.Sleep(10 * us)
	})
	require.Equal(t, []uint32{0, 2, 3, 5}, again(*all))
	require.Equal(t, 1, told)
	require.EqualValues(t, 3, little(s[1].bytes(4096, 8)))
	require.Zero(t, s[0].node.Stats().Timeouts)
	require.Zero(t, s[1].node.Stats().Duplicates)
}

// TestEarlyDataIsSeenInOrder: a later write to the same bytes wins, and the owner of a region hears of writes in their order.
func TestEarlyDataIsSeenInOrder(t *testing.T) {
	r, s := two(t, 1024)
	losing(r, 2, 3)
	var seen []uint32
	s[1].region.OnWrite(func(a deposit.Arrival) {
		seen = append(seen, s[1].process.Space().Load32(s[1].at))
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for i := range uint32(8) {
			s[0].process.Space().Store32(s[0].at, i)
			require.NoError(t, s[0].pair.Write(c, s[0].at, 4, s[1].region, 0, data, uint64(i), true)) // in the entry
		}
		for range 8 {
			require.NoError(t, s[0].process.AwaitCompletion(c).Err)
		}
	})
	require.Equal(t, []uint32{0, 1, 2, 3, 4, 5, 6, 7}, seen)
	require.EqualValues(t, 2, s[0].node.Stats().Repeated)
}

// TestAdaptiveRetransmission: the time until packets are sent again doubles up to the time of a card without it, and a pair
// fails after the same time.
func TestAdaptiveRetransmission(t *testing.T) {
	const unit = 4096 * sim.Nanosecond
	times := func(first int) (gaps []int, failed sim.Duration) {
		r, s := two(t, 8, with(func(s *verbs.Spec) { s.FirstTimeout, s.Timeout, s.Retries = first, 8, 3 }))
		var before sim.Time
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			if now := r.Engine.Now(); before > 0 {
				gaps = append(gaps, int(now.Sub(before)/unit))
			}
			before = r.Engine.Now()
			return true
		})
		r.Go(func(c *host.Context, _ *testbed.Process) {
			require.NoError(t, s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
			began := c.Now()
			require.ErrorContains(t, s[0].process.AwaitCompletion(c).Err, "has not answered")
			failed = c.Now().Sub(began)
		})
		return
	}
	plain, without := times(0)
	require.Equal(t, []int{256, 256, 256}, plain)
	adaptive, with := times(5)
	require.Equal(t, []int{32, 64, 128, 256, 256, 256}, adaptive)
	require.InEpsilon(t, without.Us(), with.Us(), 0.25)
	require.Greater(t, with, without)
}

// TestLossesOfAllSorts: whatever is lost, in both directions, by cards of both kinds, operations have the results that they
// have in their order, each once.
func TestLossesOfAllSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		kept := rapid.SampledFrom([]int{0, 3, 64}).Draw(t, "kept")
		rate := rapid.SampledFrom([]float64{0.02, 0.1, 0.2}).Draw(t, "rate")
		const size, words = 16384, 4
		r, s := two(t, size, with(func(s *verbs.Spec) {
			s.Selective, s.FirstTimeout, s.Timeout, s.Retries, s.Window, s.SendDepth = kept, 2, 10, 7, 3, 8
		}))
		g := rand.New(rand.NewPCG(seed, 2))
		dropped := 0
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			if g.Float64() < rate && dropped < 150 {
				dropped++
				return true
			}
			return false
		})
		memory, sums := make([]byte, size), make([]uint64, words)
		s[1].process.Space().WriteAt(s[1].at, memory)
		r.Go(func(c *host.Context, _ *testbed.Process) {
			q := s[0].pair
			want, under := map[uint64]func(){}, 0
			take := func() {
				x := s[0].process.AwaitCompletion(c)
				if x.Err != nil {
					t.Fatalf("%v", x.Err)
				}
				if check := want[x.ID]; check != nil {
					check()
				}
				under--
			}
			source := 0
			for i := range uint64(30) {
				for under >= 6 {
					take()
				}
				n, at := 1+g.IntN(3000), words*8+g.IntN(size-words*8-3000)
				var err error
				switch g.IntN(4) {
				case 0, 1:
					if source+n > size { // what was written from there has completed
						for under > 0 {
							take()
						}
						source = 0
					}
					b := s[0].fill(g.Uint64(), source, n)
					copy(memory[at:], b)
					err = q.Write(c, s[0].at+host.Addr(source), n, s[1].region, at, data, i, true)
					source += n
				case 2:
					word, add, old := g.IntN(words), g.Uint64(), new(uint64)
					before := sums[word]
					sums[word] += add
					err = q.FetchAdd(c, s[1].region, 8*word, add, old, data, i, true)
					want[i] = func() {
						if *old != before {
							t.Fatalf("operation %d found %d, want %d", i, *old, before)
						}
					}
				case 3:
					for under > 0 {
						take()
					}
					source = 0
					if err := q.Read(c, s[0].at, n, s[1].region, at, data, i, true); err != nil {
						t.Fatalf("%v", err)
					}
					under++
					take()
					if got := s[0].bytes(0, n); string(got) != string(memory[at:at+n]) {
						t.Fatalf("read %d of %d B at %d differs", i, n, at)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%v", err)
				}
				under++
			}
			for under > 0 {
				take()
			}
			c.Sleep(2 * sim.Millisecond)
		})
		if got := s[1].bytes(words*8, size-words*8); string(got) != string(memory[words*8:]) {
			t.Fatalf("memory differs")
		}
		for i, sum := range sums {
			if got := little(s[1].bytes(8*i, 8)); got != sum {
				t.Fatalf("word %d is %d, want %d", i, got, sum)
			}
		}
	})
}

// TestLastResultsAreKept: results are kept by the numbers of the operations, which end in any order.
func TestLastResultsAreKept(t *testing.T) {
	require.Equal(t, []uint32{34, 37, 38}, verbs.Kept(3, 34, 33, 37, 38))
	require.Equal(t, []uint32{1<<32 - 1, 0, 1}, verbs.Kept(3, 0, 1<<32-2, 1<<32-1, 1))
}
