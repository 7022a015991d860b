package sim

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lost is an entry of a flow's losses.
type lost struct {
	capacity int
	owner    uint32
	us       float64
}

func TestLosses(t *testing.T) {
	type flow struct {
		bytes   int64
		limit   Rate
		uses    uint32
		startUs float64
		want    []lost
	}
	for name, c := range map[string]struct {
		caps  []Rate
		flows []flow
	}{
		"alone":        {[]Rate{100 * mb}, []flow{{1000, Infinite, 1, 0, nil}}},
		"room for all": {[]Rate{100 * mb}, []flow{{600, 60 * mb, 1, 0, nil}, {400, 40 * mb, 1, 0, nil}}},
		"two equal ones": {[]Rate{100 * mb}, []flow{
			{1000, Infinite, 1, 0, []lost{{0, 2, 10}}}, {1000, Infinite, 1, 0, []lost{{0, 1, 10}}}}},
		"one comes later": {[]Rate{100 * mb}, []flow{
			{1000, Infinite, 1, 0, []lost{{0, 2, 5}}}, {500, Infinite, 1, 5, []lost{{0, 1, 5}}}}},
		"by the rates of the others": {[]Rate{100 * mb}, []flow{ // 20, 40 and 40 MB/s
			{200, 20 * mb, 1, 0, nil}, {400, Infinite, 1, 0, []lost{{0, 1, 2}, {0, 3, 4}}}, {400, Infinite, 1, 0, []lost{{0, 1, 2}, {0, 2, 4}}}}},
		"at the capacity that is short": {[]Rate{100 * mb, 40 * mb}, []flow{
			{800, Infinite, 1, 0, []lost{{0, 2, 2}}}, {200, Infinite, 3, 0, []lost{{1, 3, 5}}}, {200, Infinite, 2, 0, []lost{{1, 2, 5}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			e := New(1)
			p := NewPool(e, "bus", c.caps...)
			p.Account()
			flows := make([]Flow, len(c.flows))
			for i, f := range c.flows {
				flows[i].Owner = uint32(i + 1)
				at(e, f.startUs, func() { p.Start(&flows[i], f.bytes, f.limit, f.uses, call(func() {}), 0, 0) })
			}
			require.NoError(t, e.Run(Never))
			for i, f := range c.flows {
				var got []lost
				flows[i].Losses(func(capacity int, owner uint32, d Duration) {
					got = append(got, lost{capacity, owner, float64(d) / float64(Microsecond)})
				})
				require.Equal(t, f.want, got, "flow %d", i)
			}
		})
	}
}

func TestLossOfWhatIsTaken(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 100*mb)
	p.Account()
	p.Taken(0, 9)
	var f Flow
	p.Start(&f, 1000, Infinite, 1, call(func() {}), 0, 0)
	at(e, 5, func() { p.SetCapacity(0, 50*mb) })
	require.NoError(t, e.Run(Never))
	require.Equal(t, Time(15*Microsecond), e.Now())
	f.Losses(func(capacity int, owner uint32, d Duration) {
		require.Equal(t, lost{0, 9, 5}, lost{capacity, owner, float64(d) / float64(Microsecond)})
	})
}

// TestLossesAreExact: between a start or resumption and the end or pause that follows,
// the time of the bytes alone and the losses sum to the whole time.
func TestLossesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New(1)
		caps := rapid.SliceOfN(rapid.Int64Range(1, 400), 1, 3).Draw(t, "capacities")
		rates := make([]Rate, len(caps))
		for i, c := range caps {
			rates[i] = Rate(c * mb)
		}
		p := NewPool(e, "bus", rates...)
		p.Account()
		n := rapid.IntRange(1, 6).Draw(t, "flows")
		flows := make([]Flow, n)
		ends := newEnds(e)
		begun := make([]Time, n)
		for i := range flows {
			f := &flows[i]
			f.Owner = uint32(i + 1)
			bytes := rapid.Int64Range(0, 5000).Draw(t, "bytes")
			limit := Rate(rapid.Int64Range(1, 500*mb).Draw(t, "limit"))
			uses := uint32(rapid.IntRange(0, 1<<len(caps)-1).Draw(t, "uses"))
			full := limit
			for c, r := range rates {
				if uses>>c&1 != 0 {
					full = min(full, r)
				}
			}
			start := Time(rapid.Int64Range(0, int64(30*Microsecond)).Draw(t, "start"))
			left := new(big.Int).Mul(big.NewInt(bytes), big.NewInt(1e12))
			check := func() {
				moved := new(big.Int).Set(left)
				left.SetUint64(f.left.hi)
				left.Lsh(left, 64)
				left.Add(left, new(big.Int).SetUint64(f.left.lo))
				moved.Sub(moved, left)
				alone := moved.Add(moved, big.NewInt(int64(full)-1))
				alone.Div(alone, big.NewInt(int64(full)))
				sum := Duration(alone.Int64())
				f.Losses(func(capacity int, owner uint32, d Duration) {
					require.Positive(t, d)
					require.NotEqual(t, f.Owner, owner)
					require.NotZero(t, uses&flows[owner-1].uses>>capacity&1)
					sum += d
				})
				require.Equal(t, e.Now().Sub(begun[i]), sum)
			}
			e.At(start, call(func() {
				begun[i] = e.Now()
				p.Start(f, bytes, limit, uses, call(func() { ends.Act(0, uint64(i)); check() }), 0, 0)
			}), 0, 0)
			pause := start.Add(Duration(rapid.Int64Range(1, int64(30*Microsecond)).Draw(t, "pause")))
			e.At(pause, call(func() {
				if f.Running() {
					p.Pause(f)
					check()
					e.After(Duration(1+i), call(func() { begun[i] = e.Now(); p.Resume(f) }), 0, 0)
				}
			}), 0, 0)
		}
		require.NoError(t, e.Run(Never))
		require.Len(t, ends.at, n)
	})
}
