package rundir

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// Progress says how far a directory is that is being made.
type Progress struct {
	Share *float64 `json:"share"` // 0 to 1, nil if its end is not known
	Text  string   `json:"text"`
	Left  string   `json:"left,omitempty"` // about how long it goes on
}

// progressFile holds the Progress, in the temporary directory. Beside it are the newest two of the run's
// tables as they stand, soFar1, soFar2 and so on: who reads the one before has time to end.
const (
	progressFile = "progress.json"
	soFar        = "so-far-"
)

// Underway is the temporary directory of one that is being made. It tells others how far it is.
type Underway struct {
	temp    string
	release func()
	shown   int
}

// Begin makes the temporary directory of a directory to come, in use until End or the end of the process.
func Begin(dir string) (*Underway, error) {
	dir, parent := resolved(dir)
	temp, err := os.MkdirTemp(parent, tempPattern(dir))
	if err != nil {
		return nil, fmt.Errorf("output directory %s: %w", dir, inputfile.Cause(err))
	}
	u := &Underway{temp: temp, release: func() {}}
	if release, ok := lock(temp); ok {
		u.release = release
	}
	return u, os.Chmod(temp, dirPerm)
}

// Tell tells how far it is.
func (u *Underway) Tell(p Progress) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	next := filepath.Join(u.temp, progressFile+".new")
	return errors.Join(os.WriteFile(next, text, 0o644), os.Rename(next, filepath.Join(u.temp, progressFile)))
}

// Show shows a run as it stands, in place of what was shown before.
func (u *Underway) Show(ctx context.Context, run trace.Run) error {
	u.shown++
	of := func(n int) string { return filepath.Join(u.temp, soFar+strconv.Itoa(n)) }
	return errors.Join(WriteRun(ctx, of(u.shown), run), os.RemoveAll(of(u.shown-2)))
}

// End removes the temporary directory.
func (u *Underway) End() error {
	defer u.release()
	return os.RemoveAll(u.temp)
}

// Unfinished is a directory that was begun and is not there yet.
type Unfinished struct {
	Name string // of the directory to come
	Temp string // of the temporary one
	// Running tells whether the process is there that makes it. Where it cannot be known, it counts as there.
	Running bool
	Progress
	SoFar string // directory of the run as it stands, "" if it shows none
}

// ReadUnfinished lists the directories that were begun in a folder. Of those that hold no more than what is not yet
// renamed nothing is said.
func ReadUnfinished(folder string) (out []Unfinished, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		dir := filepath.Join(folder, e.Name())
		name := NameOf(e.Name())
		text, err := inputfile.Read(filepath.Join(dir, progressFile), inputfile.Text)
		u := Unfinished{Name: name, Temp: e.Name(), Running: true}
		if name == "" || err != nil || json.Unmarshal(text, &u.Progress) != nil {
			continue
		}
		if release, free := lock(dir); free {
			release()
			u.Running = false
		}
		u.SoFar = newest(dir)
		out = append(out, u)
	}
	return out, nil
}

// NameOf returns the name of the directory to come that a temporary one is for, "" if it is for none.
func NameOf(temp string) string {
	i := strings.LastIndex(temp, ".incomplete-")
	if i < 1 || temp[0] != '.' {
		return ""
	}
	return temp[1:i]
}

// newest returns the newest run that an unfinished directory shows, "" if there is none.
func newest(dir string) string {
	found, _ := filepath.Glob(filepath.Join(dir, soFar+"*", trace.ManifestFile))
	if len(found) == 0 {
		return ""
	}
	number := func(file string) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(filepath.Dir(file)), soFar))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return cmp.Compare(number(a), number(b)) }))
}
