package hunt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// reports: every report of the run can be made, and the run as its files have it gives the
// same.
func reports(o *outcome) error {
	if o.run == nil {
		return nil
	}
	dir := filepath.Join(o.dir, "first")
	if err := rundir.WriteRun(context.Background(), dir, *o.run); err != nil {
		return err
	}
	stored, err := rundir.ReadRun(dir)
	if err != nil {
		return err
	}
	made, err := reportsOf(*o.run)
	if err != nil {
		return err
	}
	read, err := reportsOf(stored)
	if err != nil {
		return err
	}
	for form, text := range made {
		if text != read[form] {
			return fmt.Errorf("%s of the run differs from that of its files: %s", form, difference(text, read[form]))
		}
		for _, bad := range []string{"NaN", "%!", "+Inf", "-Inf"} {
			if strings.Contains(text, bad) && (o.run.Manifest.Verified || bad == "%!") { // a wrong result may be no number
				return fmt.Errorf("%s has %q", form, bad)
			}
		}
	}
	return nil
}

func reportsOf(run trace.Run) (map[string]string, error) {
	r := report.Of(run)
	json, err := report.JSON(r)
	return map[string]string{
		"text": report.Text(r, report.Style{Full: true}), "Markdown": report.Markdown(r), "HTML": report.HTML(r), "JSON": string(json),
	}, err
}

// difference returns the first lines in which two texts differ.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %.200q and %.200q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// repeats: the same specification gives the same files or the same error.
func repeats(o *outcome) error {
	if o.endless || o.ending() == Refused {
		return nil
	}
	second := o.again()
	if o.err != nil || second.err != nil {
		if fmt.Sprint(o.err) != fmt.Sprint(second.err) {
			return fmt.Errorf("first %v, then %v", o.err, second.err)
		}
		return nil
	}
	dir := filepath.Join(o.dir, "second")
	if err := rundir.WriteRun(context.Background(), dir, *second.run); err != nil {
		return err
	}
	a, err := rundir.ReadManifest(filepath.Join(o.dir, "first"))
	b, err1 := rundir.ReadManifest(dir)
	if err := errors.Join(err, err1); err != nil {
		return err
	}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	for i, f := range a.Files {
		if i < len(b.Files) && f.SHA256 != b.Files[i].SHA256 {
			return fmt.Errorf("the files %s differ", f.Name)
		}
	}
	x, err := a.Encode()
	y, err1 := b.Encode()
	return errors.Join(err, err1, fmt.Errorf("the manifests differ: %s", difference(string(x), string(y))))
}
