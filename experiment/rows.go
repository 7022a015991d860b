package experiment

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// rows is how the rows of the published table are measured. The files whose names
// begin with rows_ hold nothing else: rows_shrimp_*, rows_userspace_* and
// rows_logp_* one theme of a paper each, the others what papers share: a bed with
// its witness, a live pair. What several rows read runs once, at the first of them.
type rows struct {
	seed   uint64
	checks map[string]judge.Check

	shared
	comparison *comparison
}

// rowChecks says how rows of the published table are measured. Nothing runs
// before a row is judged.
func rowChecks(seed uint64) map[string]judge.Check {
	r := &rows{seed: seed, checks: map[string]judge.Check{}}
	r.shared, r.comparison = newShared(seed), newComparison(seed)
	r.hardware()
	r.network()
	r.layer()
	r.monitor()
	r.histograms()
	r.latencies()
	r.clocks()
	r.probes()
	r.perturbation()
	r.baseline()
	r.transform()
	r.contention()
	r.memory()
	r.programs()
	r.messages()
	r.cells()
	r.compare()
	r.assess()
	return r.checks
}

// add says how a row is measured. A counter-experiment, where there is one,
// is the same with the mechanism switched off and has to fail.
func (r *rows) add(id, experiment string, m judge.Measure) { r.within(id, 0, "", experiment, m) }

// within is add with a tolerance of the row's own.
func (r *rows) within(id string, pct float64, why, experiment string, m judge.Measure) {
	r.against(id, pct, why, experiment, m, "", nil)
}

// versus is add with a counter-experiment.
func (r *rows) versus(id, experiment string, m judge.Measure, counter string, cm judge.Measure) {
	r.against(id, 0, "", experiment, m, counter, cm)
}

func (r *rows) against(id string, pct float64, why, experiment string, m judge.Measure, counter string, cm judge.Measure) {
	if _, twice := r.checks[id]; twice {
		panic("experiment: row " + id + " is measured twice")
	}
	r.checks[id] = judge.Check{
		Experiment: experiment, Measure: m, Counter: counter, CounterMeasure: cm, WithinPct: pct, Why: why,
	}
}

// value is a measured number and the figures behind it.
func value(v float64, note string, args ...any) judge.Measured {
	return judge.Measured{Value: v, Note: fmt.Sprintf(note, args...)}
}

// holds says whether a statement is true of the model, and the figures behind it.
func holds(ok bool, note string, args ...any) judge.Measured {
	return judge.Measured{Holds: ok, Note: fmt.Sprintf(note, args...)}
}

// forAll makes one statement of the same one about several things: it holds if it
// holds of each, and note, which has one verb for them, tells of all in order.
func forAll[T any](things []T, note, between string, f func(T) (judge.Measured, error)) (judge.Measured, error) {
	ok := true
	var seen []string
	for _, t := range things {
		m, err := f(t)
		if err != nil {
			return judge.Measured{}, err
		}
		ok = ok && m.Holds
		seen = append(seen, m.Note)
	}
	return holds(ok, note, strings.Join(seen, between)), nil
}

// plain makes a measurement of an experiment that nobody shares.
func plain(f func() (judge.Measured, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		if err := ctx.Err(); err != nil {
			return judge.Measured{}, err
		}
		return f()
	}
}

