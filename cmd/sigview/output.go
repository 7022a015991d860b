package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// data writes a command's result to standard output, or to a file that
// appears whole or not at all.
func (a *app) data(file string, write func(io.Writer) error) error {
	if file == "" {
		return a.show(write)
	}
	if err := checkFile(file); err != nil {
		return err
	}
	if err := atomicfile.Write(file, write); err != nil {
		return fmt.Errorf("output file %w", err)
	}
	a.say("wrote %s", file)
	return nil
}

// checkFile returns an error for an output file that data could not write. Commands call it
// before long work.
func checkFile(file string) error {
	if _, err := os.Stat(file); err == nil && inRun(file) {
		return usagef("output file %s: is a file of a run directory, want another name", file)
	}
	if file != "" {
		if err := atomicfile.Check(file); err != nil {
			return usagef("output file %v", err)
		}
	}
	return nil
}

// writeAll writes files into a directory, all of them or none.
func (a *app) writeAll(dir string, files []atomicfile.File) error {
	if err := atomicfile.WriteAll(dir, files); err != nil {
		return fmt.Errorf("output directory %w", err)
	}
	a.say("wrote %d files into %s", len(files), dir)
	return nil
}

// inRun reports whether a file is one that a run directory, or that of a measurement,
// consists of.
func inRun(file string) bool {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	exists := func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	}
	folder, name := filepath.Split(file)
	if exists(folder+trace.ManifestFile) && (name == trace.ManifestFile || slices.Contains([]string{rundir.Ending, ".hlog"}, filepath.Ext(name))) {
		return true
	}
	stem := strings.TrimSuffix(file, filepath.Ext(name))
	return exists(stem+".json") && exists(stem+rundir.Ending)
}

// sealed returns a function that writes a document with its digest, which finds damage.
func sealed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		var document bytes.Buffer
		if err := write(&document); err != nil {
			return err
		}
		_, err := w.Write(trace.Seal(document.Bytes()))
		return err
	}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
