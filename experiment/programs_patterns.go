package experiment

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/patterns"
)

// patternWorkloads are synthetic patterns over VMMC-2.
var patternWorkloads = func() map[string]workload {
	of := map[string]workload{}
	for _, shape := range patterns.Shapes() {
		text := patternTexts[shape]
		of[shape.String()] = workload{
			summary: text.summary,
			detail: text.detail + fmt.Sprintf("--count is the number of %s (%d by default), --message-size the bytes of a message (%d),\n"+
				"--gap a sender's pause before each. Every byte of every message is compared with what was\n"+
				"sent. Messages of a sender have to arrive in order, each exactly once.\n",
				shape.CountOf(), shape.DefaultCount(), patterns.DefaultBytes),
			make: func(s RunSpec, _ *platform.Profile, nodes int) (program, error) { return newPattern(shape, s, nodes) },
		}
	}
	all := of[patterns.AllToAll.String()]
	all.memory = allMessages
	of[patterns.AllToAll.String()] = all
	return of
}()

// patternTexts describe the patterns.
var patternTexts = map[patterns.Shape]struct{ summary, detail string }{
	patterns.PingPong: {
		"messages back and forth between pairs of neighbours",
		"Nodes 0 and 1, 2 and 3, … send one message back and forth; an odd last node is idle.\n",
	},
	patterns.Stream: {
		"messages one way between pairs of neighbours",
		"Nodes 0, 2, … send to nodes 1, 3, …, which read all messages. Up to 32 are in flight.\n",
	},
	patterns.AllToAll: {
		"messages from all nodes to all others",
		"Every node sends to every other one, beginning with its successor, so that each receiver has\n" +
			"one sender at a time as long as all nodes keep pace.\n",
	},
	patterns.Random: {
		"messages to random others",
		"Every node sends to others at random, evenly or, with --skew, by a Zipf law of that exponent\n" +
			"over the nodes' numbers. Pauses are drawn evenly up to twice the gap.\n",
	},
	patterns.HotSpot: {
		"messages to random others, a share of them to node 0",
		"As random, but --skew is the share of the messages that go to node 0 (0.5 by default).\n",
	},
	patterns.Incast: {
		"messages of many nodes to node 0 at the same time",
		"Nodes 1 to --senders (all but node 0) send to node 0: all their messages, or --burst of them, back to\n" +
			"back, whenever node 0 asks all of them, which it does when it has read what they have sent.\n",
	},
	patterns.Broadcast: {
		"one send after another of the same buffer to all others",
		"Node 0 sends the same buffer to every other node in turn, as a library does over a network\n" +
			"that cannot broadcast.\n",
	},
	patterns.ProducerConsumer: {
		"items from producers to consumers with little room",
		"Each node of the first half produces items for one of the second half, which has room for four.\n" +
			"To produce an item and to consume it takes the gap each.\n",
	},
	patterns.CentralQueue: {
		"a queue on node 0 that all others put into and take from",
		"Every node but 0 puts an item into the queue and takes one out, in turn. The item that it takes\n" +
			"is rarely its own. Every item is taken exactly once.\n",
	},
}

// patternProgram runs a pattern.
type patternProgram struct {
	pattern *patterns.Pattern
}

func newPattern(shape patterns.Shape, s RunSpec, nodes int) (program, error) {
	if s.Size != 0 {
		return nil, wrong("size", s.Size, "none for a pattern: message size and count determine how much is sent")
	}
	p, err := patterns.New(patterns.Spec{Shape: shape, Nodes: nodes, Seed: s.Seed, Options: s.Pattern})
	if err != nil {
		return nil, err
	}
	return &patternProgram{p}, nil
}

func (p *patternProgram) progress() (done, total int64) { return p.pattern.Progress() }

// kinds lists the packet kinds of the pattern, credits only if it sends any.
func (p *patternProgram) kinds() []trace.Kind {
	switch p.pattern.Spec().Shape {
	case patterns.PingPong:
		return []trace.Kind{trace.Data}
	case patterns.Incast:
		if p.pattern.Spec().Burst > 0 {
			return []trace.Kind{trace.Data, trace.Flag}
		}
		return []trace.Kind{trace.Data, trace.Credit}
	case patterns.CentralQueue:
		return []trace.Kind{trace.Data, trace.Flag}
	case patterns.Broadcast:
		return []trace.Kind{trace.Broadcast, trace.Credit}
	}
	return []trace.Kind{trace.Data, trace.Credit}
}

// sequences: single messages have no operations.
func (p *patternProgram) sequences() []trace.Sequence { return nil }

func (p *patternProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	return p.pattern.Start(c.Deposits(), tag, done)
}

func (p *patternProgram) finish() (outcome, error) {
	r, wrong := p.pattern.Result()
	return outcome{
		took: r.Took, shares: r.Shares, wrong: wrong,
		how: fmt.Sprintf("all %d messages arrived once, in order and byte for byte", r.Messages),
	}, nil
}
