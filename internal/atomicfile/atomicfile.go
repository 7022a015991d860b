// Package atomicfile writes files that appear whole or not at all, on every system. Errors
// name what was to be written, and no temporary file: that means nothing to a user.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/sigview/sigview/internal/inputfile"
)

// Write replaces a file by what write gives, once all of it is on the disk. After an error
// the file is as it was. A device or a pipe stays what it is and takes what is written.
func Write(file string, write func(io.Writer) error) error {
	if err := replace(file, write); err != nil {
		return unwritten(file, err)
	}
	return nil
}

func unwritten(path string, err error) error {
	return fmt.Errorf("%s: nothing was written: %w", path, err)
}

func replace(file string, write func(io.Writer) error) error {
	if special(file) {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return inputfile.Cause(err)
		}
		return Fill(f, write)
	}
	temp, err := stage(file, write)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, file); err != nil {
		return errors.Join(inputfile.Cause(err), os.Remove(temp))
	}
	return nil
}

// Check returns an error for a file that Write could not make. Call it before long work.
func Check(file string) error {
	if special(file) {
		return nil
	}
	temp, err := create(file)
	if err == nil {
		err = inputfile.Cause(errors.Join(temp.Close(), os.Remove(temp.Name())))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// special reports whether a file is a device or a pipe.
func special(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// WriteBytes is Write for what is in memory.
func WriteBytes(file string, data []byte) error { return Write(file, bytesOf(data)) }

func bytesOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// File is a file of several.
type File struct {
	Path string // with slashes
	Data []byte
}

// WriteAll replaces files in a folder, which it makes if need be, once all of them are on the
// disk. If one of them cannot be written, all are as they were.
func WriteAll(dir string, files []File) (err error) {
	var undo []func()
	defer func() {
		if err != nil {
			for _, f := range slices.Backward(undo) {
				f()
			}
			err = unwritten(dir, err)
		}
	}()
	at := func(f File) string { return filepath.Join(dir, filepath.FromSlash(f.Path)) }
	var temps []string
	for _, f := range files {
		remove, err := MakeDirs(filepath.Dir(at(f)))
		undo = append(undo, remove)
		if err != nil {
			return err
		}
		temp, err := stage(at(f), bytesOf(f.Data))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		undo = append(undo, func() { _ = os.Remove(temp) })
		temps = append(temps, temp)
	}
	for i, f := range files {
		if err := os.Rename(temps[i], at(f)); err != nil {
			return fmt.Errorf("%s: %w", f.Path, inputfile.Cause(err))
		}
	}
	return nil
}

// stage writes a file under a temporary name beside its own.
func stage(file string, write func(io.Writer) error) (name string, err error) {
	temp, err := create(file)
	if err != nil {
		return "", err
	}
	if err = Fill(temp, write); err == nil {
		err = inputfile.Cause(os.Chmod(temp.Name(), 0o644))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return temp.Name(), err
}

// create opens a file with a temporary name beside another's.
func create(file string) (*os.File, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, errors.New("is a directory, want a file")
	}
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	return temp, inputfile.Cause(err)
}

// Fill writes what write gives to a file, flushes it to the disk and closes it. If the file
// takes no more, that is the error, without a path, whatever write makes of it.
func Fill(f *os.File, write func(io.Writer) error) error {
	to := &taker{f: f}
	out := bufio.NewWriter(to)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = Sync(f)
	}
	if closed := f.Close(); err == nil {
		err = inputfile.Cause(closed)
	}
	if to.err != nil {
		return to.err
	}
	return err
}

// Sync flushes a file or a folder to the disk. Those that cannot be flushed, as pipes and the
// folders of some file systems, call it an invalid argument, which is no failure.
func Sync(f *os.File) error {
	if err := f.Sync(); !errors.Is(err, syscall.EINVAL) {
		return inputfile.Cause(err)
	}
	return nil
}

// taker is a file that remembers why it took no more.
type taker struct {
	f   *os.File
	err error
}

func (t *taker) Write(p []byte) (int, error) {
	n, err := t.f.Write(p)
	if err != nil {
		t.err = inputfile.Cause(err)
	}
	return n, t.err
}

// MakeDirs makes a folder and those around it. Undo removes those that it has made, if
// nothing is in them.
func MakeDirs(dir string) (undo func(), err error) {
	var made []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	err = inputfile.Cause(os.MkdirAll(dir, 0o755))
	return func() {
		for _, d := range made {
			_ = os.Remove(d)
		}
	}, err
}
