package peers

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

const us = int64(1e6) // ps

// traffic is packets of one size among nodes that send all the time, with one node that is unlike the others.
type traffic struct {
	nodes, node int // node is the odd one
	from, to    int64
	out, lost   bool // the odd node sends nothing or its link loses packets, in place of taking none
	sink        bool // all send to node 0
	slow        float64
	seed        uint64
}

func drawTraffic(t *rapid.T) traffic {
	x := traffic{nodes: rapid.IntRange(4, 9).Draw(t, "nodes"), slow: 1, seed: rapid.Uint64().Draw(t, "seed")}
	x.node = rapid.IntRange(0, x.nodes-1).Draw(t, "node")
	x.from = rapid.Int64Range(200, 500).Draw(t, "from") * us
	x.to = x.from + rapid.Int64Range(150, 400).Draw(t, "length")*us
	return x
}

// account returns who waited for whom in 1 ms of the traffic: each node sends a packet every 2 to 4 µs, and packets take
// 1 to 3 µs in each phase.
func (x traffic) account(t require.TestingT) *account.Account {
	r := rand.New(rand.NewPCG(x.seed, 1))
	some := func() int64 { return us + r.Int64N(2*us) }
	log := waits.NewLog()
	for node := range x.nodes {
		for at := some(); at < 1000*us; at += us + some() {
			peer := (node + 1 + r.IntN(x.nodes-1)) % x.nodes
			if x.sink {
				peer = 0
			}
			engine := some()
			if node == x.node {
				engine = int64(float64(engine) * x.slow)
			}
			stops := func(at int64) bool { return x.from <= at && at < x.to }
			p := log.Begin(waits.Actor{Node: int32(node), Peer: int32(peer), Size: 64}, waits.Interval{Resource: waits.HostDMA, Instance: int32(node), Begin: at})
			now := at + engine
			turn := func(i waits.Interval, length int64) {
				i.Begin = now
				log.Turn(p, i, 0)
				now += length
			}
			if x.out && node == x.node && stops(now) {
				turn(waits.Interval{Resource: waits.SEngine, What: waits.Waiting, Instance: int32(node)}, x.to-now)
			}
			turn(waits.Interval{Resource: waits.Port, Instance: int32(node)}, some())
			switch touched := peer == x.node || node == x.node; {
			case x.lost && touched && stops(now):
				turn(waits.Interval{Resource: waits.Timer, What: waits.Waiting, Instance: int32(node)}, x.to+some()-now)
			case !x.out && !x.lost && peer == x.node && stops(now):
				turn(waits.Interval{Resource: waits.Ring, What: waits.Waiting, Instance: int32(peer)}, x.to-now)
			}
			turn(waits.Interval{Resource: waits.HostDMA, Instance: int32(peer)}, some())
			log.End(p, now)
		}
	}
	a, err := account.Resolve(log)
	require.NoError(t, err)
	return a
}

// TestGapsOfANode: a node that stops is found, with its begin and its end, in which phase it stops, and nobody else.
func TestGapsOfANode(t *testing.T) {
	const close = float64(40 * 1000 * 1000) // ps: a few packets
	rapid.Check(t, func(t *rapid.T) {
		x := drawTraffic(t)
		x.out = rapid.Bool().Draw(t, "sends nothing")
		gaps := Gaps(x.account(t), 50*us)
		require.Len(t, gaps, 1)
		g := gaps[0]
		require.Equal(t, x.node, g.Node)
		require.Equal(t, map[bool]Phase{true: Leaving, false: Arriving}[x.out], g.Phase)
		require.False(t, g.Lost)
		require.InDelta(t, x.from, g.From, close)
		require.InDelta(t, x.to, g.To, close)
		require.Positive(t, g.Packets)
		require.NotContains(t, g.Others, int32(x.node))
	})
}

