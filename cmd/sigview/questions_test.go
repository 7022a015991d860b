package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cmd/sigview/internal/tmux"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// facts are what a run's files say of the questions that users have.
type facts struct {
	worst     trace.ActorRow // the packet that waits longest in all
	operation int64          // that it belongs to
	netUs     string         // mean of Net
}

func factsOf(t *testing.T, dir string) (f facts) {
	t.Helper()
	l := readLog(t, dir)
	waited := map[int64]int64{}
	for _, w := range l.waits {
		waited[w.Actor] += w.EndPs - w.BeginPs
	}
	for id, x := range l.actors {
		if x.Type == "packet" && x.Number >= 0 && (f.worst.Actor == 0 || waited[id] > waited[f.worst.Actor]) {
			f.worst = x
		}
	}
	require.NoError(t, rundir.Scan(dir, func(rows []trace.PacketRow) error {
		for _, r := range rows {
			if r.Sender == f.worst.Node && r.Number == f.worst.Number {
				f.operation = r.Span
			}
		}
		return nil
	}))
	run, err := rundir.ReadSummary(dir)
	require.NoError(t, err)
	for _, r := range run.Signature {
		if r.Kind == trace.AllKinds && !r.First.OK && r.Stage == trace.Net {
			f.netUs = fmt.Sprintf("Net %.2f µs", r.MeanNs.Value/1000)
		}
	}
	require.NotZero(t, f.operation)
	return f
}

// key is a key, or none, and what the screen says then.
type key struct{ press, shows string }

// TestThreeKeysAnswerQuestions: of runs of few and of many nodes, one of which a fault holds up, three keys or fewer lead to the
// answers to what users ask. What the answers are, the fault and the files of the runs say.
func TestThreeKeysAnswerQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the views are not tried in a real terminal")
	}
	const bad = 7
	for _, nodes := range []int{8, 64, 256, 1024} {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			if nodes > 64 {
				testlong.Only(t, "runs of many nodes")
			}
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			t.Chdir(t.TempDir())
			program, err := os.Executable()
			require.NoError(t, err)
			for dir, fault := range map[string]string{"good": "", "slow": fmt.Sprintf(" --fault-stall %d:20us:2ms", bad)} {
				line := fmt.Sprintf("run allreduce --nodes %d --algorithm tree --size 512 --steps 1 --trace=waits -q -o %s%s", nodes, dir, fault)
				run := exec.Command(program, strings.Fields(line)...)
				run.Env = append(os.Environ(), asProgram+"=1")
				out, err := run.CombinedOutput()
				require.NoError(t, err, string(out))
			}
			f := factsOf(t, "slow")
			worst := fmt.Sprintf("acket %d from node %d to %d:", f.worst.Number, f.worst.Node, f.worst.Peer)
			held := fmt.Sprintf("node %d takes no packets", bad)
			folder, err := filepath.Abs(".")
			require.NoError(t, err)
			unlike := key{"m", "Nodes by "}
			if nodes >= 64 { // of few packets the sender that waits for the node may be as unlike the others
				unlike.shows = fmt.Sprintf("▶ %4d ", bad)
			}
			for _, runs := range []struct {
				dirs      string
				questions map[string][]key
			}{
				{"good slow", map[string][]key{"why is it slower": {{"9", held + " +"}}}},
				{"slow good", map[string][]key{"did the change help": {{"9", held + " -"}}}},
				{"good", map[string][]key{"where is the limit": {{"w", "What deviates"}, {"End", "ontention for the memory bus"}}}},
				{"slow", map[string][]key{
					"which node":                      {{"", "▶ attributed"}, {"", held}},
					"which node is unlike the others": {unlike},
					"is it the network":               {{"1", f.netUs}},
					"the worst packet":                {{"u", "Number 1 of"}, {"Enter", worst}},
					"what is the operation":           {{"u", "Number 1 of"}, {"Enter", worst}, {"Enter", fmt.Sprintf("all_reduce, span %d of node %d", f.operation, f.worst.Node)}},
					"whom do I wait for":              {{"Enter", fmt.Sprintf("for receive ring of node %d", bad)}},
				}},
			} {
				tm := tmux.Start(t, fmt.Sprintf("cd %q && %s=1 %q view %s", folder, asProgram, program, runs.dirs))
				for question, keys := range runs.questions {
					require.LessOrEqual(t, len(keys), 3, question)
					tm.Wait("▶ attributed")
					for _, k := range keys {
						if k.press != "" {
							tm.Keys(k.press)
						}
						tm.Wait(k.shows)
					}
					tm.Keys("6", "a", "0", "a") // as at first
				}
			}
		})
	}
}
