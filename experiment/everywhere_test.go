package experiment

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

var update = flag.Bool("update", false, "rewrite docs/programs.md")

// everywhere lists the layers of all built-in platforms, apart by whether they
// carry programs.
func everywhere(t *testing.T) (carry, refuse []platform.Place) {
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		require.NoError(t, err)
		for _, l := range p.LayerNames() {
			x, err := p.At(l)
			require.NoError(t, err)
			if deposit.Carries(x.Traits, 1) == nil {
				carry = append(carry, x)
			} else {
				refuse = append(refuse, x)
			}
		}
	}
	return carry, refuse
}

// few returns the first and the last of the places of each layer, or all when long tests run.
func few(places []platform.Place) (out []platform.Place) {
	for i, p := range places {
		same := func(x platform.Place) bool { return x.Layer == p.Layer }
		if testlong.On() || !slices.ContainsFunc(places[:i], same) || !slices.ContainsFunc(places[i+1:], same) {
			out = append(out, p)
		}
	}
	return out
}

// runAt is a run of a program at a place; size 0 is the default.
func runAt(p platform.Place, name string, nodes int, size int64) RunSpec {
	s := DefaultRun(name)
	s.Platform, s.Layer, s.Nodes, s.Size = p.Name, p.Layer, nodes, size
	return s
}

// smallSizes are what the test of all programs everywhere takes; 0 is the default.
var smallSizes = map[string]int64{"fft": 4096, "radix": 20000, "lu": 64, "ocean": 32, "water": 32, "gauss": 64, "dfs": 40, "allreduce": 3000, "paramserver": 2000, "kv": 100, "blocks": 40}

// TestProgramsEverywhere runs programs on every layer of every platform that
// carries them. Each result is verified, and the signature tells the
// packets of the program apart by what they are for.
func TestProgramsEverywhere(t *testing.T) {
	carry, refuse := everywhere(t)
	layers := map[string]bool{}
	programs := []string{"fft", "gauss", "queue"}
	switch {
	case testlong.On():
		programs = ownPrograms()
	case !testing.Short():
		programs = append(programs, "radix", "random", "dfs", "allreduce", "paramserver", "kv", "blocks")
	}
	for i, at := range few(carry) {
		layers[at.Layer] = true
		for k, name := range programs {
			if testing.Short() && (i+k)%2 == 1 {
				continue
			}
			t.Run(fmt.Sprintf("%s of %s", name, at), func(t *testing.T) {
				s := runAt(at, name, 4, smallSizes[name])
				s.Seed = uint64(1 + i%3) // the programs of a place share its baseline
				if k%2 == 0 {
					s.Trace = TraceAll
				}
				run, err := Run(context.Background(), s, nil)
				require.NoError(t, err)
				require.True(t, run.Manifest.Verified, run.Manifest.Verification)
				require.Zero(t, run.Manifest.Lost.Dropped)
				for _, kind := range expectedKinds[name] {
					there := slices.ContainsFunc(run.Signature, func(r trace.SignatureRow) bool { return r.Kind == kind.String() && r.Count > 0 })
					leftOut := slices.ContainsFunc(run.Manifest.Warnings, func(w string) bool {
						return strings.HasPrefix(w, "left out: tag 0, "+kind.String())
					})
					require.True(t, there || leftOut, "no packets of kind %v in the signature", kind)
				}
			})
		}
	}
	require.GreaterOrEqual(t, len(layers), 7)
	for _, at := range refuse {
		_, err := Run(context.Background(), runAt(at, "fft", 2, 0), nil)
		requireUsage(t, err, at.Traits.Promises.Why)
	}
}

// expectedKinds are packets that a program cannot do without.
var expectedKinds = map[string][]trace.Kind{
	"fft":   {trace.PageRequest, trace.PageReply, trace.BarrierArrive, trace.BarrierRelease},
	"radix": {trace.PageRequest, trace.PageReply, trace.Diff},
	"water": {trace.LockRequest, trace.LockGrant},
	"gauss": {trace.Broadcast, trace.Envelope},
	"queue": {trace.Data, trace.Flag},

	"allreduce": {trace.Data}, "paramserver": {trace.Request, trace.Reply}, "kv": {trace.Request, trace.Reply},
	"blocks": {trace.Request, trace.Data, trace.Reply}, // a flag only where a target cannot read the block itself
}

