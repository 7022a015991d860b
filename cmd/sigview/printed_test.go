package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrinted(t *testing.T) {
	const text = "\x1b[1mname\x1b[0m \x1b[2J\x1b]0;x\a"
	require.Equal(t, `\u001b[1mname\u001b[0m \u001b[2J\u001b]0;x\u0007`, printed(text, false))
	require.Equal(t, "\x1b[1mname\x1b[0m "+`\u001b[2J\u001b]0;x\u0007`, printed(text, true))
}
