package hunt

import (
	"reflect"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
)

// TestCommandMakesTheCase: the printed command makes the specification again, but for what
// no flag can say.
func TestCommandMakesTheCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Random(rapid.Uint64().Draw(t, "seed"))
		args, _ := c.Command()
		again := experiment.DefaultRun(args[1])
		var fs pflag.FlagSet
		flags.Add(&fs, &again)
		require.NoError(t, fs.Parse(args[2:]))
		want := c.Spec
		want.Faults.Drops, want.Faults.Breaks = nil, nil
		if c.Schedule != "" {
			want.Schedule.File = scheduleFile
		}
		require.Equal(t, want, again, "%q", args)
	})
}

// TestEveryFieldIsDrawn: some case sets each field that has a flag to other than its default.
func TestEveryFieldIsDrawn(t *testing.T) {
	undrawn := map[string]bool{}
	leaves(reflect.ValueOf(experiment.DefaultRun("")), "", func(path string, _ any) { undrawn[path] = true })
	for seed := uint64(0); seed < 20000 && len(undrawn) > 0; seed++ {
		c := Random(seed)
		usual := map[string]any{}
		leaves(reflect.ValueOf(experiment.DefaultRun("")), "", func(path string, x any) { usual[path] = x })
		leaves(reflect.ValueOf(c.Spec), "", func(path string, x any) {
			if path == ".Schedule.File" && c.Schedule != "" || !reflect.DeepEqual(x, usual[path]) {
				delete(undrawn, path)
			}
		})
	}
	// A run sets the first two, and tests the others.
	for _, path := range []string{".Schedule.SHA256", ".Faults.Later", ".Faults.Losses", ".Others"} {
		delete(undrawn, path)
	}
	require.Empty(t, undrawn)
}

// leaves visits the fields of a specification that are no structs.
func leaves(spec reflect.Value, path string, visit func(path string, x any)) {
	if spec.Kind() != reflect.Struct {
		visit(path, spec.Interface())
		return
	}
	for i := range spec.NumField() {
		leaves(spec.Field(i), path+"."+spec.Type().Field(i).Name, visit)
	}
}
