package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/ablate"
	"github.com/sigview/sigview/experiment/calibrate"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/experiment/selftest"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/capture"
	"github.com/sigview/sigview/papers"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/export"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// fakeLab answers every command at once and depends on no model. Workloads
// say by their name how their run ends.
func fakeLab() lab {
	return lab{
		known: func() experiment.Catalogue {
			return experiment.Catalogue{
				Workloads: []experiment.Entry{
					{Name: "fft", Summary: "six-step transform", Detail: "size: complex points, a power of four\n", Phases: []string{"start", "rows"}},
					{Name: "radix"}, {Name: "gauss"}, {Name: "goal"}, {Name: "ocean"}, {Name: "hotspot"}, {Name: "incast"}, {Name: "allreduce"}, {Name: "kv"}, {Name: "pingpong"}, {Name: "wrong"}, {Name: "slow"}, {Name: "misfit"},
				},
				Platforms: []experiment.Entry{
					{Name: "shrimp", Summary: "eight Pentium PCs", Detail: "name = \"shrimp\"\n", Layers: []string{"vmmc"}},
					{Name: "cx6-hdr"}, {Name: "grim-p3-lanai9", Summary: "a pair with SSE", Detail: "name = \"grim-p3-lanai9\"\n", Layers: []string{"vmmc"}},
					{Name: "grim-p4-lanai9", Summary: "a pair with wide slots", Detail: "name = \"grim-p4-lanai9\"\n", Layers: []string{"vmmc"}},
					{Name: "ppro", Summary: "a pair of Pentium Pros", Detail: "name = \"ppro\"\n", Layers: []string{"fm", "gam", "vmmc"}},
				},
				Layers: []experiment.Entry{
					{Name: "fm", Summary: "streamed messages", Detail: "Fast Messages"},
					{Name: "gam", Summary: "requests and replies", Detail: "Generic Active Messages"},
					{Name: "vmmc", Summary: "deposit into exported memory", Detail: "VMMC-2"},
				},
			}
		},
		run:  fakeRun,
		live: fakeLive,
		liveLogP: func(context.Context, liveLogP, experiment.Watch) (*bench.LogP, error) {
			return &bench.LogP{Place: bench.Place{Platform: "here", Digest: "0", Layer: "udp"}, Method: string(live.Sweep), Pattern: "pair", Peers: 1, Monitor: "off"}, nil
		},
		many: fakeMany,
		baseline: func(_ context.Context, s experiment.BaselineSpec, _ experiment.Watch) (*trace.Run, error) {
			return &trace.Run{Manifest: trace.Manifest{Workload: "baseline", Platform: trace.Platform{Name: s.Platform}}}, nil
		},
		perturb:     fakePerturb,
		clocktest:   fakeClock,
		logp:        fakeLogP,
		bandwidth:   fakeBandwidth,
		tpil:        fakeInjection,
		verbs:       fakeVerbs,
		messages:    fakeMessages,
		why:         fakeWhy,
		cache:       func() ablate.Cache { return "" },
		selftest:    fakeSelftest,
		besides:     fakeBesides,
		validate:    fakeValidate,
		plan:        fakePlan,
		sweep:       fakeSweep,
		capture:     fakeCapture,
		calibrate:   fakeCalibrate,
		fitCard:     fakeCard,
		collect:     fakeCollect,
		readSweep:   fakeReadSweep,
		checkTarget: rundir.CheckTarget,
		writeDir:    rundir.WriteDir,
		write: func(_ context.Context, dir string, _ trace.Run) error {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, trace.ManifestFile), nil, 0o644)
		},
		checkFiles: func(string) error { return nil },
		read:       fakeRead,
		summary:    fakeRead,
		trace: tui.TraceReader{
			Spans: func(dir string, take func([]trace.SpanRow) error) error {
				if strings.HasPrefix(dir, "plain") {
					return nil
				}
				_, spans, _ := fakeRecords()
				return take(spans)
			},
			Steps: func(dir string, take func([]trace.StepRow) error) error {
				if strings.HasPrefix(dir, "plain") {
					return nil
				}
				_, _, steps := fakeRecords()
				return take(steps)
			},
			Section: func(_ string, _ rundir.Section, take func([]trace.PacketRow) error) error {
				rows, _, _ := fakeRecords()
				return take(rows)
			},
			Waits: func(dir string, _ *account.Period) (*account.Account, error) {
				if strings.HasPrefix(dir, "plain") {
					return nil, fmt.Errorf("run directory %s: waits.arrow: %w", dir, rundir.ErrNoTable)
				}
				return fakeAccount(), nil
			},
		},
		passages: func(_ string, take func([]activity.Passage) error) error {
			rows, _, _ := fakeRecords()
			for _, r := range rows {
				if err := take([]activity.Passage{{Sender: r.Sender, Receiver: r.Receiver, T3Ns: r.T3Ns, T5Ns: r.T5Ns}}); err != nil {
					return err
				}
			}
			return nil
		},
		export: func(_ context.Context, s export.Spec) ([]rundir.Part, error) {
			if strings.HasPrefix(s.Dir, "no") {
				return nil, fmt.Errorf("run directory %s: run.json: no such file", s.Dir)
			}
			part := rundir.Part{Write: func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s of %s\n", s.To, s.Dir)
				return err
			}}
			if s.To == export.Parquet || s.To == export.CSV || s.To == export.Hgrm {
				part.Name = fmt.Sprintf("%s.%s", strings.Join(append(s.Tables, "table"), "-"), s.To)
			}
			return []rundir.Part{part}, nil
		},
		printRun: func(w io.Writer, run *trace.Run, format string, s report.Style) error {
			base := ""
			if len(run.Classes) > 0 && run.Classes[0].DeviationNs.OK {
				base = fmt.Sprintf(", %+.0f ns against the baseline", run.Classes[0].DeviationNs.Value)
			}
			line := fmt.Sprintf("%s report of %s%s, colour %t", format, run.Manifest.Workload, base, s.Colour)
			if format == formatJSON {
				return writeJSON(w, line)
			}
			_, err := fmt.Fprintln(w, line)
			return err
		},
		printDiff: func(w io.Writer, d report.Diff, format string, _ report.Style) error {
			_, err := fmt.Fprintf(w, "%s diff of %s and %s: %d runs and %d, %d figures, %s\n", format, d.A.Name, d.B.Name, len(d.A.Runs), len(d.B.Runs), len(d.Cells), d.Verdict)
			return err
		},
		show: func(_ context.Context, a *app, _ tui.Lab, o tui.Options, _ *tui.State) error {
			_, err := fmt.Fprintf(a.stdout, "views of %v\n", o.Dirs)
			return err
		},
	}
}

