package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/google/renameio/v2"
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
	pending, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("-o %s: %w", file, plain(err))
	}
	defer func() { _ = pending.Cleanup() }() // after a rename there is nothing left to clean
	if err := flushed(pending, write); err != nil {
		return err
	}
	if err := pending.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("-o %s: %w", file, plain(err))
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

// plain removes temporary paths from an error, which mean nothing to a user.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