// TestProgramsEverywhereRepeat: the same run gives the same records.
func TestProgramsEverywhereRepeat(t *testing.T) {
	carry, _ := everywhere(t)
	for i, at := range few(carry) {
		name := []string{"fft", "gauss", "random"}[i%3]
		t.Run(fmt.Sprintf("%s of %s", name, at), func(t *testing.T) {
			s := runAt(at, name, 3, 64)
			if name != "gauss" {
				s = runAt(at, name, 4, smallSizes[name])
			}
			s.Seed = uint64(1 + i%3)
			first, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			second, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			require.Equal(t, first, second)
		})
	}
}

// TestProgramsShareALayer: several programs run on a layer that serves several processes.
func TestProgramsShareALayer(t *testing.T) {
	carry, _ := everywhere(t)
	for _, at := range few(carry) {
		if !at.Traits.Multiprogramming || testing.Short() && at.Layer != "pm" {
			continue
		}
		t.Run(at.String(), func(t *testing.T) {
			for _, names := range testlong.Pick([]string{"queue+random", "lu+prodcons"}, []string{"fft+radix", "gauss+radix"}) {
				s := runAt(at, names, testlong.Pick(2, 8), 0)
				s.Build = BuildOff
				mustRun(t, s)
				s.Gang = true
				mustRun(t, s)
			}
		})
	}
}

// TestRepairingLayers: layers that tolerate errors of the network bring
// programs through them.
func TestRepairingLayers(t *testing.T) {
	carry, _ := everywhere(t)
	for _, at := range few(carry) {
		if at.Traits.Errors != "Tolerated" || testing.Short() && at.Layer != "amii" {
			continue
		}
		for name, size := range map[string]int64{"fft": 4096, "gauss": 128, "random": 0} {
			t.Run(fmt.Sprintf("%s of %s", name, at), func(t *testing.T) {
				s := runAt(at, name, 4, size)
				s.Build, s.Faults.ErrorPerByte = BuildOff, 1e-5
				r := mustRun(t, s)
				require.Positive(t, r.cluster.Net.Stats().Detected)
			})
		}
	}
}

// TestBorrowedLayer: a profile that borrows a layer runs programs over it, and says so.
func TestBorrowedLayer(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mine.toml")
	require.NoError(t, os.WriteFile(file, []byte(p.Text()+"\n[borrow]\nam = 1\n"), 0o600))
	_, err = platform.Load(file)
	require.ErrorContains(t, err, "borrow.am")
	require.NoError(t, os.WriteFile(file, []byte(p.Text()+"\n[borrow]\namii = \"ppro\"\n"), 0o600))
	s := DefaultRun("gauss")
	s.Platform, s.Layer, s.Size, s.Nodes = file, "amii", 64, 4
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	require.True(t, run.Manifest.Verified)
	require.Equal(t, "ppro", run.Manifest.Platform.Borrowed)
	require.Contains(t, run.Manifest.Warnings, "layer amii is borrowed: its costs are those of platform ppro")
}

// TestLossesAreBlamed: a program that waits for a packet that its layer has lost
// ends with an error that says so.
func TestLossesAreBlamed(t *testing.T) {
	carry, _ := everywhere(t)
	for _, at := range few(carry) {
		if at.Traits.Errors == "Tolerated" {
			continue
		}
		s := runAt(at, "fft", 4, 16384)
		s.Build, s.Faults.ErrorPerByte = BuildOff, 3e-6
		r, err := execute(context.Background(), s, platform.Overlay{}, nil)
		if err == nil { // the layer has told the program, which has stopped
			err = fmt.Errorf("fft: %w", r.programs[0].wrong)
		}
		require.ErrorContains(t, err, "fft: layer "+at.Layer+" has lost packets, which it does not repair (damaged: ")
	}
}

// TestDeadLinksAreBlamed: so does one that waits for packets of a dead link: the error names the link and,
// if the layer sends again on the same route until it gives up, who does not answer. Layers that take
// another route bring the program to its end.
func TestDeadLinksAreBlamed(t *testing.T) {
	const link = " at dead links (level0.switch1.up0)"
	for layer, c := range map[string]struct{ platform, says string }{
		"fm":   {"ppro", "water: the network has lost 4 packets, 4 of them" + link + ", which layer fm does not repair: "},
		"amii": {"ppro", ""}, // which takes another route
		"gm":   {"gm-p3", ", though layer gm has sent again 100 times until it gave up; "},
		"grim": {"grim-p3-lanai9", ", though layer grim has sent again 100 times until it gave up; "},
		"vmmc": {"shrimp", ""}, // which does so, too
	} {
		s := DefaultRun("water")
		s.Platform, s.Layer, s.Nodes, s.Size, s.Build = c.platform, layer, 9, 9, BuildOff
		s.Faults.Breaks = []fabric.Break{{From: 4, To: 8, At: sim.Time(sim.Microsecond)}}
		run, err := Run(context.Background(), s, nil)
		if c.says == "" {
			require.NoError(t, err)
			require.True(t, run.Manifest.Verified)
			require.NotZero(t, run.Manifest.Lost.Dropped)
			continue
		}
		require.ErrorContains(t, err, c.says)
		require.ErrorContains(t, err, link)
	}
}

