// Package inputfile opens files that users name. Devices are refused, because they never end. Pipes
// are read only where a text is read once. Each file that is read whole has a limit. Texts are in UTF-8.
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

// ReadText returns a text of at most Text bytes, without a byte order mark and with the line ends of Unix.
// Errors are *Error.
func ReadText(path string) ([]byte, error) {
	data, err := Read(path, Text)
	return text(path, data, err)
}

// ReadStream is ReadText, of at most limit bytes, of a file that may be a pipe, as standard input is under the
// name /dev/stdin. What a pipe had is gone after that.
func ReadStream(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		data, err := Read(path, limit)
		return text(path, data, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return text(path, nil, err)
	}
	defer f.Close()
	data, err := whole(f, 0, path, limit)
	return text(path, data, err)
}

// text ends the reading of a text.
func text(path string, data []byte, err error) ([]byte, error) {
	if err == nil {
		data, err = Plain(data)
	}
	if err != nil {
		return nil, &Error{File: path, Err: Cause(err)}
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), nil
}

// Plain returns a text without the byte order mark with which some editors begin it. It returns an error for
// other codes than UTF-8, and for what is no text.
func Plain(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, errors.New("is a text in UTF-16, wanted UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("is no text: it has bytes that are 0")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// whole reads a file to its end. Its size is not to be trusted: the file can grow meanwhile, and files of
// /proc have none.
func whole(f *os.File, size int64, path string, limit int64) ([]byte, error) {
	limit = min(limit, math.MaxInt-bytes.MinRead)
	if size > limit {
		return nil, bad(path, "%d bytes, wanted at most %d", size, limit)
	}
	data := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // which does not grow if the size is right
	_, err := data.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(data.Len()) > limit {
		return nil, bad(path, "more than %d bytes, wanted at most that many", limit)
	}
	return data.Bytes(), err
}

// Error is an error in a text that a user names. Line is 0 if it has none.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Usage reports that the error is bad input.
func (e *Error) Usage() bool { return true }

// Cause returns an error of a file without the path, for messages that name the
// file as its user knows it.
func Cause(err error) error {
	var text *Error
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &text):
		return text.Err
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
