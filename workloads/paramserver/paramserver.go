package paramserver

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// New returns a program, which Start starts. Errors are *bounds.Error.
func New(spec Spec) (*ParamServer, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	random := sim.NewStream(spec.Seed, "workloads/paramserver/vectors")
	return &ParamServer{spec: spec, vectors: vectors.New(random, spec.Nodes-spec.Options.Servers, spec.Options.Steps)}, nil
}

// Spec returns the specification with nothing left open.
func (p *ParamServer) Spec() Spec { return p.spec }

// Phases lists the phases of the program.
func Phases() []string { return []string{computing, exchanging, serving} }

// Kinds lists the kinds of its packets: gradients, parameters and credit.
func Kinds() []trace.Kind { return []trace.Kind{trace.Request, trace.Reply, trace.Credit} }

// longest is the number of parameters in a chunk.
func (p *ParamServer) longest() int { return p.spec.Options.ChunkBytes / vectors.ElementBytes }

// Progress returns how many parameters have been compared, and of how many.
func (p *ParamServer) Progress() (done, total int64) {
	return p.compared, int64(p.spec.Nodes-p.spec.Options.Servers) * int64(p.spec.Options.Steps) * int64(p.spec.Parameters)
}

// Start begins the program on its nodes, whose packets carry tag. Done, which may be nil, is called
// when it has ended.
func (p *ParamServer) Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error {
	if len(nodes) != p.spec.Nodes {
		return fmt.Errorf("paramserver: start on %d nodes, want %d", len(nodes), p.spec.Nodes)
	}
	if err := p.Open("paramserver", nodes, tag); err != nil {
		return err
	}
	servers, most := p.spec.Options.Servers, p.spec.Options.ChunkBytes
	for i, m := range p.Members {
		m.Buffers(most)
		if i < servers {
			of := shard{p.spec.Parameters * i / servers, p.spec.Parameters * (i + 1) / servers}
			p.servers = append(p.servers, &server{
				ParamServer: p, Member: m, shard: of, values: make([]byte, vectors.ElementBytes*(of.end-of.first)),
				sum: make([]byte, most), bytes: make([]byte, most),
			})
			continue
		}
		w := &worker{ParamServer: p, Member: m, number: i - servers, bytes: make([]byte, most), sent: make([]int, servers), come: make([]int, servers)}
		p.workers = append(p.workers, w)
		if err := w.connect(); err != nil {
			return err
		}
	}
	p.Team.Start(instrument, func(m *team.Member) {
		if m.ID < servers {
			p.servers[m.ID].run()
		} else {
			p.workers[m.ID-servers].run()
		}
	}, done)
	return nil
}

// connect makes lanes to and from all servers.
func (w *worker) connect() error {
	for _, s := range w.servers {
		to, err := team.NewLane(w.Member, s.Member, Slots, w.spec.Options.ChunkBytes, team.ByWord)
		if err != nil {
			return err
		}
		from, err := team.NewLane(s.Member, w.Member, Slots, w.spec.Options.ChunkBytes, team.ByWord)
		if err != nil {
			return err
		}
		w.to, w.from = append(w.to, to), append(w.from, from)
		s.from, s.to = append(s.from, to), append(s.to, from)
	}
	return nil
}

// Verify returns how the parameters were checked, and what is wrong with them, if anything.
func (p *ParamServer) Verify() (how string, wrong error) {
	if done, total := p.Progress(); done != total {
		p.Wrong("%d parameters were compared, want %d", done, total)
	}
	var all vectors.Sum
	for step := range p.spec.Options.Steps {
		all += p.vectors.Total(step)
	}
	for _, s := range p.servers {
		if err := p.vectors.Differs(s.values, all, s.shard.first); err != nil {
			p.Wrong("server %d in the end: %v", s.ID, err)
		}
	}
	return fmt.Sprintf("every worker compared all %d parameters after each of %d steps with sums found without the gradients; so were the servers' in the end",
		p.spec.Parameters, p.spec.Options.Steps), p.Verdict()
}
