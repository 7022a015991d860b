package testbed_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
)

// TestBedsSideBySide: two testbeds of every layer on every platform, all at the
// same time, run alike. Under the race detector it shows what they share.
func TestBedsSideBySide(t *testing.T) {
	var specs []testbed.Spec
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		require.NoError(t, err)
		for _, layer := range p.LayerNames() {
			specs = append(specs, testbed.Spec{Platform: name, Layer: layer, Seed: 3, Bytes: 512, Cold: true})
		}
	}
	digests := make([]uint64, 2*len(specs))
	errs := make([]error, len(digests))
	var all sync.WaitGroup
	for i := range digests {
		all.Go(func() {
			digests[i], errs[i] = testbed.With(t.Context(), specs[i/2], func(b *testbed.Testbed) uint64 {
				if x := b.Exchange(10, 256); !x.Whole() {
					t.Errorf("%s: %v", b.Place, x)
				}
				return b.Engine.Digest()
			})
		})
	}
	all.Wait()
	for i := range digests {
		require.NoError(t, errs[i], "%v", specs[i/2])
		require.NotZero(t, digests[i])
		require.Equal(t, digests[i&^1], digests[i], "%v", specs[i/2])
	}
}