// fakeRead makes a run of 100 packets of one size whose latencies are 10 µs,
// or 15 µs when the directory or the one around it is called slow; few makes it three
// packets. The seed is that of a member of a set, else 7. The workload is named after the
// directory; after does the work of before.
func fakeRead(dir string) (trace.Run, error) {
	if strings.HasPrefix(dir, "no") {
		return trace.Run{}, fmt.Errorf("run directory %s: run.json: no such file", dir)
	}
	stat := trace.Stat{Measured: trace.Measured{Count: 100, DF: 99, MeanNs: trace.Some(10000.), VarianceNs2: trace.Some(1e6), SENs: trace.Some(100.), Spread: trace.SpreadSquares}}
	asked := experiment.DefaultRun("radix")
	asked.Seed = 7
	switch _, err := fmt.Sscanf(filepath.Base(dir), "seed-%d", &asked.Seed); {
	case err == nil:
		stat.MeanNs.Value += float64(asked.Seed)
		if filepath.Dir(dir) == "slow" {
			stat.MeanNs.Value += 5000
		}
	case dir == "slow":
		stat.MeanNs = trace.Some(15000.)
	case dir == "few":
		stat.Count, stat.DF, stat.MeanNs, stat.SENs = 3, 2, trace.Some(11000.), trace.Some(5000.)
	}
	spec, err := json.Marshal(asked)
	if err != nil {
		return trace.Run{}, err
	}
	run := trace.Run{Manifest: trace.Manifest{ToolVersion: version.Tool(), Seed: asked.Seed, Workload: strings.Replace(dir, "after", "before", 1), Verified: true, Spec: spec}}
	group, sizes := trace.Group{Tag: 1, Kind: trace.AllKinds}, trace.Sizes{SizeLoBytes: 32, SizeHiBytes: 64}
	for _, stage := range trace.Stages() {
		stat.Stage = stage
		run.Signature = append(run.Signature, trace.SignatureRow{Group: group, Sizes: sizes, Stat: stat})
		run.Classes = append(run.Classes, trace.ClassRow{
			Group: group, Class: trace.ClassUnder128, Sizes: trace.Sizes{SizeHiBytes: 128}, Stat: stat,
		})
	}
	return run, nil
}

