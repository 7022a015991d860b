// Package atomicfile writes files that appear whole or not at all, on every system.
package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces a file by what write gives, once all of it is on the disk. After an error
// the file is as it was. Errors of the file system name no temporary file.
func Write(file string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return plain(err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // after a rename there is nothing left
	defer func() { _ = temp.Close() }()           // it is closed but after an error
	out := bufio.NewWriter(temp)
	if err := write(out); err != nil {
		return err
	}
	readable := func() error { return temp.Chmod(0o644) }
	for _, step := range []func() error{out.Flush, readable, temp.Sync, temp.Close} {
		if err := step(); err != nil {
			return plain(err)
		}
	}
	return plain(os.Rename(temp.Name(), file))
}

// plain removes the temporary path from an error: it means nothing to a user.
func plain(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// WriteBytes is Write for what is in memory.
func WriteBytes(file string, data []byte) error {
	return Write(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
