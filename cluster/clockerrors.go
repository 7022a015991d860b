package cluster

import (
	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/sim"
)

// ClockErrors samples conversions between the clocks of all pairs of nodes and
// compares them with true time.
type ClockErrors struct {
	Us      []float64 // absolute errors, in the order of samples
	BoundUs []float64 // the converter's bound of each
	Covered int       // errors within their bounds

	cluster *Cluster
	draw    sim.Stream
	mean    sim.Duration
}

// samplesPerRound is how many instants are sampled between two rounds.
const samplesPerRound = 5

// skipRounds is the number of rounds before a rate is known.
const skipRounds = 2

// ClockErrors returns a sampler without samples.
func (c *Cluster) ClockErrors() *ClockErrors {
	return &ClockErrors{
		cluster: c, draw: c.Engine.Stream("clocktest/samples"),
		mean: sim.Duration(c.Protocol().PeriodPs) / samplesPerRound,
	}
}

// Gap returns the time to the next sample. It is random, so samples fall at all
// ages of a round.
func (s *ClockErrors) Gap() sim.Duration { return s.mean/2 + s.draw.Upto(s.mean) }

// Sample adds the errors at this instant.
func (s *ClockErrors) Sample() {
	c := s.cluster
	if c.Nodes[0].Monitor.Clock().Rounds() < skipRounds {
		return
	}
	now := int64(c.Engine.Now())
	hz := float64(c.Protocol().HzNum)
	us := func(subticks int64) float64 { return float64(subticks) / (1 << clock.FracBits) / hz * 1e6 }
	for j, to := range c.Nodes {
		converter := to.Monitor.Clock().Converter()
		received := to.Oscillator.Counter(now)
		for i, from := range c.Nodes {
			if i == j || !converter.Ready(i) || !converter.Ready(j) {
				continue
			}
			latency, bound := converter.Latency(i, from.Oscillator.Counter(now), received)
			err := us(latency)
			if err < 0 {
				err = -err
			}
			s.Us = append(s.Us, err)
			s.BoundUs = append(s.BoundUs, us(bound))
			if err <= us(bound) {
				s.Covered++
			}
		}
	}
}