func fakeRun(ctx context.Context, s experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
	if watch != nil {
		watch(experiment.Progress{Stage: "running", Done: 1, Total: 2, Unit: "packets"})
	}
	switch s.Workload {
	case "misfit":
		return nil, &experiment.FieldError{Field: "size", Value: "1000", Want: "a power of four"}
	case "slow":
		<-ctx.Done()
		return nil, fmt.Errorf("after 3 ms simulated: %w", ctx.Err())
	}
	return &trace.Run{Manifest: trace.Manifest{
		Workload: s.Workload, Verified: s.Workload != "wrong", Verification: "relative error 0.5, want below 1e-9",
	}}, nil
}

// fakeWhy answers that freeing the send slots saves half of the excess.
func fakeWhy(ctx context.Context, s ablate.Spec, _ experiment.Watch) (why.Explanation, error) {
	switch s.Run.Workload {
	case "slow":
		<-ctx.Done()
		return why.Explanation{}, fmt.Errorf("slots free, seed 1: %w", ctx.Err())
	case "misfit":
		return why.Explanation{}, &experiment.FieldError{Field: "size", Value: "1000", Want: "a power of four"}
	}
	study := why.Study{
		Workload: s.Run.Workload, Platform: trace.Platform{Name: s.Run.Platform}, Nodes: 2, Programs: s.Run.Programs(),
		Parts: []why.Part{{trace.Slots}}, Outcomes: map[why.Variant][]why.Outcome{},
	}
	for v, excess := range map[why.Variant]float64{{}: 20_000, why.Alone(0): 10_000, why.Fast(0): 15_000} {
		for i := range s.Seeds.N {
			o := why.Outcome{Packets: 10}
			for _, name := range study.Programs {
				o.Programs = append(o.Programs, why.Program{Name: name, RunTimeNs: 1e7 + 100*excess, Cells: []why.Cell{
					{Class: trace.ClassUnder128, Stage: trace.Source, Count: 10, BaselineNs: 6000, ExcessNs: excess},
				}})
			}
			study.Outcomes[v] = append(study.Outcomes[v], o)
			study.Seeds = append(study.Seeds[:i], s.Seeds.First+uint64(i))
		}
	}
	return why.Explain(study), nil
}

func fakeMany(ctx context.Context, jobs []experiment.Job, _ experiment.Watch, ended func(int, *trace.Run, error) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, j := range jobs {
		run, err := fakeRun(ctx, j.Spec, nil)
		if err := ended(i, run, err); err != nil {
			return fmt.Errorf("%s: %w", j.Label, err)
		}
	}
	return nil
}

// fakePlan has two programs, and one that is skipped. The sweep of a file whose name begins
// with wrong has a run that fails, and that of slow is interrupted.
func fakePlan(file string) (*sweep.Plan, error) {
	p := &sweep.Plan{Name: strings.TrimSuffix(filepath.Base(file), ".toml"), Seeds: []uint64{1, 2}, Skipped: []trace.SweepSkip{
		{Combinations: []string{"fft on ppro, bip", "radix on ppro, bip"}, Reason: "layer is bip, want one that carries programs"},
	}}
	for _, name := range []string{"fft", "radix"} {
		spec := experiment.DefaultRun(name)
		spec.Layer, spec.Nodes = "vmmc", 4
		p.Cells = append(p.Cells, sweep.Cell{Spec: spec, Platform: trace.Platform{Name: "shrimp"}, Name: name + "-0123"})
	}
	return p, nil
}