// read makes a measurement of an experiment that rows share.
func read[T any](get func(context.Context) (T, error), f func(T) (judge.Measured, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		v, err := get(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		return f(v)
	}
}

// Papers whose set-ups the model contains, as the table names them.
const (
	shrimpPaper    = "shrimp"
	userspacePaper = "userspace"
	// assessedRows begin the ids of those about LogP, a few of which other
	// papers quote.
	assessedRows = "logp-"
)

// notModelled says what a row needs that the model does not contain.
func notModelled(row judge.Row) (string, bool) {
	if what, absent := absentRows[row.ID]; absent {
		return what, true
	}
	switch {
	case strings.HasPrefix(row.ID, "us-t2-prot-"):
		return "the name of a means of protection: that it protects is provoked, and the paths show copies, programmed I/O and DMA", true
	case strings.HasPrefix(row.ID, assessedRows):
		return "", false
	case row.Paper != shrimpPaper && row.Paper != userspacePaper:
		return "another paper's systems: later work", true
	case strings.HasPrefix(row.Note, "FUTURE") && row.ID != variance:
		return "future work of the paper", true
	}
	what, absent := absentLayers[row.Layer]
	return what, absent
}

// variance is the one item of the paper's future work that the model has.
const variance = "sh-fw-stat"

// absentLayers are parts of shrimp's set-up that the model does not
// contain yet.
var absentLayers = map[string]string{
	"SHRIMP-II hardware monitor": "the monitor on a board of its own",
}

// absentRows are single rows, and what they are about.
var absentRows = map[string]string{
	"sh-os":              "an operating system's version; what it costs stands in the profile",
	"us-os":              "an operating system's version; what it costs stands in the profile",
	"sh-mem":             "the size of main memory: no program of the model fills it",
	"us-mem":             "the size of main memory: no program of the model fills it",
	"us-nolanaihost":     "true by construction: the interface of the model reaches host memory by its H engine only, and nothing else could be switched on",
	"us-dma-who":         "true by construction: the model has no DMA engine but the interface's",
	"us-prot-regs":       "registers in user space: a program of the model has the calls of its layer and nothing below",
	"us-fig2-init":       "DMA started by the host: in all layers of the model the interface starts it",
	"us-sockets":         "kernel protocols over Ethernet on these machines; quoted from elsewhere",
	"us-rawratio":        "the raw rate of an Ethernet; quoted from elsewhere",
	"us-gam-port":        "who ported a library",
	"us-amii-not-run":    "a limit of the paper's machines: here AM-II runs, with assumed costs",
	"us-lim-copy":        "a limit of the designs, argued; what copies cost PM where they are needed is us-pm-copy",
	"us-lim-conn":        "connecting processes takes no time in the model",
	"us-lim-intr":        "a limit of the designs, argued: no layer of this pair interrupts in what is measured",
	"us-lim-logp":        "a limit of LogP, argued; the attribution of DMA shows in us-t3-ni2buf, the memory bus in us-membus",
	"us-lim-drop":        "a limit of the measurement, argued; overwriting shows in us-vmmc-sync, loss in us-t1-ovf-bip092",
	"us-lim-fork":        "the model's processes do not fork",
	"us-lim-other":       "what the paper leaves out",
	"us-lim-bench":       "benchmarks that the paper would like to see",
	"us-lim-2nodes":      "a limit of the paper's measurement",
	"logp-instr-conv":    "numbers of instructions: the model has times",
	"logp-instr-am":      "numbers of instructions: the model has times",
	"logp-t1-sunsahiatm": "a machine that the model does not have",
	"logp-t1-sp1":        "a machine that the model does not have",
	"logp-t1-foresba":    "a machine that the model does not have",
	"logp-t1-ibmsp2":     "a machine that the model does not have",
	"logp-t1-hpmedusa":   "a machine that the model does not have",
	"logp-t1-crayt3d":    "a machine that the model does not have",
	"logp-par-dma":       "two engines that both move between memory and network: the model's interface has one towards memory and two towards the network",
	"logp-mei-net":       "a second fat tree: one carries all that is measured",
	"logp-myr-nicpu":     "the width of a word of the interface's processor: its cycles stand for it",
	"logp-rpc-os":        "an operating system's version; what it costs stands in the profile",
	"logp-fig9":          "values of a figure that is not at hand",
	"logp-lim-age":       "a limit of the paper's comparison",
	"sh-lim-verify":      "a limit of real machines: the model knows the true instants",
	"sh-lim-offline":     "a limit of the paper's tools",
	"sh-portable":        "drivers and operating systems",
}
