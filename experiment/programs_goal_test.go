package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/report/export"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/goal"
	"github.com/sigview/sigview/trace/rundir"
)

// goalRun is a replay of a schedule.
func goalRun(file string, nodes int) RunSpec {
	s := DefaultRun(GOAL)
	s.Schedule.File, s.Nodes, s.Build = file, nodes, BuildOff
	return s
}

// TestGoalEverywhere replays a schedule on every layer that carries programs, the same way
// each time, also with nodes that have no rank.
func TestGoalEverywhere(t *testing.T) {
	carry, _ := everywhere(t)
	for i, at := range carry {
		s := goalRun("testdata/ring.goal", 4+i%2)
		s.Platform, s.Layer = at.Name, at.Layer
		r := mustRun(t, s)
		require.Equal(t, "all 7 messages of the schedule arrived once, at the right receive", r.programs[0].how)
		require.Greater(t, r.programs[0].took, 200*sim.Microsecond, "rank 0 computes so long")
	}
}

// TestGoalOfAnySchedule: schedules that can end do, however operations depend on each other.
func TestGoalOfAnySchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "any.goal")
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(2, 4).Draw(t, "ranks")
		s := goal.Schedule{Ranks: make([][]goal.Op, ranks)}
		add := func(rank int, o goal.Op) {
			for i := range s.Ranks[rank] {
				if rapid.IntRange(0, 3).Draw(t, "dependent") == 0 {
					o.Requires = append(o.Requires, int32(i))
				}
			}
			s.Ranks[rank] = append(s.Ranks[rank], o)
		}
		messages := 0
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			from, to := rapid.IntRange(0, ranks-1).Draw(t, "from"), rapid.IntRange(0, ranks-1).Draw(t, "to")
			size := rapid.SampledFrom([]int64{0, 7, 8, 100, 5000, 70000}).Draw(t, "size")
			if to == from {
				add(from, goal.Op{Size: size})
				continue
			}
			// With equal tags, which send a receive gets can decide whether the schedule ends.
			tag := int64(messages)
			add(from, goal.Op{Kind: goal.Send, Size: size, Peer: to, Tag: tag})
			add(to, goal.Op{Kind: goal.Recv, Size: size, Peer: from, Tag: tag})
			messages++
		}
		var text bytes.Buffer
		require.NoError(t, s.Write(&text))
		require.NoError(t, os.WriteFile(file, text.Bytes(), 0o644))
		r, err := execute(t.Context(), goalRun(file, 4), platform.Overlay{}, nil)
		require.NoError(t, err)
		require.NoError(t, r.programs[0].wrong)
		require.Equal(t, fmt.Sprintf("all %d messages of the schedule arrived once, at the right receive", messages), r.programs[0].how)
	})
}

func TestGoalRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.goal")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o644)) }
	refused := func(s RunSpec, want string) {
		t.Helper()
		_, err := Run(t.Context(), s, nil)
		require.ErrorContains(t, err, want)
	}
	refused(goalRun("", 2), "schedule.file is empty, want the file of the schedule that goal replays")
	refused(goalRun(file, 2), "no such file")
	write("num_ranks 4\n")
	refused(goalRun(file, 2), "nodes is 2, want 4 or more: the schedule has 4 ranks")
	write("num_ranks 2\nrank 0 {\nsnd\n}\n")
	refused(goalRun(file, 2), `a GOAL schedule: line 3: "snd", wanted send`)
	write("num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\n")
	refused(goalRun(file, 2), "no send comes to it")
	write("num_ranks 2\nrank 0 {\nsend 99999999b to 1\n}\nrank 1 {\nrecv 99999999b from 0\n}\n")
	refused(goalRun(file, 2), "message of 99999999 B, wanted at most 16777216")
	write("num_ranks 2\n")
	pinned, err := goalRun(file, 2).Pinned()
	require.NoError(t, err)
	write("num_ranks 1\n")
	refused(pinned, "the file with SHA-256")
	other := goalRun(file, 2)
	other.Workload = "gauss"
	refused(other, "want the workload goal, not gauss")
	sized := goalRun(file, 2)
	sized.Size = 3
	refused(sized, "size is 3, want none for a schedule")
}

// TestGoalOfARun exports a run's schedule and replays it: as many messages as packets.
func TestGoalOfARun(t *testing.T) {
	s := DefaultRun("radix")
	s.Nodes, s.Size, s.Trace = 4, 8192, TraceWaits
	run, err := Run(t.Context(), s, nil)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *run))
	files, err := export.Spec{Dir: dir, To: export.GOAL}.Files(t.Context())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, files[0].Write(&text))
	file := filepath.Join(t.TempDir(), "radix.goal")
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o644))
	again := mustRun(t, goalRun(file, 4))
	require.Equal(t, fmt.Sprintf("all %d messages of the schedule arrived once, at the right receive", run.Manifest.Packets), again.programs[0].how)
	require.Greater(t, again.programs[0].took, sim.Duration(run.Manifest.SimulatedNs)*sim.Nanosecond/2)
}

// TestGoalTakesRanksFromTheSchedule, and says which of its wishes it does not grant.
func TestGoalTakesRanksFromTheSchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.goal")
	require.NoError(t, os.WriteFile(file, []byte("num_ranks 3\nrank 0 {\ncalc 5 cpu 1\nsend 8b to 2 cpu 1 nic 1\n}\nrank 2 {\nrecv 8b from 0\n}\n"), 0o644))
	const note = "2 operations of the schedule name a CPU or a NIC above 0: a rank has one of each here, so that they follow each other"
	run, err := Run(t.Context(), goalRun(file, 0), nil)
	require.NoError(t, err)
	require.Equal(t, 3, run.Manifest.Nodes)
	require.Contains(t, run.Manifest.Warnings, note)
	messages := DefaultMessages(GOAL)
	messages.Schedule = file
	m, err := RunMessages(t.Context(), messages, nil)
	require.NoError(t, err)
	require.Equal(t, 3, m.Ranks)
	require.Equal(t, []string{note}, m.Warnings)
}

// TestTimeHasAnEnd: a run and a program of messages that last longer than 2^63 ps end with an error that
// says so, wherever the sum is made.
func TestTimeHasAnEnd(t *testing.T) {
	const want = "the simulated time passes 106.75 days, want less"
	file := filepath.Join(t.TempDir(), "s.goal")
	computing := func(after string) (text string) { // for 52 days
		for i := range 4 {
			text += fmt.Sprintf("c%d: calc 1125899906842624\n", i)
			if after != "" {
				text += fmt.Sprintf("c%d requires %s\n", i, after)
			}
		}
		return text
	}
	text := "num_ranks 3\nrank 0 {\n" + computing("") + "b: send 8b to 1\nb requires c0\nb requires c1\nb requires c2\nb requires c3\n}\n" +
		"rank 1 {\na: recv 8b from 0\n" + computing("a") + "b: send 8b to 2\nb requires c0\nb requires c1\nb requires c2\nb requires c3\n}\n" +
		"rank 2 {\na: recv 8b from 1\n" + computing("a") + "}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	_, err := Run(t.Context(), goalRun(file, 3), nil)
	require.ErrorContains(t, err, "the run stopped: "+want)
	messages := DefaultMessages(GOAL)
	messages.Schedule = file
	_, err = RunMessages(t.Context(), messages, nil)
	require.EqualError(t, err, want)
	messages = DefaultMessages("pingpong")
	messages.Ranks, messages.Bytes, messages.Rounds = 2, 1<<30, 400_000
	_, err = RunMessages(t.Context(), messages, nil)
	require.EqualError(t, err, want)
}
