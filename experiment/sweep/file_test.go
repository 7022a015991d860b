package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// known is the end of an error that lists all names.
var known = regexp.MustCompile(`\(known: [^)]*\)`)

// TestErrorsNameLineFieldAndValue keeps the answers to files that cannot be read: one case per
// file, between lines of dashes.
func TestErrorsNameLineFieldAndValue(t *testing.T) {
	cases, err := os.ReadFile("testdata/bad.txt")
	require.NoError(t, err)
	var out strings.Builder
	for text := range strings.SplitSeq(string(cases), "---\n") {
		_, err := newPlan("bad.toml", []byte(text))
		require.Error(t, err, text)
		fmt.Fprintln(&out, known.ReplaceAllString(err.Error(), "(known: …)"))
	}
	goldie.New(t, goldie.WithFixtureDir("testdata")).Assert(t, "bad", []byte(out.String()))
}

// TestEveryFieldOfTheSpecification reads the documented keys of the table that all runs share.
func TestEveryFieldOfTheSpecification(t *testing.T) {
	p, err := newPlan("all.toml", []byte(`
programs = ["random"]
[run]
monitor = "full"
variance = true
trace = "all"
trace_only = { kinds = ["data"] }
trace_ring = { bytes = 65536, batch_bytes = 64, high_bytes = 4096 }
bins_ps = 2000
phases = []
gang = false
broadcast = ""
policies = []
clock = { estimator = "published", round_ps = 1e12, no_priority = true, no_inline_checks = true }
memory = { homes = "", service = "", check = false }
pattern = { count = 5, gap_us = 1.5, skew = 0.5 }
faults = { bit_error = 1e-6, burst_bytes = 2, drop_ack = 0.1, stalls = [{ node = 1, start_ps = 5, for_ps = 7 }] }
`))
	require.NoError(t, err)
	s := p.Cells[0].Spec
	require.True(t, s.Variance && s.Clock.NoPriority)
	require.EqualValues(t, 2000, s.Bins)
	require.Equal(t, 1.5, s.Pattern.GapUs)
	require.EqualValues(t, 7, s.Faults.Stalls[0].For)
}

// TestEveryCombination: whatever the lists, each combination is run or skipped, once.
func TestEveryCombination(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 1, len(of), rapid.ID).Draw(t, name)
		}
		programs := pick("programs", `"alltoall"`, `"random"`, `"gauss"`)
		layers := pick("layers", `"vmmc"`, `"gam"`, `"bip"`, `"rpc"`)
		nodes := pick("nodes", "2", "3", "5")
		free := pick("uncontended", `""`, `"pci"`, `"sdma"`, `"ports,sdma"`)
		bytes := pick("message_bytes", "4", `"1K"`, "3")
		lists := []string{}
		for name, l := range map[string][]string{"programs": programs, "layers": layers, "nodes": nodes, "uncontended": free, "message_bytes": bytes} {
			lists = append(lists, name+" = ["+strings.Join(l, ",")+"]\n")
		}
		text := strings.Join(lists, "") + "platforms = [\"ppro\"]\nseeds = 3\n"
		want := 0
		for _, p := range programs {
			n := len(layers) * len(nodes) * len(free)
			if p != `"gauss"` {
				n *= len(bytes)
			}
			want += n
		}
		p, err := newPlan("x.toml", []byte(text))
		if err != nil {
			require.ErrorContains(t, err, "cannot run with anything", text)
			return
		}
		got, seen := len(p.Cells), map[string]bool{}
		for _, s := range p.Skipped {
			require.NotEmpty(t, s.Reason)
			got += len(s.Combinations)
		}
		for _, c := range p.Cells {
			require.False(t, seen[c.Name])
			seen[c.Name] = true
		}
		require.Equal(t, want, got, text)
		require.Len(t, p.items(), 3*len(p.Cells))
	})
}

// TestClustersThatCannotBeBuilt are skipped, with what the layer says.
func TestClustersThatCannotBeBuilt(t *testing.T) {
	p := plan(t, "programs = [\"pingpong\"]\nplatforms = [\"ppro\"]\nlayers = [\"gam\", \"vmmc\"]\nnodes = [2, 100]\nmessage_bytes = [64, 128]\n")
	require.Len(t, p.Cells, 6)
	require.Len(t, p.Skipped, 1)
	require.Len(t, p.Skipped[0].Combinations, 2)
	require.Contains(t, p.Skipped[0].Reason, "receive_buffers")
}

func TestPartsAreTheWhole(t *testing.T) {
	p, err := newPlan("x.toml", []byte("programs = [\"alltoall\", \"random\"]\nnodes = [2, 4, 8]\nseeds = 5\n"))
	require.NoError(t, err)
	seen := map[string]int{}
	for i := range 7 {
		for _, r := range p.part(Part{i, 7}) {
			seen[r.title()]++
		}
	}
	require.Len(t, seen, 30)
	for title, n := range seen {
		require.Equal(t, 1, n, title)
	}
}

// TestNamesDependOnAllThatDetermines: cells that differ in anything have other names.
func TestNamesDependOnAllThatDetermines(t *testing.T) {
	names := map[string]bool{}
	for _, run := range []string{"", "[run]\npattern.count = 7", "[run]\nmonitor = \"off\"", "[run]\npattern.gap_us = 1.0"} {
		p, err := newPlan("x.toml", []byte("programs = [\"random\"]\nplatforms = [\"shrimp\", \"ppro\"]\nlayers = [\"vmmc\"]\n"+run))
		require.NoError(t, err)
		for _, c := range p.Cells {
			names[c.Name] = true
		}
	}
	require.Len(t, names, 8)
}

// TestAScheduleIsPinned: the specification has the checksum of the schedule.
func TestAScheduleIsPinned(t *testing.T) {
	p, err := newPlan("x.toml", []byte("programs = [\"goal\", \"random\"]\nnodes = [4]\n[run]\nschedule.file = \"../testdata/ring.goal\"\n"))
	require.NoError(t, err)
	require.Len(t, p.Cells, 2)
	require.NotEmpty(t, p.Cells[0].Spec.Schedule.SHA256)
	require.Empty(t, p.Cells[1].Spec.Schedule)
}

func TestExample(t *testing.T) {
	p, err := Load(filepath.Join("..", "..", "docs", "samples", "layers.toml"))
	require.NoError(t, err)
	require.NotEmpty(t, p.Cells)
}

func FuzzNewPlan(f *testing.F) {
	cases, err := os.ReadFile("testdata/bad.txt")
	require.NoError(f, err)
	for text := range strings.SplitSeq(string(cases), "---\n") {
		f.Add([]byte(text))
	}
	f.Add([]byte("programs = [\"random\"]\nseeds = 2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if parsed, err := parse("fuzz.toml", text); err != nil {
			require.Contains(t, err.Error(), "fuzz.toml")
		} else {
			require.NotEmpty(t, parsed.Programs)
		}
	})
}