// TestLossesOfALink: a link that loses packets is found, and only that.
func TestLossesOfALink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTraffic(t)
		x.lost, x.sink = true, rapid.Bool().Draw(t, "sink")
		if x.sink {
			x.node = max(x.node, 1)
		}
		loss := Losses(x.account(t))
		require.NotNil(t, loss)
		require.Equal(t, x.node, loss.Node)
		require.GreaterOrEqual(t, loss.From, x.from)
		require.Greater(t, loss.To, x.to)
	})
}

// TestLossesOfAPair: where only packets between two nodes are lost both are named, unless one of them has no other partner.
func TestLossesOfAPair(t *testing.T) {
	for _, c := range []struct {
		alone       bool // node 1 sends to node 2 only
		lost, other int
	}{{false, 1, 2}, {false, 9, 2}, {true, 1, 2}, {true, 9, -1}} {
		log := waits.NewLog()
		send := func(from, to int, lost bool) {
			p := log.Begin(waits.Actor{Node: int32(from), Peer: int32(to), Size: 64}, waits.Interval{Resource: waits.HostDMA, Instance: int32(from)})
			if lost {
				log.Turn(p, waits.Interval{Resource: waits.Timer, What: waits.Waiting, Instance: int32(from), Begin: us}, 0)
			}
			log.End(p, 20*us)
		}
		for from := range 4 {
			for to := range 4 {
				if from != to && !(c.alone && (from == 1 || to == 1)) {
					send(from, to, false)
				}
			}
		}
		for range c.lost {
			send(1, 2, true)
		}
		a, err := account.Resolve(log)
		require.NoError(t, err)
		loss := Losses(a)
		require.NotNil(t, loss, c)
		require.Equal(t, [3]int{1, c.other, c.lost}, [3]int{loss.Node, loss.Other, loss.Packets}, c)
	}
}

// TestSlowEngines: an engine that serves slower than the same of other nodes is found, with its ratio.
func TestSlowEngines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTraffic(t)
		x.from, x.to = 0, 0
		x.slow = rapid.Float64Range(2, 9).Draw(t, "ratio")
		slow := NewSlowness(x.account(t))
		require.Len(t, slow, 1)
		at := slow[account.Place{Resource: waits.HostDMA, Instance: int32(x.node)}]
		require.NotNil(t, at)
		require.Equal(t, x.node, at.Node)
		require.Greater(t, at.Ratio, 1+(x.slow-1)/4, "it serves packets of others too, as fast as any")
		require.Less(t, at.Ratio, x.slow*1.3)
	})
}

// TestNodesThatAreAlike: nothing is found where all nodes do the same.
func TestNodesThatAreAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTraffic(t)
		x.from, x.to = 0, 0
		a := x.account(t)
		require.Empty(t, Gaps(a, 10*us))
		require.Nil(t, Losses(a))
		require.Empty(t, NewSlowness(a))
	})
}

// computing returns an account of processes, one a node, that send as many packets as any and serve the given pieces in ps, and
// of interface processors that serve each packet for the given times in ps.
func computing(t require.TestingT, pieces func(node int) []int64, serves []int64) *account.Account {
	log := waits.NewLog()
	for node, ps := range serves {
		at := int32(node)
		id := log.Begin(waits.Actor{Type: waits.Process, Node: at, Peer: -1}, waits.Interval{Resource: waits.Event, Instance: at})
		now := us
		for _, ps := range pieces(node) {
			log.Turn(id, waits.Interval{Resource: waits.CPU, Instance: at, Begin: now}, 0)
			now += ps
		}
		log.End(id, now)
		for range slowKinds {
			id := log.Begin(waits.Actor{Node: at, Peer: (at + 1) % int32(len(serves)), Size: 64}, waits.Interval{Resource: waits.Processor, Instance: at})
			log.Turn(id, waits.Interval{Resource: waits.Port, Instance: at, Begin: ps}, 0)
			log.End(id, ps+us)
		}
	}
	a, err := account.Resolve(log)
	require.NoError(t, err)
	return a
}

// repeated returns n pieces of 1 µs.
func repeated(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = us
	}
	return out
}

