package ablate

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// small is a study of a small transform.
func small() Spec {
	r := experiment.DefaultRun("fft")
	r.Nodes, r.Size = 4, 4096
	return Spec{Run: r, Seeds: experiment.Seeds{First: 3, N: 2}}
}

func explain(t *testing.T, s Spec) why.Explanation {
	t.Helper()
	x, err := Explain(t.Context(), s, nil)
	require.NoError(t, err)
	return x
}

// TestSideBySide: the answer is the same on one core and on several, and with outcomes
// that are kept.
func TestSideBySide(t *testing.T) {
	s := small()
	s.Run = experiment.DefaultRun("random")
	s.Run.Nodes, s.Run.Pattern.Count = 4, 10
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	first := explain(t, s)
	require.Equal(t, []uint64{3, 4}, first.Seeds)
	require.Len(t, first.Parts, 8)
	require.Len(t, first.Outcomes, 2+3*8)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s.Cache = Cache(t.TempDir())
	require.Equal(t, first, explain(t, s), "on one core")
	files, err := filepath.Glob(filepath.Join(string(s.Cache), "*"))
	require.NoError(t, err)
	require.Len(t, files, 2*len(first.Outcomes))
	require.Equal(t, first, explain(t, s), "from the cache")
	s.KeptOnly = true
	require.Equal(t, first, explain(t, s))
	s.Seeds.N++
	_, err = Explain(t.Context(), s, nil)
	require.ErrorIs(t, err, errNotKept)
}

// TestAnswer keeps the answer of a small transform. It changes with the model.
func TestAnswer(t *testing.T) {
	s := small()
	s.Shares = true
	x := explain(t, s)
	require.Empty(t, x.Warnings)
	require.NotEmpty(t, x.Shared)
	for _, target := range x.Targets {
		sum, all := 0.0, 0.0
		for _, e := range target.Effects {
			switch e.How {
			case why.Share:
				sum += e.Value
			case why.All:
				all = e.Value
			}
		}
		require.InDelta(t, all, sum, 1e-6, "shares of %v", target)
	}
	goldie.New(t, goldie.WithFixtureDir("testdata")).Assert(t, "small", []byte(strings.Join(x.Summary(), "\n")+"\n"))
}

// TestCacheIsUsedAndChecked keeps an outcome, asks for others, then damages it.
func TestCacheIsUsedAndChecked(t *testing.T) {
	c := Cache(t.TempDir())
	out := why.Outcome{Packets: 7, Programs: []why.Program{{Name: "x", RunTimeNs: 1.0 / 3}}}
	k := key{Spec: small().Run, Platform: "a", ChangedPlatform: "b"}
	_, ok := c.kept(k)
	require.False(t, ok)
	c.keep(k, out)
	kept, ok := c.kept(k)
	require.True(t, ok)
	require.Equal(t, out, kept)
	for _, other := range []key{
		{Spec: small().Run, Platform: "a", ChangedPlatform: "c"}, {Spec: small().Run, Platform: "c", ChangedPlatform: "b"},
		{Spec: experiment.DefaultRun("fft"), Platform: "a", ChangedPlatform: "b"},
	} {
		_, ok := c.kept(other)
		require.False(t, ok)
	}
	files, err := filepath.Glob(filepath.Join(string(c), "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for _, damaged := range []string{"", "{", "{}", `{"Programs": 3}`} {
		require.NoError(t, os.WriteFile(files[0], []byte(damaged), 0o644))
		_, ok := c.kept(k)
		require.False(t, ok, "%q is no outcome", damaged)
	}
	Cache(filepath.Join(t.TempDir(), "missing")).keep(k, out) // is of no harm
	Cache("").keep(k, out)
	_, ok = Cache("").kept(k)
	require.False(t, ok)
}

func TestUserCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	c := UserCache()
	require.DirExists(t, string(c))
	require.Equal(t, c, UserCache())
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Run.Workload = "ftf" }, `unknown workload "ftf", did you mean "fft"?`},
		{func(s *Spec) { s.Run.Build = experiment.BuildOff }, "monitor is off, want full: latencies are what is to be explained"},
		{func(s *Spec) { s.Seeds.N = 0 }, "seeds is 0, want at least 1"},
		{func(s *Spec) { s.Run.Uncontended = trace.Resources() }, "want a resource that is not free: there is nothing to free"},
		{func(s *Spec) { s.Run.Size = 1000 }, "as it is, seed 3: fft.size is 1000, want 2^m points with m even"},
	} {
		s := small()
		c.change(&s)
		_, err := Explain(context.Background(), s, nil)
		require.ErrorContains(t, err, c.want)
	}
}

func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := Explain(ctx, small(), nil)
	require.ErrorIs(t, err, context.Canceled)
}

// TestOtherVersion: a run that cannot be repeated exactly is said to be another one.
func TestOtherVersion(t *testing.T) {
	s := small()
	s.DigestSeed, s.Seeds.N = 3, 1
	s.Cache = Cache(t.TempDir())
	s.Digest = explain(t, s).Outcomes[why.Variant{}][0].EventDigest
	require.Len(t, explain(t, s).Warnings, 1, "of one seed only")
	s.Digest = "0123"
	require.Contains(t, explain(t, s).Warnings[0], "made by another version")
}

