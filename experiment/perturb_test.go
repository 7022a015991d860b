package experiment

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPerturbWithATrace: the traced build stands beside the five others and costs more than
// the full one.
func TestPerturbWithATrace(t *testing.T) {
	spec := PerturbSpec{Platform: DefaultPlatform, Seed: 1, Sizes: []int64{64}, Programs: []string{"fft"}, Traced: true}
	p, err := Perturb(context.Background(), spec, nil)
	require.NoError(t, err)
	require.Len(t, p.Points, 6*len(PerturbTests()))
	full, traced := firmware{build: BuildFull}.record(), firmware{BuildFull, TraceAll}.record()
	for _, test := range PerturbTests() {
		require.Less(t, *p.Find(traced, test, 64).MBps, *p.Find(full, test, 64).MBps, test)
	}
	require.Len(t, p.Applications, 6)
	require.Equal(t, traced, p.Applications[5].Firmware)

	spec.Traced, spec.Programs = false, []string{}
	p, err = Perturb(context.Background(), spec, nil)
	require.NoError(t, err)
	require.Len(t, p.Points, 5*len(PerturbTests()))
	require.Nil(t, p.Find(traced, PerturbTests()[0], 64))
}

// TestPerturbOfACardThatDoesNotWait: a monitor on a core of its own costs a program no time, but samples if
// its ring is short.
func TestPerturbOfACardThatDoesNotWait(t *testing.T) {
	profile, err := os.ReadFile("../cluster/platform/profiles/smartnic.toml")
	require.NoError(t, err)
	short := filepath.Join(t.TempDir(), "short.toml")
	const ring = "deferred_slots = 8192"
	require.Contains(t, string(profile), ring)
	require.NoError(t, os.WriteFile(short, bytes.Replace(profile, []byte(ring), []byte("deferred_slots = 4"), 1), 0o600))
	p, err := Perturb(context.Background(), PerturbSpec{Platform: short, Seed: 1, Programs: []string{"hotspot"}, Tests: []PerturbTest{perturbApplications}}, nil)
	require.NoError(t, err)
	require.Len(t, p.Applications, 5)
	for _, a := range p.Applications {
		require.Equal(t, p.Applications[0].RunTimeS, a.RunTimeS, a.Firmware)
		if a.Build == BuildFull.String() {
			require.Positive(t, a.NotRecorded)
		}
	}
}

// TestTraceCostsLittle: tracing everything makes the FFT less than 2 % longer than the full
// monitor alone. A run's length varies by more with its seed, so it is a mean.
func TestTraceCostsLittle(t *testing.T) {
	const seeds = 8
	var full, traced float64
	for seed := range uint64(seeds) {
		spec := PerturbSpec{Platform: DefaultPlatform, Seed: seed + 1}
		for with, sum := range map[firmware]*float64{{build: BuildFull}: &full, {BuildFull, TraceAll}: &traced} {
			app, err := perturbApplication(context.Background(), spec, with, "fft")
			require.NoError(t, err)
			*sum += app.RunTimeS
		}
	}
	require.Less(t, traced/full, 1.02)
	require.Greater(t, traced, full)
}