func fakeLive(_ context.Context, s liveSpec, _ experiment.Watch) (*trace.Run, error) {
	return &trace.Run{Manifest: trace.Manifest{
		Workload: string(s.Pattern), Detail: trace.DetailLive, Platform: trace.Platform{Name: "here"}, Verified: true,
	}}, nil
}

// fakeCalibrate reads no run.
func fakeCalibrate(_ context.Context, s calibrate.Spec, _ experiment.Watch) (*calibrate.Result, error) {
	fit := bench.Calibration{Platform: s.Name, Run: s.Run, Hosts: "here", Parameters: []bench.Fitted{{Field: "network.wire_ns", Value: 70, From: "Net"}}, Assumed: []string{"all else"}}
	return &calibrate.Result{Fit: &fit, Profile: "name = \"" + s.Name + "\"\n"}, nil
}

// fakeCard is a card that meets its listing.
func fakeCard(_ context.Context, s calibrate.CardSpec, _ experiment.Watch) (*calibrate.CardResult, error) {
	fit := bench.Card{Platform: s.Name, Base: s.Platform, Listing: s.Listing, Points: []bench.CardPoint{{SizeBytes: 2, ListedUs: 1, ModelledUs: 1, Use: bench.Fit}}}
	return &calibrate.CardResult{Fit: &fit, Profile: "name = \"" + s.Name + "\"\n"}, nil
}

// fakeCapture reads no files, unless they are not there.
func fakeCapture(ctx context.Context, s capture.Spec) (*trace.Run, error) {
	if strings.HasPrefix(s.Files[0], "none") {
		return capture.Import(ctx, s)
	}
	return &trace.Run{Manifest: trace.Manifest{Workload: fmt.Sprintf("traffic of %s and %s, same clock %t", s.Files[0], s.Files[1], s.SameClock)}}, nil
}

func fakeSweep(ctx context.Context, s sweep.Spec, _ experiment.Watch) (sweep.Status, error) {
	st := sweep.Status{Runs: 4, Made: 4}
	switch s.Plan.Name {
	case "slow":
		<-ctx.Done()
		return sweep.Status{Runs: 4, Made: 1, Missing: 3}, fmt.Errorf("radix on shrimp: %w", ctx.Err())
	case "wrong":
		s.Failed("radix on shrimp, seed 2", errors.New("a message was lost"))
		st.Failed = 1
	}
	return st, nil
}

func fakeCollect(context.Context, *sweep.Plan, string) (m trace.SweepManifest, err error) {
	return m, nil
}

// fakeReadSweep returns runs of 10 and 20 ms, the second of which may have failed.
func fakeReadSweep(dir string) (trace.SweepManifest, []trace.SweepRun, error) {
	m := trace.SweepManifest{SchemaVersion: 1, ToolVersion: version.Tool(), Name: filepath.Base(dir), Seeds: []uint64{1}, Runs: 2}
	var runs []trace.SweepRun
	for i, layer := range []string{"gam", "vmmc"} {
		r := trace.SweepRun{SweepPlace: trace.SweepPlace{Platform: "ppro", Layer: layer}}
		r.SweepKey = trace.SweepKey{Run: "fft-0123/seed-0001", Workload: "fft", Nodes: 4, Seed: 1}
		r.State, r.RunTimeNs = trace.RunFinished, trace.Some(int64(1e7*(1+i)))
		if strings.Contains(dir, "wrong") && i == 1 {
			r.State, r.Error = trace.RunFailed, "a message was lost"
			m.Failed = append(m.Failed, trace.SweepFailure{Title: "fft on ppro, vmmc, seed 1", Error: r.Error})
		}
		runs = append(runs, r)
	}
	return m, runs, nil
}