// TestLongPausesAreNoStandstill: TCP, whose tries are up to two minutes apart, sends again until it gives up,
// and then the run ends with an error that says who does not answer.
func TestLongPausesAreNoStandstill(t *testing.T) {
	s := DefaultRun("fft")
	s.Platform, s.Layer, s.Nodes, s.Size, s.Faults.ErrorPerByte = "das-wan", "mpi", 8, 256, 0.00043
	_, err := Run(context.Background(), s, nil)
	require.ErrorContains(t, err, ", though layer mpi has sent again 15 times until it gave up; the network has lost 0 packets, and damaged ")
	require.ErrorContains(t, err, ": stuck at ")
}

const programsPage = "../docs/programs.md"

// TestProgramsPage holds docs/programs.md against the model: all of it in long
// runs, else its cheapest columns. With -update it writes the page.
func TestProgramsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of the default sizes")
	}
	names := ownPrograms()
	measured := names
	if !testlong.On() && !*update {
		measured = []string{"alltoall", "broadcast", "queue"}
	}
	carry, refuse := everywhere(t)
	ms := map[string]string{}
	for _, at := range carry {
		for _, name := range measured {
			s := runAt(at, name, 8, 0)
			s.Build = BuildOff
			ms[at.String()+name] = digits(1e3 * mustRun(t, s).programs[0].took.Seconds())
		}
	}
	old, err := os.ReadFile(programsPage)
	if *update {
		page := programsText(carry, refuse, names, func(at platform.Place, name string) string { return ms[at.String()+name] })
		require.NoError(t, os.WriteFile(programsPage, []byte(page), 0o644))
		return
	}
	require.NoError(t, err)
	cells := cellsOf(old)
	page := programsText(carry, refuse, names, func(at platform.Place, name string) string {
		if v, ok := ms[at.String()+name]; ok {
			return v
		}
		return cells[at.String()+name]
	})
	require.Equal(t, page, string(old), "go test ./experiment -run TestProgramsPage -update writes it")
}

// digits writes a number with four significant digits.
func digits(v float64) string {
	short, err := strconv.ParseFloat(fmt.Sprintf("%.4g", v), 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// programsText is the page; cell gives the run time of a program somewhere.
func programsText(carry, refuse []platform.Place, names []string, cell func(platform.Place, string) string) string {
	var b strings.Builder
	b.WriteString(`# How long does each program take on each layer and platform?

Run times in milliseconds of simulated time, of each program at its default size on eight nodes, seed 1, without
a monitor. Every result was verified. ` + "`go test ./experiment -run TestProgramsPage -update`" + ` writes this page.

The platforms are different machines: compare layers within ppro. Costs of shared memory and message passing on
the machines of paper logp and on sun-rpc are assumed, scaled from shrimp; those on linux-udp and with verbs are assumed. Arithmetic,
disks and caches of the machines differ too.

`)
	fmt.Fprintf(&b, "| place | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for _, at := range carry {
		fmt.Fprintf(&b, "| %s |", at)
		for _, name := range names {
			fmt.Fprintf(&b, " %s |", cell(at, name))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nNot run:\n\n")
	for _, at := range refuse {
		fmt.Fprintf(&b, "- %s: %s.\n", at, at.Traits.Promises.Why)
	}
	return b.String()
}

// cellsOf reads the table of a page.
func cellsOf(page []byte) map[string]string {
	cells := map[string]string{}
	var names []string
	for line := range bytes.Lines(page) {
		row := strings.Split(strings.Trim(strings.TrimSpace(string(line)), "|"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		switch {
		case len(row) < 2 || strings.HasPrefix(row[0], "---"):
		case names == nil:
			names = row
		default:
			for i, v := range row[1:] {
				cells[row[0]+names[1+i]] = v
			}
		}
	}
	return cells
}
