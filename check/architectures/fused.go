package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

const module = "github.com/sigview/sigview"

// instruction matches those of arm64.
var instruction = regexp.MustCompile(`\tFN?M(ADD|SUB)[SD] `)

// fused returns the functions of sigview that have such instructions, with their lines. A compiler
// fuses also across functions that it inlines, so that only a whole program tells.
func fused(program string) ([]string, error) {
	out, err := exec.Command("go", "tool", "objdump", "-s", "^("+regexp.QuoteMeta(module)+`[/.]|main\.)`, program).Output()
	if err != nil {
		return nil, fmt.Errorf("go tool objdump %s: %w", program, err)
	}
	var found []string
	function := ""
	for line := range bytes.Lines(out) {
		if text, ok := strings.CutPrefix(string(line), "TEXT "); ok {
			function, _, _ = strings.Cut(text, "(SB)")
		} else if instruction.Match(line) {
			found = append(found, strings.TrimPrefix(function, module+"/")+", "+strings.Fields(string(line))[0])
		}
	}
	if function == "" {
		return nil, fmt.Errorf("%s has no function of sigview", program)
	}
	return found, nil
}
