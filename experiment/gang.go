package experiment

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Sampling of programs that share the nodes. Assumed.
const (
	sampleEvery = 10 * sim.Millisecond // the kernel's tick
	sampleCost  = 2 * sim.Microsecond  // of a node's processor: a look at the process and a count
	turns       = 64                   // of all programs, at most
	fewSamples  = 8                    // of a node, below which shares are not compared
	muchSpin    = 2. / 3               // share of samples
	lessUse     = 0.8                  // of the share of samples without spinning
)

// coscheduler decides on gang scheduling. It samples which program each node runs, and whether the
// program spins while it waits for others. Gang scheduling begins after a turn of all programs in
// which they spin most of the time while the nodes run different programs, and more than while they
// run the same.
type coscheduler struct {
	cluster *cluster.Cluster
	turn    int     // samples of a turn
	samples [][]int // by instant: programs that run on the nodes, complement if it spins
	weighed int     // samples of earlier turns
	began   bool    // gang scheduling
	rows    []trace.OnlineRow
}

// found implements finder.
func (g *coscheduler) found() []trace.OnlineRow { return g.rows }

// coschedule starts the sampling.
func coschedule(c *cluster.Cluster, programs int, quantum sim.Duration) *coscheduler {
	g := &coscheduler{cluster: c, turn: int(sim.Duration(programs) * quantum / sampleEvery)}
	g.samples = make([][]int, turns*g.turn)
	for _, n := range c.Nodes {
		n.Host.Go("sampler", host.Handler, func(x *host.Context) {
			for i := 0; i < len(g.samples) && !g.began; i++ {
				x.Sleep(sampleEvery - sampleCost)
				p, spins := n.Host.Glance()
				if spins {
					p = ^p
				}
				g.samples[i] = append(g.samples[i], p)
				x.Spend(sampleCost)
			}
		})
	}
	at := c.Engine.Now()
	for range turns {
		at = at.Add(sim.Duration(programs)*quantum + sampleEvery) // the samples have been collected
		at += (sim.Time(quantum) - at%sim.Time(quantum)) % sim.Time(quantum)
		c.Engine.At(at, g, 0, 0)
	}
	return g
}

// spun is how many samples of nodes there are, and in how many of them programs spin.
type spun struct{ samples, spins int }

func (s spun) share() float64 { return float64(s.spins) / float64(max(s.samples, 1)) }

// weigh sums up the samples of instants at which all nodes run the same program, and
// of the others.
func weigh(samples [][]int) (same, mixed spun) {
	for _, at := range samples {
		first, to := -1, &same
		spins := 0
		for i, p := range at {
			if p < 0 {
				spins++
				p = ^p
			}
			if i == 0 {
				first = p
			} else if p != first {
				to = &mixed
			}
		}
		to.samples += len(at)
		to.spins += spins
	}
	return same, mixed
}

// Act decides at the end of a turn, when all nodes begin a time slice.
func (g *coscheduler) Act(uint32, uint64) {
	same, mixed := weigh(g.samples[g.weighed:])
	for g.weighed < len(g.samples) && len(g.samples[g.weighed]) == len(g.cluster.Nodes) {
		g.weighed++
	}
	few := fewSamples * len(g.cluster.Nodes)
	compared := same.samples >= few
	if g.began || mixed.samples < few || mixed.share() < muchSpin || compared && 1-mixed.share() > lessUse*(1-same.share()) {
		return
	}
	g.began = true
	evidence := fmt.Sprintf("they spin in %.0f %% of %d samples", 100*mixed.share(), mixed.samples)
	if compared {
		evidence += fmt.Sprintf(", and in %.0f %% of %d while all nodes run the same", 100*same.share(), same.samples)
	}
	g.rows = append(g.rows, trace.OnlineRow{
		TimeNs: int64(g.cluster.Engine.Now().Sub(0) / sim.Nanosecond), Policy: string(Coschedule),
		Finding:  "programs wait for nodes that run another one",
		Evidence: evidence,
		Action:   "All nodes switch between programs at the same instants from now on",
	})
	for _, n := range g.cluster.Nodes {
		n.Host.Gang()
	}
}
