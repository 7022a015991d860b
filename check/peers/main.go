// Peers compares sigview with csg-htsim, which the user has built: the same traffic in turns, with the processor time and the
// largest memory of both, and how long the traffic takes in both models.
//
//	go run ./check/peers -htsim PATH/htsim_roce [-pairs 5] [-only incast]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// peer is traffic for both. csg-htsim's fat trees have 16, 128 or 1,024 nodes.
type peer struct {
	name, run string
	nodes     int
}

var peers = []peer{
	{"incast 32:1, 64 KB", "incast --nodes 33 --message-size 64K --count 32", 128},
	{"incast 32:1, 2 MB", "incast --nodes 33 --message-size 1M --count 2", 128},
	{"incast 32:1, 20 MB", "incast --nodes 33 --message-size 1M --count 20", 128},
	{"incast 127:1, 2 MB", "incast --nodes 128 --message-size 1M --count 2", 128},
	{"permutation of 128, 2 MB", "prodcons --nodes 128 --message-size 1M --count 2", 128},
	{"permutation of 128, 64 KB", "prodcons --nodes 128 --message-size 64K --count 1", 128},
	{"all-to-all of 64, 64 KB", "alltoall --nodes 64 --message-size 64K", 128},
	{"permutation of 1,024, 2 MB", "prodcons --nodes 1024 --message-size 1M --count 2", 1024},
}

func main() {
	htsim := flag.String("htsim", "", "csg-htsim's htsim_roce, built by its own Makefile")
	pairs := flag.Int("pairs", 5, "how often each traffic is run by both, in turns")
	only := flag.String("only", "", "only traffic whose name matches")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compare(ctx, *htsim, *pairs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, htsim string, pairs int, only string) error {
	choose, err := regexp.Compile(only)
	switch {
	case err != nil:
		return err
	case htsim == "":
		return errors.New("-htsim is missing, wanted the path of a built htsim_roce")
	case pairs < 1:
		return fmt.Errorf("-pairs %d, wanted 1 or more", pairs)
	}
	htsim, err = filepath.Abs(htsim)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sigview := filepath.Join(dir, "sigview")
	if _, err := used(ctx, ".", "go", "build", "-o", sigview, "./cmd/sigview"); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "traffic\tpackets\tsigview s\thtsim s\tratio (least to most)\tsigview MB\thtsim MB\tsigview ms\thtsim ms")
	for _, p := range peers {
		if !choose.MatchString(p.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, p.name)
		if err := p.compare(ctx, table, dir, sigview, htsim, pairs); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return table.Flush()
}

// compare writes the line of a traffic: medians over the pairs.
func (p peer) compare(ctx context.Context, table *tabwriter.Writer, dir, sigview, htsim string, pairs int) error {
	run, matrix := filepath.Join(dir, "run"), filepath.Join(dir, "matrix.cm")
	words := append(strings.Fields("run --quiet --platform cx5-roce -o "+run), strings.Fields(p.run)...)
	if _, err := used(ctx, dir, sigview, append(words, "--trace=packets")...); err != nil {
		return err
	}
	if _, err := used(ctx, dir, sigview, "export", run, "--to", "htsim", "-o", matrix); err != nil {
		return err
	}
	if err := widen(matrix, p.nodes); err != nil {
		return err
	}
	packets, ms, err := traffic(run)
	if err != nil {
		return err
	}
	theirs := []string{
		"-o", filepath.Join(dir, "log"), "-tm", matrix, "-nodes", strconv.Itoa(p.nodes), "-tiers", "3", "-strat", "ecmp_host", "-paths", "128",
		"-linkspeed", "100000", "-mtu", "1024", "-q", "1000", "-end", strconv.Itoa(int(10*ms*1000) + 1000),
	}
	var ours, others, ratios []float64
	var most, other int64 // memory
	var said string
	for range pairs {
		if err := os.RemoveAll(run); err != nil {
			return err
		}
		a, err := used(ctx, dir, sigview, words...)
		if err != nil {
			return err
		}
		b, err := used(ctx, dir, htsim, theirs...)
		if broken := (*exec.ExitError)(nil); err != nil && !errors.As(err, &broken) {
			return err
		}
		ours, others, ratios = append(ours, a.cpu.Seconds()), append(others, b.cpu.Seconds()), append(ratios, a.cpu.Seconds()/b.cpu.Seconds())
		most, other, said = max(most, a.memory), max(other, b.memory), ended(b.said, err)
	}
	for _, list := range [][]float64{ours, others, ratios} {
		slices.Sort(list)
	}
	fmt.Fprintf(table, "%s\t%d\t%.2f\t%.2f\t%.2f (%.2f to %.2f)\t%d\t%d\t%.3f\t%s\n",
		p.name, packets, portable.Median(ours), portable.Median(others), portable.Median(ratios), ratios[0], ratios[len(ratios)-1], most>>20, other>>20, ms, said)
	return os.RemoveAll(run)
}

// traffic returns the packets of a run, and the time from the first request to the last byte in memory, in ms.
func traffic(run string) (packets int, ms float64, err error) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	err = rundir.Scan(run, func(rows []trace.PacketRow) error {
		packets += len(rows)
		for _, r := range rows {
			first, last = min(first, r.T1Ns.Value), max(last, r.T6Ns.Value)
		}
		return nil
	})
	return packets, float64(last-first) / 1e6, err
}

