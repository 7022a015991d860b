package clock_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/sigview/sigview/clock"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func protocol(estimator string, nodes int) clock.Protocol {
	p := clock.Protocol{Estimator: estimator, Nodes: nodes, PeriodPs: 300 * secPs, JitterPs: usPs / 2}
	return p.Assume(clock.Reference(1, 0), 3000)
}

func TestWords(t *testing.T) {
	c, f := protocol(clock.Cristian, 8), protocol(clock.Filtered, 8)
	require.Equal(t, clock.Words{Query: 4, Reply: 4, TableHeader: 3, Entry: 6}, c.Words())
	require.Equal(t, clock.Words{Query: 27, Reply: 27, TableHeader: 3, Entry: 14}, f.Words())
	require.Equal(t, 72, f.Words().Entries(4096))
	require.Equal(t, 21, messagesPerRound(c, 4096))
	require.Equal(t, 21, messagesPerRound(f, 4096))
	require.Equal(t, 3*63, messagesPerRound(protocol(clock.Filtered, 64), 4096))
	require.Equal(t, 4*99, messagesPerRound(protocol(clock.Filtered, 100), 4096))
}

func TestMessagesSurviveTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		estimator := rapid.SampledFrom(clock.Estimators()).Draw(t, "estimator")
		p := protocol(estimator, 64)
		word := rapid.Uint64()
		filtered := estimator == clock.Filtered

		q := clock.Query{Round: rapid.Uint32().Draw(t, "round")}
		words := p.AppendQuery(nil, q)
		require.Len(t, words, p.Words().Query)
		gotQuery, err := p.DecodeQuery(words)
		require.NoError(t, err)
		require.Equal(t, q, gotQuery)

		r := clock.Reply{Round: q.Round, Node: rapid.Uint32Range(1, 63).Draw(t, "node"), Received: word.Draw(t, "received")}
		r.Sent = r.Received
		if filtered {
			r.Sent = word.Draw(t, "sent")
			r.Count = rapid.Uint32Range(0, 5).Draw(t, "count")
			for i := range r.Count {
				r.Points[i] = clock.Point{Sent: word.Draw(t, "s"), Received: word.Draw(t, "r")}
			}
		}
		words = p.AppendReply(nil, r)
		require.Len(t, words, p.Words().Reply)
		gotReply, err := p.DecodeReply(words)
		require.NoError(t, err)
		require.Equal(t, r, gotReply)

		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) clock.Entry {
			e := clock.Entry{
				Node: rapid.Uint32Range(1, 63).Draw(t, "n"), Epoch: rapid.Uint64Range(0, 1<<50).Draw(t, "epoch"),
				Offset: rapid.Int64Range(-1<<62, 1<<62).Draw(t, "offset"), Error: rapid.Uint32().Draw(t, "error"),
			}
			if filtered {
				e.Rate = rapid.Int64Range(-1<<47, 1<<47).Draw(t, "rate")
				e.Bend = rapid.Int64Range(-1<<46, 1<<46).Draw(t, "bend")
				e.Error1 = rapid.Uint64Range(0, 1<<52).Draw(t, "error1")
				e.Error2 = rapid.Uint64Range(0, 1<<52).Draw(t, "error2")
			}
			return e
		}), 1, 63).Draw(t, "entries")
		words = p.AppendTable(nil, q.Round, entries)
		require.Len(t, words, p.Words().Table(len(entries)))
		round, got, err := p.DecodeTable(nil, words)
		require.NoError(t, err)
		require.Equal(t, q.Round, round)
		require.Equal(t, entries, got)
	})
}

