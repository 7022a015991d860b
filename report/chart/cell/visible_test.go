package cell

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"two\nlines\tµs 漢字 \u00a0": "two\nlines\tµs 漢字 \u00a0",
		"\x1b]0;title\a":           `\u001b]0;title\u0007`,
		"a\rb\x7f\u009b2J":         `a\u000db\u007f\u009b2J`,
		"\u202egnp.exe":            `\u202egnp.exe`,
		"\U000e0041":               `\udb40\udc41`,
		"\x9b2J":                   "\uFFFD2J",
	} {
		require.Equal(t, want, Visible(text))
	}
}

// TestVisibleJSON: a document still has the same strings.
func TestVisibleJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		document, err := json.Marshal(text)
		require.NoError(t, err)
		var again string
		require.NoError(t, json.Unmarshal([]byte(Visible(string(document))), &again))
		require.Equal(t, text, again)
	})
}
