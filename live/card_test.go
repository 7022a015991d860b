package live

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// hosts are two hosts with cards by an oracle: what each clock shows at a true time, which is that of node
// 0's system, and how long it takes from instant to instant.
type hosts struct {
	start  int64
	system [2]wander // of node 0's the zero value
	card   [2]wander
	epoch  [2]int64 // of cards, which may be years from that of the systems
	d      *rand.Rand
}

func (h *hosts) shown(node int, t int64) int64  { return h.start + h.system[node].at(t) }
func (h *hosts) carded(node int, t int64) int64 { return h.epoch[node] + h.card[node].at(t) }

// delay draws a time that is mostly little more than the least one, and under load far more.
func (h *hosts) delay(least, usual float64) int64 {
	ns := least + h.d.ExpFloat64()*usual
	if h.d.IntN(4) == 0 {
		ns += h.d.ExpFloat64() * 20_000
	}
	return int64(ns)
}

// crossing is when a message leaves and arrives.
type crossing struct{ hand, sent, received, kernel int64 }

func (h *hosts) cross(t int64) (c crossing) {
	c.hand = t
	c.sent = c.hand + h.delay(400, 200)
	c.received = c.sent + 1500 // the wire
	c.kernel = c.received + h.delay(2000, 1000)
	return c
}

// probe makes a probe at a time. Cards are those of the nodes that have one which stamps.
func (h *hosts) probe(t int64, cards [2]bool) Probe {
	there := h.cross(t)
	back := h.cross(there.kernel + 15_000)
	p := Probe{Node: 1, Sent: h.shown(0, there.hand), Arrived: h.shown(1, there.kernel), Answered: h.shown(1, back.hand), Received: h.shown(0, back.kernel)}
	if cards[0] {
		p.CardSent, p.CardReceived = h.carded(0, there.sent), h.carded(0, back.received)
	}
	if cards[1] {
		p.CardArrived, p.CardAnswered = h.carded(1, there.received), h.carded(1, back.sent)
	}
	return p
}

func newHosts(seed uint64, epoch int64, drift, sine float64) *hosts {
	return &hosts{
		start: 1_790_000_000_000_000_000, d: rand.New(rand.NewPCG(seed, 2)),
		system: [2]wander{{}, {offset: 3e6, rate: -12e-6}},
		card:   [2]wander{{rate: drift, sine: sine, period: 40e9}, {rate: 50e-6, sine: 1e-7, period: 30e9}},
		epoch:  [2]int64{epoch, 5_000_000_000_000_000_001},
	}
}

// TestCardClock: the clock of a card that starts anywhere, drifts and wanders is recovered from messages that
// pass it, and the bound holds.
func TestCardClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHosts(rapid.Uint64().Draw(t, "seed"), rapid.Int64Range(0, 5e18).Draw(t, "epoch"),
			rapid.Float64Range(-50e-6, 50e-6).Draw(t, "drift"), rapid.Float64Range(0, 1e-7).Draw(t, "wander"))
		k := newTracker(2)
		require.False(t, k.Card(0))
		const every, probes = 100_000_000, 300
		for i := range int64(probes) {
			k.Add(h.probe(i*every, [2]bool{true, true}))
		}
		require.True(t, k.Card(0) && k.Card(1))
		require.False(t, k.Ready(0, h.shown(0, probes*every-every)))
		k.Close()
		require.True(t, k.Ready(0, h.shown(0, probes*every-every)))
		const tries = 1000
		for node := range 2 {
			covered, worst := 0, 0.0
			for range tries {
				truth := h.d.Int64N(probes * every)
				own, bound := k.FromCard(node, h.carded(node, truth))
				wrong := math.Abs(float64(own - h.shown(node, truth)))
				if wrong <= float64(bound) {
					covered++
				}
				worst = max(worst, wrong)
				require.Less(t, bound, int64(8000)) // the least bound of a while may be large by chance
			}
			require.GreaterOrEqual(t, covered, tries*99/100, "node %d", node)
			require.Less(t, worst, 3000.0)
		}
		for _, r := range k.rows(h.start) {
			require.NoError(t, trace.CheckRow(&r))
		}
	})
}

