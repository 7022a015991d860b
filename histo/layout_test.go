package histo

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

var update = flag.Bool("update", false, "rewrite testdata")

// TestLayouts shows what 180 KB hold for several runs.
func TestLayouts(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		tags, kinds, nodes int
		change             func(*Spec)
		words              string
	}{
		{1, 10, 8, nil, ""},
		{1, 10, 8, func(s *Spec) { s.Variance = true }, ", variance"},
		{1, 10, 8, func(s *Spec) { s.Later = []trace.Kind{trace.Data, trace.Diff} }, ", later packets of two kinds apart"},
		{1, 1, 8, func(s *Spec) { s.Dims = LatencyBySize; s.LatencyTop = 84 }, ", 84 latency bins by size and nothing else"},
		{1, 1, 2, nil, ""},
		{2, 10, 8, nil, ""},
		{4, 10, 8, nil, ""},
		{16, 10, 8, nil, ""},
		{1, 10, 64, nil, ""},
		{2, 10, 64, nil, ""},
		{1, 10, 1024, nil, ""},
		{2, 10, 1024, nil, ""},
		{64, 10, 64, nil, ""},
	} {
		s := published(c.tags, c.nodes)
		s.Kinds = s.Kinds[:c.kinds]
		if c.change != nil {
			c.change(&s)
		}
		fmt.Fprintf(&b, "== %d tags, %d kinds, %d nodes%s\n", c.tags, c.kinds, c.nodes, c.words)
		l, err := Plan(s)
		require.NoError(t, err)
		require.LessOrEqual(t, l.Bytes(), s.BudgetBytes)
		require.Len(t, New(l).words(), l.Words())
		b.WriteString(l.String() + "\n")
	}
	const file = "testdata/layouts.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go test ./histo -run TestLayouts -update rewrites it")
}

func TestPlanRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Spec)
		want   string
	}{
		{"no budget", func(s *Spec) { s.BudgetBytes = 0 }, "histo.BudgetBytes is 0, want 4 to"},
		{"tiny budget", func(s *Spec) { s.BudgetBytes = 512 }, "BudgetBytes: 512 holds 128 counters"},
		{"no tags", func(s *Spec) { s.Tags = 0 }, "histo.Tags is 0, want 1 to 256"},
		{"too many tags", func(s *Spec) { s.Tags = 257 }, "histo.Tags is 257"},
		{"no nodes", func(s *Spec) { s.Nodes = -1 }, "histo.Nodes is -1, want 1 to"},
		{"clock", func(s *Spec) { s.TickHz = 0 }, "histo.TickHz is 0, want 1 to"},
		{"slow clock", func(s *Spec) { s.TickHz = 999_999 }, "histo.LatencyNs[source] is 1000, want at least a tick"},
		{"payload", func(s *Spec) { s.MaxBytes = 0 }, "histo.MaxBytes is 0, want 1 to"},
		{"size bin", func(s *Spec) { s.SizeBytes = 5000 }, "histo.SizeBytes is 5000, want 1 to MaxBytes = 4096"},
		{"latency bins", func(s *Spec) { s.LatencyTop = 2 }, "histo.LatencyTop is 2, want 16 to"},
		{"latency width", func(s *Spec) { s.LatencyNs[trace.Net] = 0 }, "histo.LatencyNs[2] is 0, want 1 to"},
		{"ratio", func(s *Spec) { s.TickHz = 999_999_999_989; s.LatencyNs[0] = 999_999_937; s.LatencyTop = 16384 }, "no ratio that fits"},
		{"dims", func(s *Spec) { s.Dims = 0x80 }, "histo.Dims is 0x80, want bits of 0x1f"},
		{"no kinds", func(s *Spec) { s.Kinds = nil }, "histo.Kinds is empty"},
		{"firmware kind", func(s *Spec) { s.Kinds = []trace.Kind{trace.Data, trace.Ack} }, "histo.Kinds[1] is ack, want a kind that carries"},
		{"kind twice", func(s *Spec) { s.Kinds = []trace.Kind{trace.Diff, trace.Diff} }, "histo.Kinds[1] is diff, want each kind once"},
		{"later", func(s *Spec) { s.Kinds = s.Kinds[:1]; s.Later = []trace.Kind{trace.Diff} }, "histo.Later[0] is diff, want one of Kinds"},
		{"later twice", func(s *Spec) { s.Later = []trace.Kind{trace.Diff, trace.Diff} }, "histo.Later[1] is diff, want each kind once"},
		{"sequence", func(s *Spec) { s.Sequences = []trace.Sequence{{Kind: trace.Data, After: trace.Ack}} }, "histo.Sequences[0] is data after ack, want two of Kinds"},
		{"sequence twice", func(s *Spec) {
			q := trace.Sequence{Kind: trace.Diff, After: trace.Diff}
			s.Sequences = []trace.Sequence{q, q}
		}, "histo.Sequences[1] is diff after diff, want each sequence once"},
		{"squares", func(s *Spec) { s.Variance = true; s.TickHz = 1_000_000_000_000 }, "histo.TickHz is 1000000000000, want at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := published(1, 8)
			c.change(&s)
			_, err := Plan(s)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestPlanUsesTheBudget walks budgets up: no layout may exceed its budget, and
// more SRAM may not coarsen everything at once.
func TestPlanUsesTheBudget(t *testing.T) {
	full := published(2, 8)
	full.BudgetBytes = 8 << 20
	l, err := Plan(full)
	require.NoError(t, err)
	require.Empty(t, l.Notes())
	accepted := false
	for kb := 1; kb <= 1400; kb += 9 {
		s := published(2, 8)
		s.BudgetBytes = kb<<10 + 3
		l, err := Plan(s)
		if err != nil {
			require.False(t, accepted, "refused at %d KB, accepted with less", kb)
			continue
		}
		accepted = true
		require.LessOrEqual(t, l.Bytes(), s.BudgetBytes)
		require.Equal(t, len(l.Notes()) == 0, l.plan == s.planAt([numKnobs]int{}))
	}
	require.True(t, accepted)
}

// TestLadder says that every step exists, that all steps together reach the
// coarsest plan, and that no step makes the arrays larger.
func TestLadder(t *testing.T) {
	var level [numKnobs]int
	s := published(4, 8)
	s.Sequences = []trace.Sequence{{Kind: trace.Diff, After: trace.Diff}}
	words := countWords(s.arrays(s.planAt(level)))
	for i, k := range ladder {
		level[k]++
		w := countWords(s.arrays(s.planAt(level)))
		require.LessOrEqual(t, w, words, "step %d", i)
		words = w
	}
	require.Equal(t, [numKnobs]int{
		len(sizeRowSteps) - 1, len(binSteps) - 1, len(kindRowSteps) - 1, len(allRowSteps) - 1, 2, 1, len(sequenceSteps) - 1,
	}, level)
}

func TestRows(t *testing.T) {
	s := published(1, 2)
	l, err := Plan(s)
	require.NoError(t, err)
	bins := l.Bins()
	require.Len(t, bins, 128)
	for i, b := range bins {
		require.Equal(t, Range{32 * i, 32 * (i + 1)}, b)
	}
	require.Equal(t, []Class{
		{"under_128", Range{0, 127}}, {"128_to_1023", Range{127, 1023}},
		{"1024_to_4095", Range{1023, 4095}}, {"4096", Range{4095, 4096}},
	}, l.Classes())
	require.Len(t, newRows(fine, 32, 4096), 131)
	require.Equal(t, rows{32, 64, 96, 127, 128, 160, 192, 224, 256, 384, 512, 768, 1023, 1024, 1536, 2048, 3072, 4095, 4096},
		newRows(graded, 32, 4096))
	require.Equal(t, rows{8, 16, 24, 32}, newRows(fine, 8, 32))
	require.Equal(t, rows{32}, newRows(classes, 8, 32))

	r := newRows(fine, 32, 4096)
	for _, c := range []struct {
		bytes int
		want  Range
	}{
		{0, Range{0, 32}}, {1, Range{0, 32}}, {32, Range{0, 32}}, {33, Range{32, 64}},
		{127, Range{96, 127}}, {128, Range{127, 128}}, {129, Range{128, 160}},
		{1023, Range{992, 1023}}, {1024, Range{1023, 1024}}, {4095, Range{4064, 4095}}, {4096, Range{4095, 4096}}, {9000, Range{4095, 4096}},
	} {
		require.Equal(t, c.want, r.of(r.find(c.bytes)), "%d bytes", c.bytes)
	}
}

func TestTouchedWords(t *testing.T) {
	for _, c := range []struct {
		dims     Dims
		variance bool
		want     int
	}{{0, false, 3}, {AllDims, false, 8}, {Pairs, false, 6}, {LatencyBySize, true, 6}, {AllDims, true, 12}} {
		s := published(1, 8)
		s.Kinds, s.BudgetBytes = s.Kinds[:2], 1<<20
		s.Dims, s.Variance = c.dims, c.variance
		l, err := Plan(s)
		require.NoError(t, err)
		require.Equal(t, c.want, l.TouchedWords())

		// And these are the words that change.
		b := New(l)
		for range 2 {
			b.Record(Packet{Bytes: 4096}, trace.Net, 5<<29|1)
		}
		changed := 0
		for _, w := range b.words() {
			if w != 0 {
				changed++
			}
		}
		require.Equal(t, c.want, changed)
	}
}
