package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// runsFolder is where runs go that are given no directory.
const runsFolder = "sigview-runs"

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

// plain drops temporary paths from an error, which say nothing to a user.
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

// target is the run directory that a command is to write.
type target struct {
	dir  string
	made string // parent folder that was made for it, "" when none was
}

// newTarget finds a directory for a run: the one that was asked for, or the
// next free sigview-runs/NAME-NNN. It is checked now, before the long work.
func (a *app) newTarget(asked, name string) (target, error) {
	if asked != "" {
		if err := a.lab.checkTarget(asked); err != nil {
			return target{}, &usageError{err.Error()}
		}
		return target{dir: asked}, nil
	}
	t := target{}
	switch err := os.Mkdir(runsFolder, 0o755); {
	case err == nil:
		t.made = runsFolder
	case !errors.Is(err, fs.ErrExist):
		return t, fmt.Errorf("folder %s: %w", runsFolder, plain(err))
	}
	for n := 1; ; n++ {
		t.dir = filepath.Join(runsFolder, fmt.Sprintf("%s-%03d", name, n))
		if _, err := os.Lstat(t.dir); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return t, err
		}
	}
	if err := a.lab.checkTarget(t.dir); err != nil {
		t.abandon()
		return t, err
	}
	return t, nil
}

// abandon removes the folder that was made for the run, if it is empty.
func (t target) abandon() {
	if t.made != "" {
		_ = os.Remove(t.made) // others may have written there meanwhile
	}
}

// unwritten tells that an error left no run directory behind.
func (t target) unwritten(err error) error {
	t.abandon()
	return fmt.Errorf("%w (nothing was written to %s)", err, t.dir)
}
