package testnet

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Skip skips a test that this host does not let run. With SIGVIEW_SKIPPED it adds a line to the file of that name, so that
// `make test` can say how many there were. A result that is kept depends on that name only if the test was skipped.
func Skip(t *testing.T, why string) {
	t.Helper()
	if name := os.Getenv("SIGVIEW_SKIPPED"); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		require.NoError(t, err)
		_, err = f.WriteString(t.Name() + "\t" + why + "\n")
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	t.Skip(why)
}
