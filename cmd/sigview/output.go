package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/sigview/sigview/internal/atomicfile"
)

// data writes a command's result to standard output, or to a file that
// appears whole or not at all.
func (a *app) data(file string, write func(io.Writer) error) error {
	if file == "" {
		return flushed(a.stdout, write)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usagef("-o %s: is a directory, want a file", file)
	}
	if err := atomicfile.Write(file, write); err != nil {
		return fmt.Errorf("-o %s: %w", file, err)
	}
	a.say("wrote %s", file)
	return nil
}

func flushed(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriter(w)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
