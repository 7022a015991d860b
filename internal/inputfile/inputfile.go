// Package inputfile opens files that users name. Only regular files are read: a pipe would
// block and a device never ends. Each file that is read whole has a limit.
package inputfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// Limits of files that are read whole, in bytes.
const (
	Text = 64 << 20 // profiles, manifests and other documents
	Data = 4 << 30  // schedules and tables
)

// Open opens a regular file and returns its size in bytes. Errors are *fs.PathError.
func Open(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, bad(path, "%s, wanted a regular file", sort(info.Mode()))
	}
	f, err = os.Open(path)
	return f, info.Size(), err
}

// Read returns the content of a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit = min(limit, math.MaxInt-1)
	if size > limit {
		return nil, bad(path, "%d bytes, wanted at most %d", size, limit)
	}
	// The file can grow meanwhile, and files of /proc have no size.
	data := make([]byte, 0, size+1)
	for int64(len(data)) <= limit {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, bad(path, "more than %d bytes, wanted at most that many", limit)
}

// Cause returns an error of the file system without the path, for messages that name the
// file as its user knows it.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

func bad(path, format string, args ...any) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf(format, args...)}
}

func sort(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "is a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "is a pipe"
	case mode&fs.ModeSocket != 0:
		return "is a socket"
	case mode&fs.ModeDevice != 0:
		return "is a device"
	}
	return "is no file with bytes"
}
