package tui

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTerminalSaysItsBackground: by its answer, also beside keys; a terminal that answers
// only the second question, or nothing, has none.
func TestTerminalSaysItsBackground(t *testing.T) {
	const kind = "\x1b[?62;22c"
	for answer, want := range map[string]string{
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\" + kind: "light",
		"\x1b]11;rgb:1e1e/1e1e/2e2e\a" + kind:     "dark",
		"\x1b]11;rgb:fd/f6/e3\x1b\\" + kind:       "light",
		"j\x1b]11;rgb:0/0/0\x1b\\k" + kind:        "dark",
		kind:                                      "",
		"\x1b]11;rgb:ffff/ffff\x1b\\" + kind:      "",
		"\x1b]11;rgb:x/y/z\x1b\\" + kind:          "",
		"":                                        "",
	} {
		in, terminal, err := os.Pipe()
		require.NoError(t, err)
		_, err = terminal.WriteString(answer)
		require.NoError(t, err)
		var asked bytes.Buffer
		require.Equal(t, want, askBackground(in, &asked, 20*time.Millisecond), "%q", answer)
		require.Contains(t, asked.String(), "\x1b]11;?")
		in.Close()
		terminal.Close()
	}
	require.Empty(t, themeOf(&bytes.Buffer{}, &bytes.Buffer{}), "no terminal")
}
