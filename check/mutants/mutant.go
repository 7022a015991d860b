package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/tomlfile"
)

// Mutant is a planted defect.
type Mutant struct {
	Name  string   `toml:"name"` // what is wrong, in words
	File  string   `toml:"file"` // from the root of the module
	Old   string   `toml:"old"`  // text that the file has once
	New   string   `toml:"new"`
	Tests []string `toml:"tests"`                // packages, the most likely first
	Run   string   `toml:"run,omitempty"`        // tests that are run, all if empty
	Why   string   `toml:"equivalent,omitempty"` // why no test can notice it
}

// read returns the mutants of all files of a folder.
func read(folder string) ([]Mutant, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	seen := map[string]bool{}
	for _, file := range files {
		text, err := inputfile.ReadText(file)
		if err != nil {
			return nil, err
		}
		table, err := tomlfile.Parse(file, text)
		if err != nil {
			return nil, err
		}
		var list struct {
			Mutants []Mutant `toml:"mutant"`
		}
		if err := (tomlfile.Form{Of: "a mutant", Tag: "toml"}).Decode("", table, &list); err != nil {
			return nil, tomlfile.At(file, string(text), err)
		}
		for _, m := range list.Mutants {
			if seen[m.Name] {
				return nil, fmt.Errorf("%s: two mutants are named %q", file, m.Name)
			}
			seen[m.Name] = true
		}
		all = append(all, list.Mutants...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no mutants", folder)
	}
	return all, nil
}

// apply returns the text of the file with the defect. Root is the root of the module.
func (m Mutant) apply(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, m.File))
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Name, err)
	}
	if n := strings.Count(string(text), m.Old); n != 1 || m.Old == m.New {
		return "", fmt.Errorf("%s: %s has %d times %q, want once and another text for it", m.Name, m.File, n, m.Old)
	}
	return strings.Replace(string(text), m.Old, m.New, 1), nil
}