func TestParts(t *testing.T) {
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	for _, c := range []struct {
		layer  string
		free   []trace.Resource
		fault  float64
		want   string
		cannot int
	}{
		{"vmmc", nil, 0, "cpu membus pci hdma sram lanai slots ports,sdma", 0},
		{"vmmc", []trace.Resource{trace.Ports, trace.PCI}, 0, "cpu membus hdma sram lanai slots sdma", 0},
		{"vmmc", []trace.Resource{trace.Ports, trace.SDMA}, 0, "cpu membus pci hdma sram lanai slots", 0},
		{"vmmc", nil, 1e-6, "cpu membus pci hdma sram lanai slots ports", 1},
		{"fm", nil, 0, "cpu membus pci hdma sram lanai slots ports", 1},
	} {
		at, err := p.At(c.layer)
		require.NoError(t, err)
		spec := experiment.RunSpec{Uncontended: c.free}
		spec.Faults.ErrorPerByte = c.fault
		got, cannot := parts(spec, at)
		names := ""
		for i, part := range got {
			if i > 0 {
				names += " "
			}
			names += part.Name()
		}
		require.Equal(t, c.want, names)
		require.Len(t, cannot, c.cannot)
	}
}

// TestTwiceAsFast: every resource can be twice as fast on every platform and layer, except
// where the layer says why not, and only the numbers of the resource change.
func TestTwiceAsFast(t *testing.T) {
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		require.NoError(t, err)
		for _, layer := range p.LayerNames() {
			at, err := p.At(layer)
			require.NoError(t, err)
			all, _ := parts(experiment.RunSpec{}, at)
			for _, part := range all {
				faster, err := p.With(twice(part, at))
				require.NoError(t, err, "%s, %s, %s", name, layer, part.Name())
				require.NotEqual(t, p.Digest(), faster.Digest())
			}
		}
	}
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	native, err := p.At("")
	require.NoError(t, err)
	faster, err := p.With(twice(why.Part{trace.Slots}, native))
	require.NoError(t, err)
	require.Equal(t, 2*p.VMMC.SendSlots, faster.VMMC.SendSlots)
	faster, err = p.With(twice(why.Part{trace.Ports, trace.SDMA}, native))
	require.NoError(t, err)
	require.Equal(t, 2*p.Network.LinkRate, faster.Network.LinkRate)
	require.Equal(t, 2*p.NI.NetDMAMBps, faster.NI.NetDMAMBps)
	require.Equal(t, p.Host, faster.Host)

	p, err = platform.Load("grim-p4-lanai9")
	require.NoError(t, err)
	native, err = p.At("")
	require.NoError(t, err)
	faster, err = p.With(twice(why.Part{trace.PCI}, native))
	require.NoError(t, err)
	require.Equal(t, p.Host.IORead.Setup, 2*faster.Host.IORead.Setup)
	require.Equal(t, p.Host.MMX.Store, 2*faster.Host.MMX.Store)
	require.Equal(t, p.Host.SSE.Store, 2*faster.Host.SSE.Store)
}

// TestLayers explains a pattern on layers with other control programs.
func TestLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred runs")
	}
	for _, layer := range []string{"amii", "fm", "gam", "pm"} {
		r := experiment.DefaultRun("random")
		r.Platform, r.Layer, r.Nodes, r.Pattern.Count = "ppro", layer, 4, 40
		x := explain(t, Spec{Run: r, Seeds: experiment.Seeds{First: 1, N: 1}})
		require.Greater(t, len(x.Targets), 1, layer)
	}
}

// TestOnePlace: one port is free, or one program is absent or faster, and nothing else changes.
func TestOnePlace(t *testing.T) {
	s := small()
	s.Port = "switch>node0"
	x := explain(t, s)
	require.Len(t, x.Outcomes, 2)
	require.Equal(t, []why.Effect{{Part: 0, Name: s.Port, How: why.Free, Estimate: x.Targets[0].Effects[0].Estimate}}, x.Targets[0].Effects)
	require.Len(t, x.Summary(), 1)

	s = small()
	s.Run.Workload, s.Run.Size, s.Program = "stream+random", 0, "random"
	x = explain(t, s)
	require.Len(t, x.Outcomes, 3)
	require.Len(t, x.Summary(), 3)
	require.Contains(t, x.Summary()[0], "without random")

	for _, c := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Program = "lu" }, `unknown program of this run "lu" (known: stream, random)`},
		{func(s *Spec) { s.Port = "switch>node0" }, "want one of node, port and program"},
		{func(s *Spec) { s.Port, s.Program = "switch>node7", "" }, `unknown port "switch>node7"`},
	} {
		s := s
		c.change(&s)
		_, err := Explain(t.Context(), s, nil)
		require.ErrorContains(t, err, c.want)
	}
}

// TestTwoPrograms: each is also run without the other, and waits less then.
func TestTwoPrograms(t *testing.T) {
	r := experiment.DefaultRun("stream+random")
	r.Nodes, r.Pattern.Count = 4, 100
	x := explain(t, Spec{Run: r, Seeds: experiment.Seeds{First: 1, N: 1}})
	found := 0
	for _, target := range x.Targets {
		for _, e := range target.Effects {
			if e.How == why.Absent {
				found++
				require.NotEqual(t, x.Programs[target.Tag], e.Name)
				if target.RunTime {
					require.Positive(t, e.Value, "%s without %s", x.Programs[target.Tag], e.Name)
				}
			}
		}
	}
	require.Positive(t, found)
}
