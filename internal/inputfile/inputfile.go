// Package inputfile opens files that users name. Devices are refused, because they never end. Pipes
// are read only where a text is read once. Each file that is read
// whole has a limit.
package inputfile

import (
	"bytes"
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
	return whole(f, size, path, limit)
}

// ReadText returns a text of at most Text bytes without its byte order mark.
func ReadText(path string) ([]byte, error) {
	text, err := Read(path, Text)
	return unmarked(text), err
}

// unmarked returns a text without the byte order mark with which some editors begin it.
func unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// ReadStream is ReadText of a file that may be a pipe, as standard input is under the name /dev/stdin.
// What a pipe had is gone after that.
func ReadStream(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return ReadText(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := whole(f, 0, path, Text)
	return unmarked(text), err
}

// whole reads a file to its end. Its size is not to be trusted: the file can grow meanwhile, and files of
// /proc have none.
func whole(f *os.File, size int64, path string, limit int64) ([]byte, error) {
	limit = min(limit, math.MaxInt-1)
	if size > limit {
		return nil, bad(path, "%d bytes, wanted at most %d", size, limit)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, bad(path, "more than %d bytes, wanted at most that many", limit)
	}
	return data, err
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