func fakePerturb(_ context.Context, s experiment.PerturbSpec, _ experiment.Watch) (*bench.Perturb, error) {
	p := &bench.Perturb{Platform: s.Platform, Seed: s.Seed, Remarks: []string{"Between 128 B and 1 KB handlers outlast the DMA."}}
	sizes := s.Sizes
	if len(sizes) == 0 {
		sizes = []int64{4, 4096}
	}
	traced := bench.Firmware{Build: experiment.BuildFull.String(), Trace: string(experiment.TraceAll)}
	for _, n := range sizes {
		for i, b := range []experiment.Build{experiment.BuildOff, experiment.BuildFull} {
			bw, os, rtt := 40-float64(i), 3+float64(i), 13+5*float64(i)
			p.Points = append(p.Points,
				bench.Perturbed{Firmware: bench.Firmware{Build: b.String()}, Test: "stream", SizeBytes: n, MBps: &bw, OsUs: &os},
				bench.Perturbed{Firmware: bench.Firmware{Build: b.String()}, Test: "pingpong", SizeBytes: n, OneWayUs: &rtt})
		}
		if s.Traced {
			rtt := 19.
			p.Points = append(p.Points, bench.Perturbed{Firmware: traced, Test: "pingpong", SizeBytes: n, OneWayUs: &rtt})
		}
	}
	p.Applications = []bench.Application{{
		Workload: "fft", Firmware: bench.Firmware{Build: experiment.BuildFull.String()}, RunTimeS: 2,
		Shares: []bench.Part{{Name: "computing", S: 1.5}, {Name: "page wait", S: 0.5}},
	}, {Workload: "fft", Firmware: traced, RunTimeS: 2.01}}
	return p, nil
}

func fakeClock(_ context.Context, s experiment.ClockTestSpec, _ experiment.Watch) (*experiment.ClockQuality, error) {
	return &experiment.ClockQuality{
		Platform: s.Platform, Seed: s.Seed, Nodes: max(s.Nodes, 2),
		Load: s.Load, Oscillators: s.Clock.Oscillators, SimulatedS: s.Length.Seconds(), Remarks: []string{},
		Estimators: []experiment.EstimatorError{
			{Estimator: experiment.EstimatorPublished, MaxErrorUs: 2.4, P99ErrorUs: 1.1, MedianBoundUs: 3, BoundCoverage: 1, MessagesPerHour: 252},
			{Estimator: experiment.EstimatorImproved, MaxErrorUs: 0.6, P99ErrorUs: 0.4, MedianBoundUs: 1, BoundCoverage: 0.9995, MessagesPerHour: 252},
		},
	}, nil
}

// fakeVerbs measures cards whose operations take 1 µs and 0.1 ns a byte. What is listed is a quarter more.
func fakeVerbs(_ context.Context, s experiment.VerbsSpec, _ experiment.Watch) (out []bench.Verbs, err error) {
	if len(s.Operations) == 0 {
		s.Operations = []perftest.Operation{perftest.Write}
	}
	for _, on := range s.Platforms {
		for _, op := range s.Operations {
			x := bench.Verbs{
				Platform: on, Digest: "0123456789abcdef", Operation: string(op), Measure: cmp.Or(string(s.Measure), "latency"), Network: "cable",
				QueuePairs: 1, Outstanding: 1, Warnings: []string{},
			}
			for _, n := range []int64{2, 4096, 65536} {
				us := 1 + 1e-4*float64(n)
				p := bench.VerbsPoint{SizeBytes: n, Iterations: 1000}
				if x.Measure == "latency" {
					p.VerbsLatency = &bench.VerbsLatency{MinUs: us, MaxUs: 2 * us, TypicalUs: us, AverageUs: 1.1 * us, DeviationUs: 0.1, P99Us: 1.5 * us, P999Us: 2 * us}
				} else {
					p.VerbsRate = &bench.VerbsRate{MiBps: float64(n) / us * 1e6 / (1 << 20), Mpps: 1 / us}
				}
				if s.Beside != "" {
					more := 1.25 * p.Figure()
					x.Listing, p.Listed = filepath.Base(s.Beside), &more
				}
				x.Points = append(x.Points, p)
			}
			x.Describe()
			out = append(out, x)
		}
	}
	return out, nil
}

