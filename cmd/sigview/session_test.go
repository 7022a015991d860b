package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/tmux"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// log is a run's own account of who waited for whom, as its files have it.
type log struct {
	actors map[int64]trace.ActorRow
	waits  []trace.WaitRow // that are waiting, each for one holder
}

func readLog(t *testing.T, dir string) log {
	t.Helper()
	l := log{actors: map[int64]trace.ActorRow{}}
	require.NoError(t, rundir.Scan(dir, func(rows []trace.ActorRow) error {
		for _, r := range rows {
			l.actors[r.Actor] = r
		}
		return nil
	}))
	require.NoError(t, rundir.Scan(dir, func(rows []trace.WaitRow) error {
		for _, r := range rows {
			if r.What != "waiting" {
				continue
			}
			if n := len(l.waits); n > 0 {
				last := &l.waits[n-1]
				if last.Actor == r.Actor && last.EndPs == r.BeginPs && last.Resource == r.Resource && last.Instance == r.Instance && last.Holder == r.Holder {
					last.EndPs = r.EndPs
					continue
				}
			}
			l.waits = append(l.waits, r)
		}
		return nil
	}))
	return l
}

// longest returns the longest wait that counts.
func (l log) longest(counts func(trace.WaitRow) bool) (most trace.WaitRow) {
	for _, w := range l.waits {
		if counts(w) && w.EndPs-w.BeginPs > most.EndPs-most.BeginPs {
			most = w
		}
	}
	return most
}

// called returns the actor of a packet by the name on the screen.
func (l log) called(name []string) (out trace.ActorRow) {
	for _, x := range l.actors {
		number := fmt.Sprint(x.Number)
		if x.Number < 0 {
			number = fmt.Sprintf("#%d", x.Actor)
		}
		if (x.Type == "packet" || x.Type == "control") && slices.Equal(name, []string{number, fmt.Sprint(x.Node), fmt.Sprint(x.Peer)}) {
			return x
		}
	}
	return out
}

// shownPacket is the head of all about a packet.
var shownPacket = regexp.MustCompile(`(?im)^(?:[a-z-]+ )?packet (#?\d+) from node (\d+) to (\d+)[:,]`)

// shownWait is a packet's longest wait.
var shownWait = regexp.MustCompile(`(?m)^ +([\d.]+) (ns|µs|ms) for ([a-z ]+) of node (\d+)`)

// TestSessionNamesThePlantedCause: six keys in a terminal lead from the start to the packet that the
// planted cause holds up, with the node and the resource that hold it up. That these are right the
// run's files say.
func TestSessionNamesThePlantedCause(t *testing.T) {
	const keys = 6
	ring := func(w trace.WaitRow) bool { return w.Resource == "receive_ring" }
	for name, c := range map[string]struct {
		run     string
		node    int
		finding string
		right   func(l log, packet trace.ActorRow) bool
	}{
		"interface of node 5 stalls": {
			"radix --size 32K --seed 3 --fault-stall 5:10ms:20ms", 5, "node 5 takes no packets",
			func(l log, packet trace.ActorRow) bool { return l.longest(ring).Actor == packet.Actor },
		},
		"all pages at node 0": {
			"fft --size 4K --nodes 8 --seed 3 --homes single", 0, "node 0 is the home of most pages",
			func(_ log, packet trace.ActorRow) bool { return packet.Kind == "page-reply" && packet.Node == 0 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			program, err := os.Executable()
			require.NoError(t, err)
			run := exec.Command(program, append([]string{"run", "--trace=waits", "-q", "-o", dir}, strings.Fields(c.run)...)...)
			run.Env = append(os.Environ(), asProgram+"=1")
			out, err := run.CombinedOutput()
			require.NoError(t, err, string(out))

			tm := tmux.Start(t, fmt.Sprintf("%s=1 %q view %q", asProgram, program, dir))
			tm.Wait("▶ attributed")
			require.Contains(t, tm.Wait(c.finding), "▶ attributed")
			pressed, screen := 0, ""
			found := func() bool {
				screen = tm.Do("capture-pane", "-p")
				return shownPacket.MatchString(screen) && shownWait.MatchString(screen)
			}
			for !found() && pressed < keys {
				tm.Keys("Enter")
				pressed++
				for end := time.Now().Add(time.Minute); !found() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				}
			}
			require.True(t, found(), screen)
			l := readLog(t, dir)
			packet := l.called(shownPacket.FindStringSubmatch(screen)[1:])
			require.NotZero(t, packet.Actor, screen)
			require.True(t, c.right(l, packet), screen)
			most := l.longest(func(w trace.WaitRow) bool { return w.Actor == packet.Actor })
			wait := shownWait.FindStringSubmatch(screen)
			require.Equal(t, []string{strings.ReplaceAll(most.Resource, "_", " "), fmt.Sprint(most.Instance)}, wait[3:])
			require.EqualValues(t, c.node, most.Instance)
			length, err := strconv.ParseFloat(wait[1], 64)
			require.NoError(t, err)
			require.InEpsilon(t, float64(most.EndPs-most.BeginPs), length*map[string]float64{"ns": 1e3, "µs": 1e6, "ms": 1e9}[wait[2]], 1e-3, screen)
			t.Logf("%d keys lead to packet %d of node %d", pressed, packet.Number, packet.Node)
		})
	}
}

// TestTerminalWhileAProgramRuns: views are drawn of a run that goes on meanwhile, and then of its
// directory.
func TestTerminalWhileAProgramRuns(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	tm := tmux.Start(t, fmt.Sprintf("cd %q && %s=1 %q view", t.TempDir(), asProgram, program))
	tm.Wait("No run is open")
	tm.Keys(":", "run ocean", "Enter", "Down", "130")
	tm.Wait("sigview run ocean --size=130")
	tm.Keys("Enter")
	tm.Wait("in progress")
	for _, view := range []string{"1", "2", "3", "0"} {
		tm.Keys(view)
	}
	tm.Wait("sigview-runs/ocean-001")
	require.Contains(t, tm.Wait("verified"), "8 nodes")
}
