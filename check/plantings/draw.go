package main

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/portable"
)

// draw draws parts of a case.
type draw struct{ *rand.Rand }

func (d draw) chance(p float64) bool { return d.Float64() < p }

// between draws a number whose logarithm is evenly distributed, with three digits.
func (d draw) between(lo, hi float64) float64 { return short(lo * portable.Pow(hi/lo, d.Float64())) }

// short returns a number with three digits, so that commands can be read.
func short(x float64) float64 {
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		panic("plantings: " + err.Error())
	}
	return x
}

func pick[T any](d draw, from []T) T { return from[d.IntN(len(from))] }

// The platforms. Cards of the old ones have a processor, those of the new ones a pipeline.
var (
	old  = []string{"shrimp", "ppro", "gm-p3"}
	late = []string{"cx5-roce", "cx6-hdr", "cx7"}
	pfc  = []string{"cx5-roce", "cx7"}
	both = slices.Concat(old, late)
)

// The programs, by what they are made of.
var (
	memory   = []string{"fft", "radix", "lu", "ocean", "water"}
	patterns = []string{"random", "hotspot", "stream", "alltoall", "incast", "prodcons", "queue"}
	jobs     = []string{"allreduce", "paramserver", "kv", "blocks", "gauss", "dfs"}
	central  = []string{"hotspot", "queue", "incast", "paramserver", "kv", "blocks"} // around node 0
	all      = slices.Concat(memory, patterns, jobs)
	messages = slices.Concat(patterns, jobs)
)

// wheres are what programs are made of, and on which cards.
var wheres = []string{"shared memory, old cards", "shared memory, new cards", "messages, old cards", "messages, new cards"}

func where(s experiment.RunSpec) string {
	i := 0
	if slices.Contains(messages, s.Workload) {
		i = 2
	}
	if slices.Contains(late, s.Platform) {
		i++
	}
	return wheres[i]
}

// sizes are the smallest and the largest size of programs that have one.
var sizes = map[string][2]float64{
	"radix": {10000, 40000}, "ocean": {24, 48}, "water": {24, 48}, "gauss": {32, 96}, "dfs": {100, 400},
	"allreduce": {4000, 32000}, "paramserver": {4000, 32000}, "kv": {500, 2000}, "blocks": {300, 1200},
}

func (d draw) size(s *experiment.RunSpec) {
	switch name := s.Workload; {
	case name == "fft":
		s.Size = pick(d, []int64{4096, 16384})
	case name == "lu":
		s.Size = pick(d, []int64{96, 128, 160})
	case slices.Contains(own, name):
		s.Size = nobody
	case s.IsPattern():
		s.Pattern.Bytes = 4 * int(d.between(16, 2000))
		s.Pattern.Count = int(d.between(30, 150))
		if slices.Contains(late, s.Platform) { // where messages take less time
			s.Pattern.Count = int(d.between(100, 500))
		}
		if d.chance(0.7) {
			s.Pattern.GapUs = d.between(2, 200)
		}
		if name == "alltoall" {
			s.Pattern.Count /= 4
		}
	default:
		s.Size = int64(d.between(sizes[name][0], sizes[name][1]))
		d.job(&s.Job, name)
	}
}

// job draws options of jobs of data centres.
func (d draw) job(j *experiment.JobSpec, program string) {
	if slices.Contains([]string{"allreduce", "paramserver", "kv", "blocks"}, program) && d.chance(0.5) {
		j.ComputeUs = d.between(2, 50)
	}
	switch program {
	case "kv":
		j.Items, j.ItemBytes = int(d.between(50, 500)), 8*int(d.between(4, 500))
	case "blocks":
		j.DeviceUs, j.Depth = d.between(10, 80), 1+d.IntN(8)
	}
}

// node draws where a cause is planted. In programs around one node that is often the place.
func (d draw) node(s experiment.RunSpec) int {
	if slices.Contains(central, s.Workload) && d.chance(0.5) {
		return 0
	}
	return d.IntN(s.Nodes)
}