func TestDecodersRefuse(t *testing.T) {
	c, f := protocol(clock.Cristian, 4), protocol(clock.Filtered, 4)
	_, err := c.DecodeQuery(make([]uint32, 3))
	require.ErrorContains(t, err, "query of 3 words: want 4")
	_, err = f.DecodeReply(make([]uint32, 4))
	require.ErrorContains(t, err, "reply of 4 words: want 27")
	_, err = c.DecodeReply([]uint32{1, 0, 0, 0})
	require.ErrorContains(t, err, "reply of node 0: want 1 to 3")
	_, err = c.DecodeReply([]uint32{1, 4, 0, 0})
	require.ErrorContains(t, err, "reply of node 4")
	w := f.AppendReply(nil, clock.Reply{Node: 1})
	w[6] = 6
	_, err = f.DecodeReply(w)
	require.ErrorContains(t, err, "6 points: want at most 5")
	_, _, err = c.DecodeTable(nil, []uint32{1, 1})
	require.ErrorContains(t, err, "table of 2 words")
	_, _, err = f.DecodeTable(nil, c.AppendTable(nil, 1, []clock.Entry{{Node: 1}}))
	require.ErrorContains(t, err, "table of estimator 1: want 2 (filtered)")
	_, _, err = c.DecodeTable(nil, c.AppendTable(nil, 1, []clock.Entry{{Node: 1}})[:8])
	require.ErrorContains(t, err, "table of 8 words with 1 entries")
	_, _, err = c.DecodeTable(nil, []uint32{1, math.MaxUint32, 1})
	require.ErrorContains(t, err, "4294967295 entries")
	for _, e := range []clock.Entry{
		{Node: 0}, {Node: 4}, {Node: 1, Epoch: 1 << 51}, {Node: 1, Offset: math.MinInt64},
		{Node: 1, Rate: 1 << 48}, {Node: 1, Bend: -1 << 47}, {Node: 1, Error1: 1 << 53}, {Node: 1, Error2: 1 << 60},
	} {
		_, _, err = f.DecodeTable(nil, f.AppendTable(nil, 1, []clock.Entry{e}))
		require.ErrorContains(t, err, "out of range", "%+v", e)
	}
}

func TestProtocolRefusesBadSpecs(t *testing.T) {
	for _, c := range []struct {
		want   string
		damage func(*clock.Protocol)
	}{
		{`Estimator "ntp": want one of cristian, filtered`, func(p *clock.Protocol) { p.Estimator = "ntp" }},
		{"Nodes 1", func(p *clock.Protocol) { p.Nodes = 1 }},
		{"HzNum 0", func(p *clock.Protocol) { p.HzNum = 0 }},
		{"WidthBits 0", func(p *clock.Protocol) { p.WidthBits = 0 }},
		{"WidthBits 24: the register passes", func(p *clock.Protocol) { p.WidthBits = 24 }},
		{"at most 2^30 ticks", func(p *clock.Protocol) { p.HzNum = 2e9 }},
		{"at least 8 ticks", func(p *clock.Protocol) { p.HzNum = 1 }},
		{"PeriodPs 0", func(p *clock.Protocol) { p.PeriodPs = 0 }},
		{"FirstPs -1", func(p *clock.Protocol) { p.FirstPs = -1 }},
		{"RatePPB NaN", func(p *clock.Protocol) { p.RatePPB = math.NaN() }},
		{"SinePPB -1", func(p *clock.Protocol) { p.SinePPB = -1 }},
		{"SinePeriodPs 0", func(p *clock.Protocol) { p.SinePeriodPs = 0 }},
		{"WalkPs +Inf", func(p *clock.Protocol) { p.WalkPs = math.Inf(1) }},
		{"WalkPeriodPs 0", func(p *clock.Protocol) { p.WalkPeriodPs = 0 }},
		{"JitterPs -1", func(p *clock.Protocol) { p.JitterPs = -1 }},
		{"AsymmetryPs -1", func(p *clock.Protocol) { p.AsymmetryPs = -1 }},
	} {
		p := protocol(clock.Filtered, 4)
		c.damage(&p)
		_, err := clock.NewConverter(p, 0)
		require.ErrorContains(t, err, c.want)
		own, ownErr := clock.NewConverter(protocol(clock.Filtered, 4), 0)
		require.NoError(t, ownErr)
		_, err = clock.NewCoordinator(p, own)
		require.ErrorContains(t, err, c.want)
	}
	_, err := clock.NewConverter(protocol(clock.Filtered, 4), 4)
	require.ErrorContains(t, err, "converter of node 4: want 0 to 3")
	other, err := clock.NewConverter(protocol(clock.Filtered, 4), 1)
	require.NoError(t, err)
	_, err = clock.NewCoordinator(protocol(clock.Filtered, 4), other)
	require.ErrorContains(t, err, "node 1 of 4")
}