// TestTwoSortsOfNodes: a processor of one node of four that serves longer is slow. If half of them do, the program has two sorts of nodes.
func TestTwoSortsOfNodes(t *testing.T) {
	same := func(int) []int64 { return repeated(10) }
	require.Len(t, NewSlowness(computing(t, same, []int64{us, us, 2 * us, us})), 1)
	require.Empty(t, NewSlowness(computing(t, same, []int64{2 * us, us, 2 * us, us})))
}

// TestTwoSortsOfWork: half of the nodes have more to do, as of LU those with more blocks, and none of them is unlike its peers.
func TestTwoSortsOfWork(t *testing.T) {
	serves := []int64{us, us, us, us}
	more := func(nodes int) func(int) []int64 {
		return func(node int) []int64 {
			if node < nodes {
				return repeated(300)
			}
			return repeated(200)
		}
	}
	require.Len(t, NewSlowness(computing(t, more(1), serves)), 1)
	require.Empty(t, NewSlowness(computing(t, more(2), serves)))
}

// TestFewLongPieces: a processor all of whose pieces are longer works longer, and one with a few long ones has them of its program.
func TestFewLongPieces(t *testing.T) {
	serves := []int64{us, us, us, us}
	at := account.Place{Resource: waits.CPU, Instance: 1}
	// one gives node 1 other pieces than all others.
	one := func(pieces []int64) func(int) []int64 {
		return func(node int) []int64 { return map[bool][]int64{true: pieces, false: repeated(200)}[node == 1] }
	}
	slow := NewSlowness(computing(t, one(repeated(300)), serves))
	require.Contains(t, slow, at)
	require.InDelta(t, 1.5, slow[at].Ratio, 0.01)
	require.Empty(t, NewSlowness(computing(t, one(append(repeated(198), 100*us, 100*us)), serves)))
}

// TestLongShortPieces: a processor whose usual piece is longer works longer, although it has as long pauses as any in between.
func TestLongShortPieces(t *testing.T) {
	pauses := func(piece int64, n int) (out []int64) {
		for range n {
			out = append(out, 20*us, piece, piece)
		}
		return out
	}
	one := func(pieces []int64) func(int) []int64 {
		return func(node int) []int64 { return map[bool][]int64{true: pieces, false: pauses(us, 50)}[node == 1] }
	}
	serves := []int64{us, us, us, us}
	slow := NewSlowness(computing(t, one(pauses(2*us, 50)), serves))[account.Place{Resource: waits.CPU, Instance: 1}]
	require.NotNil(t, slow)
	require.InDelta(t, 24.0/22, slow.Ratio, 0.01)
	require.True(t, slow.Little)
	require.Empty(t, NewSlowness(computing(t, one(pauses(us, 55)), serves)), "it has a tenth more of the same pieces")
}

// TestWokenByProcesses: what a handler does after its own node's process has woken it is not for the packet of the wake before.
func TestWokenByProcesses(t *testing.T) {
	log := waits.NewLog()
	for node := range int32(4) {
		process := log.Begin(waits.Actor{Type: waits.Process, Node: node, Peer: -1}, waits.Interval{Resource: waits.CPU, Instance: node})
		handler := log.Begin(waits.Actor{Type: waits.Handler, Node: node, Peer: -1}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node})
		now := us
		for i := range 3 * slowKinds {
			by := process
			if i%2 == 0 {
				by = log.Begin(waits.Actor{Node: (node + 1) % 4, Peer: node, Size: 64}, waits.Interval{Resource: waits.Port, Instance: node, Begin: now - us/2})
				log.End(by, now)
			}
			log.Turn(handler, waits.Interval{Resource: waits.CPU, Instance: node, Begin: now}, by)
			now += us
			if node == 3 && by == process {
				now += 9 * us
			}
			log.Turn(handler, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node, Begin: now}, 0)
			now += us
		}
	}
	log.Finish(1000 * us)
	a, err := account.Resolve(log)
	require.NoError(t, err)
	require.Empty(t, NewSlowness(a), "node 3 does more for its process only")
}

