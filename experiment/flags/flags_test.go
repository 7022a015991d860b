package flags

import (
	"reflect"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
)

// TestEveryFieldHasAFlag: a field of a specification has a flag, or its tag says why not.
func TestEveryFieldHasAFlag(t *testing.T) {
	for _, spec := range []any{experiment.RunSpec{}, experiment.ClockTestSpec{}} {
		untagged(t, reflect.TypeOf(spec))
	}
}

func untagged(t *testing.T, spec reflect.Type) {
	for i := range spec.NumField() {
		switch f := spec.Field(i); {
		case f.Tag.Get("flag") == "" && f.Type.Kind() == reflect.Struct:
			untagged(t, f.Type)
		case f.Tag.Get("flag") == "" || f.Tag.Get("flag")[0] != '-' && f.Tag.Get("help") == "":
			t.Errorf("%v.%s has no flag with a help, want one or the reason: flag:\"- REASON\"", spec, f.Name)
		}
	}
}

// TestArgs: the arguments of a specification are those that differ, and make it.
func TestArgs(t *testing.T) {
	usual := experiment.DefaultRun("fft")
	spec := usual
	spec.Gang, spec.Trace, spec.Job.DeviceUs, spec.Phases = true, "all", 80, []string{"start", "end"}
	args := Args(&spec, &usual)
	require.Equal(t, []string{"--trace", "--phases", "start,end", "--gang", "--device-latency", "80µs"}, args)
	again := usual
	var fs pflag.FlagSet
	Add(&fs, &again)
	require.NoError(t, fs.Parse(args))
	require.Equal(t, spec, again)
}