func fakeInjection(_ context.Context, s experiment.TPILSpec, _ experiment.Watch) (*bench.Injection, error) {
	return &bench.Injection{
		Platform: s.Platform, Digest: "0123456789abcdef", Mechanisms: []string{"word", "zero-copy"}, Absent: []string{"mmx", "sse"},
		Points: []bench.Injected{
			{SizeBytes: 1024, Mechanism: "word", TimeUs: 50, MBps: 20.48, Fastest: true}, {SizeBytes: 1024, Mechanism: "zero-copy", TimeUs: 64, MBps: 16},
			{SizeBytes: 65536, Mechanism: "word", TimeUs: 3200, MBps: 20.48}, {SizeBytes: 65536, Mechanism: "zero-copy", TimeUs: 655.36, MBps: 100, Fastest: true},
		},
		Plan: []bench.Choice{{FromBytes: 4, Mechanism: "word"}, {FromBytes: 2048, Mechanism: "zero-copy"}},
	}, nil
}

// fakeBandwidth measures layers whose messages take 5 µs and 10 ns a byte.
func fakeBandwidth(_ context.Context, s experiment.BandwidthSpec, _ experiment.Watch) ([]bench.Bandwidth, error) {
	var out []bench.Bandwidth
	for _, place := range fakePlaces(s.PlacesSpec) {
		b := bench.Bandwidth{Place: place, Test: s.Test.String(), Warnings: []string{}}
		sizes := s.Sizes
		if len(sizes) == 0 {
			sizes = []int64{16, 1024, 1 << 20}
		}
		for _, n := range sizes {
			us := 5 + 0.01*float64(n)
			p := bench.BandwidthPoint{SizeBytes: n, MBps: float64(n) / us}
			if s.Test == "pingpong" {
				p.OneWayUs = &us
			}
			b.Points = append(b.Points, p)
		}
		out = append(out, b)
	}
	return out, nil
}

// fakeLogP measures a machine with o_s 2, o_r 3, L 5 and g 8 µs, and 10 ns a
// byte.
func fakeLogP(_ context.Context, s experiment.LogPSpec, _ experiment.Watch) ([]bench.LogP, error) {
	exact := func(us float64) logp.Mean { return logp.Mean{Value: us, Lo: us, Hi: us, N: 50} }
	var out []bench.LogP
	for _, place := range fakePlaces(s.PlacesSpec) {
		sig := logp.Signature{RTT: exact(20)}
		for _, delta := range []float64{0, 1, 4, 16} {
			for m := 1; m <= 128; m *= 2 {
				cost := max(2+delta, max(8, 5+delta)-22/float64(m))
				sig.Points = append(sig.Points, logp.Point{M: m, DeltaUs: delta, Cost: exact(cost)})
			}
		}
		r := sig.Extract()
		x := bench.LogP{
			Place: place, Method: "signature", Pattern: s.Pattern.String(), Peers: max(1, s.Peers), Monitor: s.Monitor.String(), Noise: "none",
			Parameters: r.Params, Idle: r.Idle, Points: sig.Points, Curves: r.Curves, Residuals: r.Residuals, Warnings: append([]string{}, r.Warnings...),
			Sizes: []bench.Size{}, Operation: bench.RequestOf(4),
		}
		if s.Pattern == "pair" {
			x.Pair = &bench.Pair{Nodes: [2]int{0, 1}, Switches: 1}
			if s.Pair != (experiment.Pair{}) {
				x.Pair = &bench.Pair{Nodes: s.Pair, Switches: 3}
			}
		}
		if s.Pattern == "many-to-one" {
			ratio := logp.Estimate{Value: 3, Lo: 2.9, Hi: 3.1}
			x.GapRatio, x.OneToOne = &ratio, &r.Params
		}
		var bulk logp.Bulk
		for _, n := range s.Sizes {
			bulk = append(bulk, logp.BulkPoint{SizeBytes: int(n), T: exact(20 + 0.01*float64(n)), O: exact(2 + 0.005*float64(n))})
		}
		for _, z := range bulk.Extract().Sizes {
			x.Sizes = append(x.Sizes, bench.Size{SizeBytes: z.SizeBytes, Bulk: &z.BulkFigures})
		}
		if s.Method == "sweep" {
			x.Operation = bench.MessageOf(4)
			x.Method, x.Points, x.Curves, x.Residuals = "sweep", nil, nil, []logp.Residual{}
			x.Sizes = []bench.Size{{SizeBytes: 4, Params: &r.Params, Idle: &r.Idle, Sender: []logp.Gap{{Gap: exact(8)}}}}
			x.Parameters.Or = logp.Estimate{Reason: "o_r: nobody knows"}
		}
		if s.Monitor == experiment.BuildFull {
			x.Consistency = []bench.Agreement{bench.NewAgreement("L", 5, 5.2, "Source 1.00 + …")}
		}
		out = append(out, x)
	}
	return out, nil
}