// TestStagesOfCards: with cards, LANai ends and Dest begins when the card has the message, within the bound.
// A node whose card does not stamp keeps the stamps of its driver and its kernel. Missing stamps count.
func TestStagesOfCards(t *testing.T) {
	for _, cards := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		h := newHosts(7, 1e17, -50e-6, 1e-7)
		k := newTracker(2)
		const every, probes, messages = 100_000_000, 300, 2000
		for i := range int64(probes) {
			k.Add(h.probe(i*every, cards))
		}
		c, err := newCollector(2, 4096, k, h.start)
		require.NoError(t, err)
		type truth struct{ lanai, net, dest, sent, received int64 }
		want := map[int64]truth{} // by T1
		for i := range uint32(messages) {
			begun := int64(1+i) * every * (probes - 2) / messages
			x := h.cross(begun + 3000)
			s := Sending{To: 1, Bytes: 64, Begun: h.shown(0, begun), Sent: stamps.Sent{Seq: i, Sched: h.shown(0, begun+2000), Hand: h.shown(0, x.hand)}}
			r := Receipt{Bytes: 64, Seq: i, Kernel: h.shown(1, x.kernel), User: h.shown(1, x.kernel+5000)}
			left, arrived := x.hand, x.kernel
			if cards[0] {
				s.Card, left = h.carded(0, x.sent), x.sent
			}
			if cards[1] {
				r.Card, arrived = h.carded(1, x.received), x.received
			}
			if i%100 == 50 {
				s.Card, r.Card = 0, 0
			}
			want[begun] = truth{left - begun - 2000, arrived - left, x.kernel + 5000 - arrived, s.Card, r.Card}
			c.Take(Batch{Node: 0, Sent: []Sending{s}})
			c.Take(Batch{Node: 1, Received: []Receipt{r}})
		}
		k.Close()
		missing, err := c.end()
		require.NoError(t, err)
		lost := 0
		if cards[0] || cards[1] {
			lost = messages / 100
			require.Contains(t, c.stamps(), "card")
		} else {
			require.NotContains(t, c.stamps(), "card")
		}
		require.Equal(t, Missing{Card: uint64(lost)}, missing)
		require.Len(t, c.cardless(), map[bool]int{true: 1, false: 0}[cards[0] != cards[1]])
		r := result{spec: Default(), counts: make([]Counts, 2), collector: c, hosts: []Host{{CardStamps: stamps.CardOn}, {CardStamps: stamps.CardOn}}}
		for node, stamped := range cards { // both have been told to stamp
			silent := fmt.Sprintf("the card of node %d has been told to stamp all messages, but its stamps do not come", node)
			require.Equal(t, !stamped, strings.Contains(fmt.Sprint(r.warnings()), silent))
		}
		rows, _ := c.packets.Rows()
		n, covered := 0, 0
		for p := range rows {
			require.NoError(t, trace.CheckRow(&p))
			require.IsNonDecreasing(t, []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value})
			require.LessOrEqual(t, p.T5Ns.Value, p.T6Ns.Value)
			w, ok := want[p.T1Ns.Value]
			require.True(t, ok, "%+v", p)
			off := func(got, want int64) int64 { return max(got-want, want-got) }
			sure := [2]int64{1, 1} // of what is between two instants of a node: clocks show whole ns
			for node, at := range []int64{w.sent, w.received} {
				if cards[node] {
					_, sure[node] = k.FromCard(node, at)
				}
			}
			from, to := p.Sender, p.Receiver
			if off(p.NetNs.Value, w.net) <= p.BoundNs.Value && off(p.LANaiNs.Value, w.lanai) <= sure[from] && off(p.DestNs.Value, w.dest) <= sure[to] {
				covered++
			}
			if cards[0] && cards[1] { // half of the way there and back, and the distance from the line
				require.Less(t, p.BoundNs.Value, int64(2000))
			}
			n++
		}
		require.Equal(t, messages-lost, n)
		require.GreaterOrEqual(t, covered, n*99/100, "%v", cards)
	}
}