func TestGapGrowsToThePeriod(t *testing.T) {
	p := protocol(clock.Filtered, 8)
	var span int64
	start := 0
	for round := uint32(1); round < 60; round++ {
		gap := p.Gap(round)
		if round > 1 {
			require.LessOrEqual(t, gap, span, "round %d", round)
		}
		span += gap
		if gap < p.PeriodPs {
			start++
		}
	}
	require.Equal(t, 39, start)
	require.EqualValues(t, int64(300*secPs/4096), p.Gap(1))
	require.EqualValues(t, int64(150*secPs), p.Gap(39))
	require.EqualValues(t, int64(300*secPs), p.Gap(40))
	p.FirstPs = 300 * secPs
	require.EqualValues(t, int64(300*secPs), p.Gap(1))
	require.EqualValues(t, int64(secPs), p.InterpolatePs())
	p.FirstPs, p.PeriodPs = 0, secPs/1000
	require.EqualValues(t, secPs/1000, p.Gap(1))
}

// FuzzWords feeds arbitrary words to every decoder, and what they accept to
// the receivers, which must not panic, whatever they then make of it.
func FuzzWords(f *testing.F) {
	p := protocol(clock.Filtered, 4)
	seed := func(w []uint32) {
		b := make([]byte, 4*len(w))
		for i, x := range w {
			binary.LittleEndian.PutUint32(b[4*i:], x)
		}
		f.Add(b)
	}
	seed(p.AppendQuery(nil, clock.Query{Round: 1}))
	seed(p.AppendReply(nil, clock.Reply{Round: 1, Node: 1, Received: 5, Sent: 6, Count: 1}))
	seed(p.AppendTable(nil, 1, []clock.Entry{{Node: 1, Epoch: 7, Offset: -3, Rate: 1 << 40, Error1: 9}, {Node: 2}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		w := make([]uint32, len(b)/4)
		for i := range w {
			w[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
		for _, estimator := range clock.Estimators() {
			p := protocol(estimator, 4)
			node0, err := clock.NewConverter(p, 0)
			require.NoError(t, err)
			node0.Interpolate(1000)
			c, err := clock.NewCoordinator(p, node0)
			require.NoError(t, err)
			if q, err := p.DecodeQuery(w); err == nil {
				require.Equal(t, w[0], q.Round)
			}
			if r, err := p.DecodeReply(w); err == nil {
				for range 2 {
					r.Round = c.Begin().Round
					c.Queried(int(r.Node), 2000)
					c.Replied(r, 3000)
					require.NoError(t, node0.Adopt(c.End(4000), 5000))
				}
			}
			if _, entries, err := p.DecodeTable(nil, w); err == nil {
				node, err := clock.NewConverter(p, 1)
				require.NoError(t, err)
				require.NoError(t, node.Adopt(entries, 99))
				for i := range 4 {
					_, bound := node.Convert(i, 1<<31)
					require.GreaterOrEqual(t, bound, int64(0))
				}
			}
		}
	})
}

// messagesPerRound returns 3(N-1) for tables that fit one packet of sizeBytes,
// and more if a table has to be split.
func messagesPerRound(p clock.Protocol, sizeBytes int) int {
	others := p.Nodes - 1
	perPacket := max(1, p.Words().Entries(sizeBytes))
	return others * (2 + (others+perPacket-1)/perPacket)
}
