package calibrate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// stages is how many a message has.
const stages = int(trace.NumStages)

// latencies has one for each stage, µs.
type latencies [stages]float64

// observed is a run of real hosts.
type observed struct {
	dir   string
	hosts string
	conditions
	sizes []int64
	of    map[int64]*[stages][]float64 // by size, sorted; µs
}

// conditions are the parts of the specification of a run that the model follows.
type conditions struct {
	Pattern  string  `json:"pattern"`
	Protocol string  `json:"protocol"`
	Rate     float64 `json:"rate_per_second"`
	Wait     string  `json:"wait"`
}

// Patterns and ways to wait, in the words of runs.
const (
	roundTrips = "pingpong"
	oneWay     = "stream"
	spinning   = "spin"
)

// read reads a run.
func read(dir string) (*observed, error) {
	run, err := rundir.ReadSummary(dir)
	if err != nil {
		return nil, err
	}
	o := &observed{dir: dir, hosts: run.Manifest.Platform.Name, of: map[int64]*[stages][]float64{}}
	if run.Manifest.Detail != trace.DetailLive {
		return nil, bounds.Wrong("run", dir, "one of sigview live")
	}
	if err := json.Unmarshal(run.Manifest.Spec, &o.conditions); err != nil {
		return nil, fmt.Errorf("%s: specification: %w", dir, err)
	}
	if o.Pattern != roundTrips && o.Pattern != oneWay {
		return nil, bounds.Wrong("run", dir, "one of the pattern %s or %s, not %s", roundTrips, oneWay, o.Pattern)
	}
	if !run.Manifest.Verified {
		return nil, bounds.Wrong("run", dir, "one that is not spoilt: %s", run.Manifest.Verification)
	}
	if err := rundir.Scan(dir, o.take); err != nil {
		return nil, err
	}
	if o.sizes = slices.Sorted(maps.Keys(o.of)); len(o.sizes) == 0 {
		return nil, bounds.Wrong("run", dir, "one whose messages have all four stages: stamps of the queueing discipline, the driver and the receiver's kernel")
	}
	o.sort()
	return o, o.check()
}

// check refuses stages that take no time, as Net by clocks that differ by more than it. Relative errors of them have
// no meaning.
func (o *observed) check() error {
	for _, n := range o.sizes {
		for i, us := range o.medians(n) {
			if us <= 0 {
				return bounds.Wrong("run", o.dir, "one whose stages have medians above 0, not %s of %g µs at %d B", analysis.StageName(trace.Stage(i), true), us, n)
			}
		}
	}
	return nil
}

func (o *observed) sort() {
	for _, all := range o.of {
		for i := range all {
			slices.Sort(all[i])
		}
	}
}

// take takes messages that have all stages.
func (o *observed) take(rows []trace.PacketRow) error {
	for _, r := range rows {
		if !(r.SourceNs.OK && r.LANaiNs.OK && r.NetNs.OK && r.DestNs.OK) {
			continue
		}
		of := o.of[r.SizeBytes]
		if of == nil {
			of = &[stages][]float64{}
			o.of[r.SizeBytes] = of
		}
		for i, v := range [...]int64{r.SourceNs.Value, r.LANaiNs.Value, r.NetNs.Value, r.DestNs.Value} {
			of[i] = append(of[i], float64(v)/1000)
		}
	}
	return nil
}

// medians are those of the stages of a size.
func (o *observed) medians(size int64) (m latencies) {
	for i := range m {
		m[i] = portable.Median(o.of[size][i])
	}
	return m
}

// beside puts what was measured of a size beside what is modelled.
func (o *observed) beside(size int64, modelled latencies, use bench.Use) (out []bench.StageFit) {
	for i, stage := range trace.RecordedStages() {
		us := o.of[size][i]
		out = append(out, bench.StageFit{
			SizeBytes: size, Stage: analysis.StageName(stage, true), Messages: len(us), Use: use,
			MedianUs: portable.Median(us), LowUs: portable.Percentile(us, 25), HighUs: portable.Percentile(us, 75),
			MeanUs: portable.Mean(us, nil), ModelledUs: modelled[i],
		})
	}
	return out
}

// differs says in what a run differs from another one.
func (o *observed) differs(from *observed) (out []string) {
	say := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(o.Pattern != from.Pattern, "the pattern, %s and %s", o.Pattern, from.Pattern)
	say(o.Pattern == from.Pattern && o.Pattern == oneWay && o.Rate != from.Rate, "the rate, %g and %g messages a second", o.Rate, from.Rate)
	say(o.Protocol != from.Protocol, "the protocol, %s and %s", o.Protocol, from.Protocol)
	say(o.Wait != from.Wait, "how receivers wait, %s and %s", o.Wait, from.Wait)
	say(o.sizes[0] < from.sizes[0] || o.sizes[len(o.sizes)-1] > from.sizes[len(from.sizes)-1], "sizes beyond those of the fit")
	say(o.hosts != from.hosts, "the hosts")
	return out
}

// how says how messages were sent.
func (o *observed) how() string {
	if o.Pattern == oneWay {
		return fmt.Sprintf("%s by %s, %g messages a second", o.Pattern, o.Protocol, o.Rate)
	}
	return fmt.Sprintf("%s by %s", o.Pattern, o.Protocol)
}
