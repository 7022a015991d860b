package team

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Open opens the ports of a program's processes, whose packets carry tag. Its name stands
// in errors.
func (t *Team) Open(name string, nodes []deposit.Node, tag trace.Tag) error {
	if t.Members != nil {
		return fmt.Errorf("%s: started before", name)
	}
	t.name, t.engine = name, nodes[0].Host.Engine()
	ports, err := deposit.Open(nodes, name, tag)
	if err != nil {
		return err
	}
	for i, port := range ports {
		t.Members = append(t.Members, &Member{
			team: t, ID: i, Port: port, Space: port.Space(), host: nodes[i].Host, Numbers: trace.Numbers{Node: i},
		})
	}
	return nil
}

// Start runs the program of each process. Done, which may be nil, is called when all have ended or
// one has failed. Instrument returns how a process tells of its operations.
func (t *Team) Start(instrument func(node int, x *host.Context) trace.Instrument, program func(*Member), done func()) {
	t.begun, t.running, t.done = t.engine.Now(), len(t.Members), done
	for _, m := range t.Members {
		m.host.Go(fmt.Sprintf("%s%d", t.name, m.ID), host.Application, func(x *host.Context) {
			m.X, m.Tell = x, instrument(m.ID, x)
			program(m)
			m.leave()
		})
	}
}

// end ends the program.
func (t *Team) end() {
	t.ended = t.engine.Now()
	if t.done != nil {
		t.done()
		t.done = nil
	}
}

// Stream returns a member's random stream of that name. It does not depend on the engine's seed.
func (m *Member) Stream(seed uint64, name string) sim.Stream {
	return sim.NewStream(seed, fmt.Sprintf("workloads/%s/node%d/%s", m.team.name, m.ID, name))
}

// Wrong records a wrong result; the program continues.
func (t *Team) Wrong(format string, args ...any) {
	if t.wrong != nil {
		t.others++
		return
	}
	t.wrong = fmt.Errorf(t.name+": "+format, args...)
}

// Verdict returns the first wrong result and how many more there are, or nil.
func (t *Team) Verdict() error {
	if t.others > 0 {
		return fmt.Errorf("%w (and %d more)", t.wrong, t.others)
	}
	return t.wrong
}

// Err returns what ended the program early, or nil.
func (t *Team) Err() error { return t.stopped }

// Elapsed returns how long the program took and whether it has ended.
func (t *Team) Elapsed() (sim.Duration, bool) { return t.ended.Sub(t.begun), t.ended > 0 }

// Shares returns how a node's process has spent its time.
func (t *Team) Shares(node int) host.Shares { return t.Members[node].X.Shares() }
