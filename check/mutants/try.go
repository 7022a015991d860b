package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Outcomes of a mutant.
const (
	killed     = "killed"
	survived   = "survived"
	equivalent = "equivalent" // survived, as it should
)

// timeout of one package's tests. A mutant that makes them hang is killed.
const timeout = "5m"

// try plants a mutant and runs its tests, package by package, until one fails. By is the
// package and the test that failed.
func (m Mutant) try(root string) (outcome, by string, err error) {
	text, err := m.apply(root)
	if err != nil {
		return "", "", err
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, filepath.Base(m.File)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, m.File): changed}})
	if err != nil {
		return "", "", err
	}
	if err := errors.Join(os.WriteFile(changed, []byte(text), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", "", err
	}
	for _, p := range m.Tests {
		test, err := run(root, p, m.Run, "-overlay="+overlay)
		switch {
		case err != nil:
			return "", "", fmt.Errorf("%s: %w", m.Name, err)
		case test != "":
			return killed, p + " " + test, nil
		}
	}
	if m.Why != "" {
		return equivalent, "", nil
	}
	return survived, "", nil
}

// run runs the tests of a package and returns the first that fails, or "". It is an error
// if they do not compile.
func run(root, packet, pattern string, more ...string) (failed string, err error) {
	args := []string{"test", "-json", "-failfast", "-vet=off", "-pgo=off", "-ldflags=-s -w", "-timeout=" + timeout, "-run=" + pattern}
	cmd := exec.Command("go", append(append(args, more...), packet)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var words strings.Builder
	for line := range bytes.Lines(out) {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		words.WriteString(e.Output)
		switch e.Action {
		case "build-fail":
			return "", fmt.Errorf("%s does not compile:\n%s%s", packet, words.String(), stderr.String())
		case "fail":
			if failed, _, _ = strings.Cut(e.Test, "/"); failed == "" {
				failed = "(the whole package)"
			}
			return failed, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("tests of %s: %w\n%s%s", packet, err, words.String(), stderr.String())
	}
	return "", nil
}
