package dcqcn

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec holds the parameters, as a section of a profile does. Rates are in MB/s, as everywhere.
type Spec struct {
	CNPGap     sim.Duration `toml:"cnp_gap_us" range:"0..1e5"`         // between notices of a receiver for a flow
	CutGap     sim.Duration `toml:"cut_gap_us" range:"0..1e5"`         // between cuts of a flow
	Gain       float64      `toml:"alpha_gain" range:"0<..1"`          // g
	AlphaTimer sim.Duration `toml:"alpha_timer_us" range:"0.001..1e5"` // without a notice, until alpha falls
	RiseTimer  sim.Duration `toml:"rise_timer_us" range:"0.001..1e6"`  // T
	RiseBytes  int          `toml:"rise_bytes" range:"0..1e12"`        // B; 0: only the timer counts
	Stages     int          `toml:"fast_recovery_stages" range:"0..1000"`
	Additive   sim.Rate     `toml:"additive_mbps" range:"0..1e5"`
	Hyper      sim.Rate     `toml:"hyper_mbps" range:"0..1e5"`
	Least      sim.Rate     `toml:"least_mbps" range:"0.001..1e5"` // no cut goes below
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("dcqcn", s); err != nil {
		return err
	}
	if s.Hyper < s.Additive {
		hyper, _ := s.Hyper.In("mbps")
		return bounds.Wrong("dcqcn.hyper_mbps", hyper, "at least additive_mbps")
	}
	return nil
}

// Paper returns the parameters of Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, for
// links of 40 Gb/s (second-hand). Hyper is assumed to be ten times Additive, and Least as much as Additive.
func Paper() Spec {
	return Spec{
		CNPGap: 50 * sim.Microsecond, Gain: 1. / 256, AlphaTimer: 55 * sim.Microsecond,
		RiseTimer: 55 * sim.Microsecond, RiseBytes: 10_000_000, Stages: 5,
		Additive: sim.MBps(5), Hyper: sim.MBps(50), Least: sim.MBps(5),
	}
}

// simulation returns the parameters of a public simulation of links of 100 Gb/s (alibaba-edu/HPCC). Its
// senders cut in intervals of 4 µs and rise by the timer alone. Of the gain, the timer of alpha, the stages and the least rate
// no origin has been checked: they are assumed.
func simulation() Spec {
	return Spec{
		CNPGap: 4 * sim.Microsecond, CutGap: 4 * sim.Microsecond, Gain: 1. / 256, AlphaTimer: sim.Microsecond,
		RiseTimer: 900 * sim.Microsecond, Stages: 1,
		Additive: sim.MBps(6.25), Hyper: sim.MBps(12.5), Least: sim.MBps(12.5),
	}
}
