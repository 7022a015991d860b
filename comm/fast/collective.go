package fast

import "math/bits"

// steps is a program whose ranks do the same number of rounds, each of a fixed number of
// operations.
type steps struct {
	at     []position // by rank
	rounds int32
	each   func(rank int32) int32 // operations of a round
	step   func(rank, round, i int32) Op
}

// position is how far a rank is: n operations of a round, of which i are done.
type position struct{ round, i, n int32 }

func newSteps(ranks, rounds int, each func(rank int32) int32, step func(rank, round, i int32) Op) *steps {
	s := &steps{at: make([]position, ranks), rounds: int32(rounds), each: each, step: step}
	for i := range s.at {
		if s.at[i].n = each(int32(i)); s.at[i].n == 0 {
			s.at[i].round = s.rounds
		}
	}
	return s
}

// Next returns the next operation of a rank.
func (s *steps) Next(rank int, _ *Message) Op {
	p := &s.at[rank]
	if p.round == s.rounds {
		return Op{}
	}
	round, i := p.round, p.i
	if p.i++; p.i == p.n {
		p.i, p.round = 0, p.round+1
	}
	return s.step(int32(rank), round, i)
}

// PingPong lets ranks 0 and 1, 2 and 3, … send a message back and forth.
func PingPong(ranks, rounds, bytes int) Program {
	return newSteps(ranks, rounds, func(rank int32) int32 {
		if rank^1 >= int32(ranks) {
			return 0
		}
		return 2
	}, func(rank, _, i int32) Op {
		if i == rank&1 {
			return Op{Kind: Send, Peer: rank ^ 1, Bytes: int32(bytes)}
		}
		return Op{Kind: Receive, Peer: rank ^ 1}
	})
}

// AllToAll lets every rank send to all others, beginning with its successor, and then
// receive from all, beginning with its predecessor. The tag is the round.
func AllToAll(ranks, rounds, bytes int) Program {
	all := int32(ranks)
	n := all - 1
	return newSteps(ranks, rounds, func(int32) int32 { return 2 * n }, func(rank, round, i int32) Op {
		if i < n {
			to := rank + 1 + i
			if to >= all {
				to -= all
			}
			return Op{Kind: Send, Peer: to, Tag: round, Bytes: int32(bytes)}
		}
		from := rank - 1 - (i - n)
		if from < 0 {
			from += all
		}
		return Op{Kind: Receive, Peer: from, Tag: round}
	})
}

// Dissemination is a barrier: in step k of log2(ranks), a rank sends to the one 2^k after it
// and receives from the one 2^k before it.
func Dissemination(ranks, rounds, bytes int) Program {
	all := int32(ranks)
	n := int32(bits.Len(uint(ranks - 1)))
	return newSteps(ranks, rounds, func(int32) int32 { return 2 * n }, func(rank, _, i int32) Op {
		k := i >> 1
		if i&1 == 0 {
			to := rank + 1<<k
			if to >= all {
				to -= all
			}
			return Op{Kind: Send, Peer: to, Tag: k, Bytes: int32(bytes)}
		}
		from := rank - 1<<k
		if from < 0 {
			from += all
		}
		return Op{Kind: Receive, Peer: from, Tag: k}
	})
}

// Broadcast sends from rank 0 along a binomial tree.
func Broadcast(ranks, rounds, bytes int) Program {
	// children is how many ranks one sends to: rank + 2^k, for all k below its lowest bit.
	children := func(rank int32) (n int32) {
		for k := 0; (rank == 0 || rank&(1<<k) == 0) && int(rank)+1<<k < ranks; k++ {
			n++
		}
		return n
	}
	return newSteps(ranks, rounds, func(rank int32) int32 {
		return children(rank) + min(rank, 1)
	}, func(rank, _, i int32) Op {
		if i -= min(rank, 1); i < 0 {
			return Op{Kind: Receive, Peer: rank & (rank - 1)}
		}
		return Op{Kind: Send, Peer: rank + 1<<(children(rank)-1-i), Bytes: int32(bytes)}
	})
}