// widen gives a matrix the nodes of csg-htsim's tree, of which some then have no traffic.
func widen(matrix string, nodes int) error {
	text, err := os.ReadFile(matrix)
	if err != nil {
		return err
	}
	return os.WriteFile(matrix, regexp.MustCompile(`(?m)^Nodes \d+$`).ReplaceAll(text, fmt.Appendf(nil, "Nodes %d", nodes)), 0o600)
}

var finished = regexp.MustCompile(`finished at ([0-9.]+)`)

// ended returns when the last flow of csg-htsim has ended, in ms, and how many have if not all have.
func ended(said string, err error) string {
	last, begun := 0.0, strings.Count(said, " starting at ")
	all := finished.FindAllStringSubmatch(said, -1)
	for _, m := range all {
		us, _ := strconv.ParseFloat(m[1], 64)
		last = max(last, us)
	}
	text := fmt.Sprintf("%.3f", last/1000)
	if err != nil {
		text += " until it fails"
	}
	if len(all) != begun {
		text += fmt.Sprintf(" (%d of %d flows)", len(all), begun)
	}
	return text
}

// usage is what a command has used, and printed.
type usage struct {
	cpu    time.Duration
	memory int64 // bytes
	said   string
}

// used runs a command in a directory.
func used(ctx context.Context, dir, name string, words ...string) (usage, error) {
	var said bytes.Buffer
	c := exec.CommandContext(ctx, name, words...)
	c.Dir, c.Stdout, c.Stderr = dir, &said, &said // csg-htsim leaves files where it runs
	if err := c.Start(); err != nil {
		return usage{}, err
	}
	ended, most := make(chan struct{}), make(chan int64)
	go func() { most <- peak(c.Process.Pid, ended) }()
	err := c.Wait()
	close(ended)
	u := usage{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), <-most, said.String()}
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", filepath.Base(name), err, u.said[max(0, len(u.said)-400):])
	}
	return u, err
}

var highest = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak looks at the largest resident memory of a process until that has ended, and returns it in bytes. What the kernel
// tells at the end counts the memory of this process too, which begot it.
func peak(pid int, ended <-chan struct{}) (most int64) {
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			if m := highest.FindSubmatch(text); m != nil {
				kB, _ := strconv.ParseInt(string(m[1]), 10, 64)
				most = max(most, kB<<10)
			}
		}
		select {
		case <-ended:
			return most
		case <-time.After(5 * time.Millisecond):
		}
	}
}
