package gam_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
)

// near requires that a figure is within a share of the published one.
func near(t *testing.T, published, modelled, share float64, what string) {
	t.Helper()
	require.InDelta(t, published, modelled, share*published, what)
}

// Figures of the Pentium Pro pair (userspace §4.1, §4.2).
func TestFiguresOfMessages(t *testing.T) {
	short := oneWay(t, "ppro", 4, 20)
	require.Greater(t, short, 13.4, "slower than VMMC-2")
	require.LessOrEqual(t, short, 17.0)
	large := stream(t, "ppro", 64<<10, 8)
	near(t, 50, large, 0.02, "messages that fit into the cache")
	require.Less(t, 4096/oneWay(t, "ppro", 4096, 20), 0.75*large, "ping-pong at 4 KB")

	before, after := oneWay(t, "ppro", 128, 20), oneWay(t, "ppro", 132, 20)
	require.Greater(t, after-before, 1.0, "from programmed I/O to DMA")
	require.Less(t, after/before, 1.16, "which shows less than with VMMC-2")

	// The knee at 512 KB: up to 128 KB the cache holds the message and the slots.
	at := func(kb int, changes ...func(*cluster.Spec)) float64 {
		c := func(s *cluster.Spec) {
			for _, f := range changes {
				f(s)
			}
		}
		return stream(t, "ppro", kb<<10, 2, c)
	}
	near(t, at(64), at(128), 0.02, "no knee at 128 KB")
	require.Less(t, at(512), 0.9*at(256))
	wide := func(s *cluster.Spec) { s.Profile.Host.L2KB = 2048 }
	near(t, at(64, wide), at(512, wide), 0.02, "no knee with a larger cache")
}

// machine holds published figures (logp, Table 3, §3.3-3.5, §4.2). Those that
// have set a parameter of the profile are held to 2 %. Round trips set none on two of
// these machines.
type machine struct {
	name         string
	os, or, g    float64
	l            float64
	rttLo, rttHi float64
	many         float64 // gap of one sender with many receivers, of g
	knee         float64 // RTT/o_s
}

var machines = []machine{
	{name: "paragon", os: 1.4, or: 2.2, g: 7.6, l: 6.3, rttLo: 19.9, rttHi: 20.1, many: 0.7, knee: 14.3},
	{name: "meiko", os: 1.7, or: 1.6, g: 13.6, l: 7.5, rttLo: 20.3, rttHi: 21.6, many: 1, knee: 12.3},
	{name: "myrinet", os: 2.0, or: 2.6, g: 12.4, l: 11.1, rttLo: 30.6, rttHi: 31.5, many: 0.7, knee: 15.5},
}

func TestFiguresOfRequests(t *testing.T) {
	for _, m := range machines {
		t.Run(m.name, func(t *testing.T) {
			p := measure(t, m.name)
			lo, hi := distances(t, m.name)
			t.Logf("o_s %.2f o_r %.2f g %.2f RTT %.2f to %.2f L %.2f Idle %.2f RTT/o_s %.1f", p.os, p.or, p.g, lo, hi, hi/2-p.os-p.or, p.g-p.os-p.or, p.rtt/p.os)
			near(t, m.os, p.os, 0.02, "o_s")
			near(t, m.or, p.or, 0.02, "o_r")
			near(t, m.g, p.g, 0.02, "g")
			near(t, m.rttLo, lo, 0.07, "shortest round trip")
			near(t, m.rttHi, hi, 0.05, "longest round trip")
			near(t, m.l, hi/2-p.os-p.or, 0.07, "L")
			near(t, m.knee, p.rtt/p.os, 0.07, "requests in a round trip")
			near(t, m.g-m.os-m.or, p.g-p.os-p.or, 0.03, "Idle")

			// Three regimes: o_s, a rise from RTT/o_s on, and g, which 128 requests do not reach.
			near(t, p.os, pair(12).cost(t, m.name), 0.05, "sending only")
			require.Greater(t, pair(64).cost(t, m.name), 1.5*p.os)
			require.Less(t, pair(128).cost(t, m.name), 0.95*p.g)

			// A pause below Idle changes nothing, one above shows in full.
			b := pair(0)
			b.repeats = 1
			idle := p.g - p.os - p.or
			near(t, p.g, b.paused(0.5*idle).asymptote(t, m.name), 0.02, "short pause")
			near(t, p.os+p.or+16, b.paused(16).asymptote(t, m.name), 0.02, "long pause")

			many := burst{nodes: 16, from: []int{0}, to: numbers(1, 16), repeats: 1}
			near(t, m.many, many.asymptote(t, m.name)/p.g, 0.03, "one sender, many receivers")
			all := burst{nodes: 16, from: numbers(0, 8), to: numbers(8, 16), own: true, repeats: 1}
			near(t, p.g, all.asymptote(t, m.name), 0.01, "all pairs")
			for _, k := range []int{3, 15} {
				b := burst{nodes: 16, from: numbers(1, k+1), to: []int{0}, repeats: 1}
				near(t, float64(k), b.asymptote(t, m.name)/p.g, 0.15, "many senders, one receiver")
			}
		})
	}
}

