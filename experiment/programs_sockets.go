package experiment

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/dfs"
)

// socketWorkloads run on stream sockets.
var socketWorkloads = map[string]workload{
	"dfs": {
		summary: "distributed file system on stream sockets: mixed operations on shared files",
		detail: "Size file operations (4000 by default: reads, writes, appends, creates, truncates, lists and\n" +
			"removes) of one client per node on shared files. Blocks of 4 KB are striped over servers on the\n" +
			"same nodes, which also grant locks; clients read and write directories and inodes themselves.\n" +
			"Any number of nodes. Every byte read, every size and list is compared with a file system that\n" +
			"does one operation after another, and the whole disk is checked at the end.\n",
		size: dfs.DefaultOps, phases: dfs.Phases(),
		make: newDFS,
	},
}

// dfsProgram runs the file system.
type dfsProgram struct{ *dfs.DFS }

func newDFS(s RunSpec, _ *platform.Profile, nodes int) (program, error) {
	d, err := dfs.New(dfs.Spec{Nodes: nodes, Ops: int(s.Size), Seed: s.Seed})
	if err != nil {
		return nil, err
	}
	return &dfsProgram{d}, nil
}

func (p *dfsProgram) progress() (done, total int64) { return p.Progress() }

func (p *dfsProgram) kinds() []trace.Kind {
	return []trace.Kind{trace.Stream, trace.FileRequest, trace.FileReply, trace.Credit}
}

// sequences: the data of a request or reply follows its head, an entry its data, and a
// reply the credit for its request.
func (p *dfsProgram) sequences() []trace.Sequence {
	return []trace.Sequence{
		{Kind: trace.FileRequest, After: trace.SameMessage},
		{Kind: trace.FileRequest, After: trace.FileRequest},
		{Kind: trace.FileReply, After: trace.SameMessage},
		{Kind: trace.FileReply, After: trace.FileReply},
		{Kind: trace.FileReply, After: trace.Credit},
	}
}

func (p *dfsProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	net, err := c.Sockets(dfs.Sockets(tag))
	if err != nil {
		return err
	}
	p.SetInstrument(c.Instrument(tag))
	return p.Start(net, done)
}

func (p *dfsProgram) finish() (outcome, error) {
	took, ended := p.Elapsed()
	if !ended {
		return outcome{}, fmt.Errorf("finish before the program has ended")
	}
	how, wrong := p.Verify()
	return outcome{took: took, shares: p.Shares(), wrong: wrong, how: how}, nil
}