func fakePlaces(s experiment.PlacesSpec) []bench.Place {
	var out []bench.Place
	for _, p := range s.Platforms {
		layers := s.Layers
		if len(layers) == 0 || layers[0] == experiment.AllLayers {
			layers = []string{"vmmc"}
		}
		for _, l := range layers {
			out = append(out, bench.Place{Platform: p, Digest: "0123456789abcdef", Layer: l})
		}
	}
	return out
}

func fakeMessages(_ context.Context, s experiment.MessagesSpec, _ experiment.Watch) (*experiment.Messages, error) {
	return &experiment.Messages{
		Program: s.Program, Platform: s.Platform, Layer: "vmmc", Ranks: s.Ranks, Messages: uint64(s.Rounds), RunTimeUs: 1234.5,
		Digest: "0123456789abcdef", Costs: "0123456789ab", Cached: s.Rounds > 1000,
	}, nil
}

func fakeBesides(_ context.Context, s experiment.BesideSpec, _ experiment.Watch) (*experiment.Besides, error) {
	return &experiment.Besides{Rows: []experiment.Beside{
		{Workload: "fft", Nodes: 8, Packets: 100, Messages: 99, FullUs: 2000, FastUs: 1500, Percent: -25, Least: -26, Most: -24.5, WaitsUs: 12.5, Where: "Source"},
		{Workload: s.Only, Nodes: 2, FullUs: 10, FastUs: 10.05, Percent: 0.5, Least: 0.5, Most: 0.5},
	}, Refused: []string{"dfs: layer is bip, want one that carries programs"}}, nil
}

func fakeValidate(_ context.Context, s papers.ValidateSpec, _ experiment.Watch) (*judge.Document, error) {
	v := judge.Predicted
	switch s.Only {
	case "miss":
		v = judge.Miss
	case "none":
		v = judge.NotModelled
	case "broken":
		return nil, errors.New("row a: experiment fft: deadlock at 3 ms")
	}
	doc := judge.NewDocument(judge.Stamp{ToolVersion: "test", Seed: s.Seeds.First, Platform: "shrimp"}, s.Seeds.N,
		[]judge.Result{{Row: judge.Row{ID: "a", Paper: "p", Unit: "us"}, Verdict: v}})
	return &doc, nil
}

// fakeSelftest finds everything, unless there are 13 runs a side.
func fakeSelftest(_ context.Context, s selftest.Spec, _ experiment.Watch) (*selftest.Result, error) {
	rate := selftest.Rate{Program: "fft", Plant: selftest.Plant{Name: "Net +10%", Quantity: "net"}, Size: "3.00 µs", Effect: 0.1, Pairs: s.Pairs, Alarms: s.Pairs, Found: s.Pairs}
	if s.Runs == 13 {
		rate.Found = 1
	}
	return &selftest.Result{Spec: s, Rates: []selftest.Rate{{Program: "fft", Plant: selftest.Plant{Name: "nothing"}, Pairs: s.Pairs}, rate},
		Coverage: []selftest.Coverage{{Program: "fft", Class: trace.ClassUnder128, Stage: trace.Net, Intervals: 40, Contain: 38}}}, nil
}
