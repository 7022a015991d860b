package live

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/trace"
)

// Clocks compares the clock of this host, which is node 0, with that of a peer by probes, while something else is
// measured on both. Its methods may be called from any goroutine.
type Clocks struct {
	tracker *Tracker
	self    *End
	probes  *prober
	lost    uint64
}

// CompareClocks begins to compare, and returns the peer's host and the ports of the probes at both ends. When it
// returns, the clocks are known so far. failed is called, once, with why the peer does not go on.
func CompareClocks(ctx context.Context, peer Peer, failed func(error)) (c *Clocks, host Host, ports [2]uint16, err error) {
	spec, err := Default().filled(2)
	if err != nil {
		return nil, host, ports, err
	}
	setup := setupWith(spec, []Peer{peer})
	setup.ClocksOnly = true
	sockets, hosts, opened, err := openAll(setup, []Peer{peer})
	if err != nil {
		return nil, host, ports, err
	}
	c = &Clocks{tracker: newTracker(setup.Nodes)}
	if c.self, err = connectAll(ctx, sockets, []Peer{peer}, opened, func(Batch) {}, failed); err != nil {
		return nil, host, ports, err
	}
	c.self.Receive()
	c.probes = newProber(c.self.probes, setup.Token, c.tracker.Add)
	// They go on until End, whatever becomes of ctx.
	c.probes.start(context.WithoutCancel(ctx))
	return c, hosts[1], [2]uint16{opened[0].Probes[1], opened[1].Probes[0]}, nil
}

// Convert converts a time of the peer's clock to this host's, both in ns since 1970, with a bound of the error. Before the
// first line it returns the time of the peer, and a bound beyond any time.
func (c *Clocks) Convert(at int64) (own, bound int64) { return c.tracker.Convert(1, at) }

// Cut ends what is being learned, so that all up to now is Ready but the last moment. It does nothing with too few probes.
func (c *Clocks) Cut() { c.tracker.cut() }

// Ready reports whether what will be learned later does not change the conversion.
func (c *Clocks) Ready(at int64) bool { return c.tracker.Ready(1, at) }

// End ends the comparison. Any time can be converted then. It returns an error if the clock of this host was set meanwhile.
func (c *Clocks) End() error {
	c.lost = c.probes.close()
	counts, err := c.self.Stop()
	c.tracker.Close()
	return errors.Join(err, stepped([]Counts{counts}))
}

// Stepped returns an error if the peer's clock was set, by what it has counted.
func (c *Clocks) Stepped(peer Counts) error { return stepped([]Counts{{}, peer}) }

// Enter enters what is known of the clocks into the records of a run that began at origin, in ns since 1970 by this host's clock.
func (c *Clocks) Enter(to *collect.Records, origin int64) {
	c.tracker.enter(to, origin)
	to.Manifest.Warnings = append(to.Manifest.Warnings, c.tracker.warning())
	if c.lost > 0 {
		to.Manifest.Warnings = append(to.Manifest.Warnings, lostProbes(c.lost))
	}
}

// warning says what probes cannot see.
func (t *Tracker) warning() string {
	// asymmetry is in ns: half of it, in µs.
	return fmt.Sprintf("Net is by clocks that probes compare: if one way takes longer than the other, half of that is in it unseen, at most %.2f µs", t.asymmetry()/2000)
}

func lostProbes(n uint64) string { return fmt.Sprintf("%d probes of the clocks got lost", n) }

// enter adds what is known of the clocks of other hosts.
func (t *Tracker) enter(to *collect.Records, origin int64) {
	// Lines of runs before are not of this one.
	to.Estimator, to.Clock = estimatorLines, slices.DeleteFunc(t.rows(origin), func(r trace.ClockRow) bool { return r.TimeNs < -windowNs })
	c := &to.Nodes[0].Clock
	// A probe is a query and an answer.
	c.Messages = 2 * t.probes()
	for _, row := range to.Clock {
		// A line ends a window, which counts as a round.
		if row.Estimator == estimatorLines {
			c.Rounds++
		}
	}
}