// TestServesItsOwnAsFast: a processor that answers long after packets, but its own process as fast as others, has bursts of requests.
func TestServesItsOwnAsFast(t *testing.T) {
	of := services{}
	for _, own := range []bool{false, true} {
		for node := range int32(4) {
			for range slowKinds {
				ps := us
				if node == 3 && !own {
					ps = 3 * us
				}
				of.add(load{resource: waits.CPU, out: own, size: 64}, site{account.Place{Resource: waits.CPU, Instance: node}, node}, ps)
			}
		}
	}
	at := site{account.Place{Resource: waits.CPU, Instance: 3}, 3}
	all, least, own := of.ratios()
	require.InDelta(t, 3, all[waits.CPU][at], 1e-9)
	require.InDelta(t, 3, least[at], 1e-9)
	require.InDelta(t, 1, own[at], 1e-9)
}

// TestOneOfTwoCardsFetches: the one that fetches for each packet is told, if the other does for none.
func TestOneOfTwoCardsFetches(t *testing.T) {
	fetches := func(first int64) Slowness {
		log := waits.NewLog()
		for node := range int32(2) {
			for at := us; at < 10*us; at += us {
				p := log.Begin(waits.Actor{Node: node, Peer: node + 2, Size: 64}, waits.Interval{Resource: waits.Request, What: waits.Idle, Instance: node, Begin: at})
				now := at + us/8
				if fetch := []int64{first, us / 4}[node]; fetch > 0 {
					log.Turn(p, waits.Interval{Resource: waits.Request, Instance: node, Begin: now}, 0)
					now += fetch
				}
				log.Turn(p, waits.Interval{Resource: waits.Port, Instance: node, Begin: now}, 0)
				log.End(p, now+us/8)
			}
		}
		log.Finish(20 * us)
		a, err := account.Resolve(log)
		require.NoError(t, err)
		return NewSlowness(a)
	}
	slow := fetches(0)[account.Place{Resource: waits.Request, Instance: 1}]
	require.NotNil(t, slow)
	require.True(t, slow.Certain())
	require.Empty(t, fetches(us/8), "both fetch")
}

// TestMost: of nodes one of which receives more than any other it is named, with how many times as many.
// TestSmallerPacketsAreFetched: a card that fetches what it has to send, though others push larger packets.
func TestSmallerPacketsAreFetched(t *testing.T) {
	of := services{}
	add := func(node, size int32, ps int64) {
		for range slowKinds {
			of.count(load{resource: waits.Request, out: true, size: size}, site{account.Place{Resource: waits.Request, Instance: node}, node}, ps)
		}
	}
	slow := func() Slowness { s := Slowness{}; s.fetching(of); return s }
	add(0, 8, us)
	add(1, 116, 0)
	require.Empty(t, slow(), "one other may be the one that is set otherwise")
	add(2, 64, 0)
	found := slow()
	require.Len(t, found, 1)
	require.Equal(t, 0, found[account.Place{Resource: waits.Request, Instance: 0}].Node)
	add(3, 4, 0)
	require.Len(t, slow(), 1, "one has smaller ones only")
	add(2, 8, us)
	require.Empty(t, slow(), "another fetches too")
}

func TestMost(t *testing.T) {
	sends := func(to ...int32) map[int]int {
		log := waits.NewLog()
		for _, peer := range to {
			log.End(log.Begin(waits.Actor{Node: 7, Peer: peer}, waits.Interval{Resource: waits.Port}), us)
		}
		a, err := account.Resolve(log)
		require.NoError(t, err)
		return Received(a)
	}
	node, times, ok := Most(sends(0, 1, 2, 1, 1, 0))
	require.True(t, ok)
	require.Equal(t, 1, node)
	require.InDelta(t, 1.5, times, 1e-9)
	_, _, ok = Most(sends(0, 1, 2, 1))
	require.True(t, ok, "twice as many")
	_, _, ok = Most(sends(0, 1, 2, 1, 1, 0, 0))
	require.False(t, ok, "two receive as many")
	_, _, ok = Most(sends(0, 1, 1, 1))
	require.False(t, ok, "two receivers are no peers")
}

