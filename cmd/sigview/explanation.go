package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// explanation is how a trace is explained and printed.
type explanation struct {
	explain.Question
	Faster []string // as it is given
	Format string
	report.Style
}

// source is a run directory as its explanation was made of it.
type source struct {
	Dir      string
	Manifest trace.Manifest // with the digests of all files
	Changed  []int64        // by file of the manifest: its last change, ns
}

// write writes the explanation of a run. One that takes long is kept, if it may be, until a file of the run, or of the one
// that it is compared with, changes.
func (e explanation) write(w io.Writer, dir string, may bool) error {
	var kept usercache.Cache
	sources, ok := sourcesOf(dir, e.Against)
	if ok && may {
		kept = usercache.Open("traces")
	}
	key := struct {
		Sources    []source
		Top, Phase int
		Records    bool
		Faster     []string
		Format     string
		report.Style
	}{sources, e.Top, e.Phase, e.Records, e.Faster, e.Format, e.Style}
	var text string
	if !kept.Get(key, &text) {
		var b bytes.Buffer
		if err := e.make(&b, dir); err != nil {
			return err
		}
		text = b.String()
		kept.Put(key, text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// make explains a run.
func (e explanation) make(w io.Writer, dir string) error {
	e.Frugal = true
	found, err := explain.Explain(dir, e.Question)
	if err != nil {
		return err
	}
	t := report.Trace{Trace: found}
	return print(w, t, e.Format, e.Style, func() ([]byte, error) { return report.TraceJSON(t, version.Tool()) })
}

// sourcesOf returns the directories of a run and of another one, "" for none, as they are now. It returns false if what is
// made of them is not worth keeping, or if a file cannot be read.
func sourcesOf(dirs ...string) (out []source, ok bool) {
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		s := source{Dir: dir}
		var err error
		if s.Manifest, err = rundir.ReadManifest(dir); err != nil {
			return nil, false
		}
		for _, f := range s.Manifest.Files {
			info, err := os.Stat(filepath.Join(dir, f.Name))
			if err != nil || info.Size() != f.Bytes {
				return nil, false
			}
			s.Changed = append(s.Changed, info.ModTime().UnixNano())
		}
		ok = ok || explain.Kept(s.Manifest)
		out = append(out, s)
	}
	return out, ok
}
