package firstheap_test

import (
	"os"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/sigview/sigview/internal/firstheap"
)

// TestOnlyTheFirst: after a collection garbage is collected as without this package.
func TestOnlyTheFirst(t *testing.T) {
	if _, chosen := os.LookupEnv("GOGC"); chosen {
		t.Skip("GOGC is set, which the package leaves alone")
	}
	runtime.GC()
	require.Eventually(t, func() bool {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64() == 100
	}, time.Minute, time.Millisecond)
}