// noticing returns handlers whose packets wait so long for the processor each time, in ns, at four nodes.
func noticing(t *testing.T, ns func(node, i int) int64) *account.Account {
	log := waits.NewLog()
	for node := range int32(4) {
		handler := log.Begin(waits.Actor{Type: waits.Handler, Node: node, Peer: -1}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node})
		now := us
		for i := range 8 * slowKinds {
			packet := log.Begin(waits.Actor{Node: (node + 1) % 4, Peer: node, Size: 64}, waits.Interval{Resource: waits.Port, Instance: node, Begin: now - us/2})
			log.End(packet, now)
			log.Turn(handler, waits.Interval{Resource: waits.CPU, What: waits.Idle, Instance: node, Begin: now}, packet)
			now += 1000 * ns(int(node), i)
			log.Turn(handler, waits.Interval{Resource: waits.CPU, Instance: node, Begin: now}, 0)
			now += us
			log.Turn(handler, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node, Begin: now}, 0)
			now += us
		}
	}
	log.Finish(10_000 * us)
	a, err := account.Resolve(log)
	require.NoError(t, err)
	return a
}

// TestSlowInterrupts: one node's interrupts take longer, although some find its processor awake. Where handlers poll, waits
// differ, and no node's are slow.
func TestSlowInterrupts(t *testing.T) {
	slow := NewSlowness(noticing(t, func(node, i int) int64 {
		switch {
		case i%4 == 0:
			return 2_000
		case node == 3:
			return 60_000
		}
		return 20_000
	}))
	require.Len(t, slow, 1)
	require.InDelta(t, 60.0/20, slow[interrupts(3)].Ratio, 0.2)

	polled := noticing(t, func(node, i int) int64 { return int64(1_000 + i*1_000*(1+node)) })
	require.Empty(t, NewSlowness(polled))
	require.Equal(t, us, Polls(polled))
	require.Zero(t, Polls(noticing(t, func(int, int) int64 { return 20_000 })))
}

// TestOwnPacketsAreNoPartners: a node that sends to itself too loses packets to all others.
func TestOwnPacketsAreNoPartners(t *testing.T) {
	log := waits.NewLog()
	for to := range int32(4) {
		for lost := range 3 * int(to) {
			p := log.Begin(waits.Actor{Peer: to, Size: 64}, waits.Interval{Resource: waits.HostDMA})
			log.Turn(p, waits.Interval{Resource: waits.Timer, What: waits.Waiting, Begin: us}, 0)
			log.End(p, (20+1000*int64(lost)*int64(to/3))*us) // those to node 3 are most of the time
		}
	}
	log.End(log.Begin(waits.Actor{Size: 64}, waits.Interval{Resource: waits.HostDMA}), us)
	a, err := account.Resolve(log)
	require.NoError(t, err)
	require.Equal(t, 0, Losses(a).Node)
}

// TestSlowLinkOfAServer: a slow link into the only server is that one's, although each client has one way only and packets of other sizes.
func TestSlowLinkOfAServer(t *testing.T) {
	log := waits.NewLog()
	send := func(from, to, size int32, ps int64) {
		log.End(log.Begin(waits.Actor{Node: from, Peer: to, Size: size}, waits.Interval{Resource: waits.Port, Instance: from}), ps)
	}
	for client := range int32(6) {
		for range 10 {
			send(client+1, 0, 64, 25*us)
			send(0, client+1, 64, us/3)
			send(0, client+1, 3424, us/2)
		}
		for range client {
			send(client+1, 0, 3416, 25*us)
		}
	}
	a, err := account.Resolve(log)
	require.NoError(t, err)
	slow := NewSlowness(a)
	require.Len(t, slow, 1)
	require.Contains(t, slow, into(0))
}
