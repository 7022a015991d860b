package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBundleIsOfItsSource makes page.js again, as `make page` does.
func TestBundleIsOfItsSource(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	_, rule, ok := strings.Cut(string(makefile), "\npage:\n\t$(GO) ")
	require.True(t, ok)
	line, _, _ := strings.Cut(rule, "\n")
	out := filepath.Join(t.TempDir(), "page.js")
	args := strings.Fields(strings.Replace(line, "report/page/page.js", out, 1))
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	made, err := os.ReadFile(out)
	require.NoError(t, err)
	require.True(t, string(made) == script, "page.js is not of its source: make page")
}