// The two variants of machines (logp §3.4) follow from what is different in them.
func TestFiguresOfVariants(t *testing.T) {
	a, b := measure(t, "meiko"), measure(t, "meiko50")
	t.Logf("meiko50: L %+.0f %% g %+.0f %% o_s %.2f o_r %.2f", 100*(b.l/a.l-1), 100*(b.g/a.g-1), b.os, b.or)
	near(t, 1.3, b.l/a.l, 0.05, "L, about 30 % more")
	near(t, 1.3, b.g/a.g, 0.05, "g, about 30 % more")
	require.Greater(t, b.os, a.os)
	require.Greater(t, b.or, a.or)
	require.Less(t, b.os+b.or, 1.1*(a.os+a.or))

	s, m := measure(t, "myrinet"), measure(t, "myrinet10")
	t.Logf("myrinet10: o_s %.2f o_r %.2f g %.2f L %.2f", m.os, m.or, m.g, m.l)
	near(t, 3.6, m.os, 0.02, "o_s")
	near(t, 4.0, m.or, 0.02, "o_r")
	require.Greater(t, m.g, 1.1*s.g)
}

// Bulk transfers (logp §4.2).
func TestFiguresOfBulk(t *testing.T) {
	overhead := func(machine string, n int) float64 { return pair(2).store(n).cost(t, machine) }
	for _, machine := range []string{"paragon", "meiko"} {
		near(t, overhead(machine, 8), overhead(machine, 4096), 0.01, "the overhead does not depend on the length")
	}
	const machine = "myrinet"
	near(t, 143, overhead(machine, 4096), 0.02, "4 KB")
	near(t, 2*overhead(machine, 2048), overhead(machine, 4096), 0.05, "linear")
	for _, n := range []int{8, 512, 4096} {
		require.Less(t, overhead(machine, n), bulk(t, machine, n))
	}
	b := pair(0).store(8)
	b.repeats = 1
	near(t, 18, b.asymptote(t, machine), 0.02, "gap of 8 B")
	require.Less(t, pair(12).store(8).cost(t, machine), 3.0, "still with a part of sending only")

	// 2 KB: the overhead hides the gap, so that every pause shows.
	b = pair(0).store(2048)
	b.repeats = 1
	none := b.asymptote(t, machine)
	near(t, none+10, b.paused(10).asymptote(t, machine), 0.05, "2 KB and a pause")

	// A store does not overlap with itself: what follows the copy is added to it. The
	// slope grows where the source no longer fits into the first-level cache.
	host, card := platformOf(t, machine).Host, platformOf(t, machine).NI
	stages := host.CopyHit.Time(4096).Us() + 4096/card.HostDMAToNIMBps
	require.Greater(t, bulk(t, machine, 4096), stages)
	slope := func(from, to int) float64 { return (bulk(t, machine, to) - bulk(t, machine, from)) / float64(to-from) }
	require.Greater(t, slope(32<<10, 64<<10), 1.2*slope(4<<10, 8<<10))
}

// What the paper takes for a cause is one: without it the effect is gone.
func TestCauses(t *testing.T) {
	// The gap of the Meiko comes from uncached words (logp §3.3).
	p := measure(t, "meiko")
	near(t, p.g/3, measure(t, "meiko", func(s *cluster.Spec) {
		s.Profile.NI.Queues.ReadNs, s.Profile.NI.Queues.WriteNs = 40, 40
	}).g, 0.3, "with words at the speed of a memory of its own")

	// A way that the host looks up lowers L and raises o_s (logp §3.3).
	a := measure(t, "myrinet")
	b := measure(t, "myrinet", func(s *cluster.Spec) {
		s.Profile.GAM.Firmware.Cycles.BuildHeader -= 20
		s.Profile.GAM.Host.Request += 300 * sim.Nanosecond
		s.Profile.GAM.Host.Reply += 300 * sim.Nanosecond
	})
	require.Less(t, b.l, a.l-0.5)
	require.Greater(t, b.os, a.os+0.2)
}
