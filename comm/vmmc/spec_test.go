package vmmc_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
)

// TestSpecRefuses: every number has limits, and the error names field, value
// and what is wanted.
func TestSpecRefuses(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	spec := p.VMMC
	require.NoError(t, spec.Validate())
	count := 0
	var visit func(v reflect.Value, path string)
	visit = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			name := path + v.Type().Field(i).Tag.Get("toml")
			f := v.Field(i)
			if f.Kind() == reflect.Struct {
				visit(f, name+".")
				continue
			}
			count++
			old := reflect.ValueOf(f.Interface())
			for _, bad := range []int64{-1, 1 << 40} {
				if f.Kind() == reflect.Float64 {
					f.SetFloat(float64(bad))
				} else {
					f.SetInt(bad)
				}
				err := spec.Validate()
				require.ErrorContains(t, err, name+" is ")
				require.ErrorContains(t, err, ", want ")
			}
			f.Set(old)
		}
	}
	visit(reflect.ValueOf(&spec).Elem(), "vmmc.")
	require.Equal(t, 28, count)
	spec.InlineBytes = 65
	require.ErrorContains(t, spec.Validate(), "vmmc.inline_bytes is 65, want 0 to 64")
	spec = p.VMMC
	spec.Window = spec.SendBuffers + 1
	require.ErrorContains(t, spec.Validate(), "vmmc.window is 65, want 1 to 64")
}

// TestDoesNotFit: what a card cannot hold is an error at construction.
func TestDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		change func(*platform.Profile)
		want   string
	}{
		{func(p *platform.Profile) { p.VMMC.SendBuffers = 200 }, "vmmc on node 0: the interface's SRAM has"},
		{func(p *platform.Profile) { p.VMMC.SendBuffers = 200 }, "receive ring"}, // the table
		{func(p *platform.Profile) { p.NI.BufferBytes = 4100 }, "want them to fit into ni.buffer_bytes, 4100 B"},
		{func(p *platform.Profile) { p.NI.RequestBytes = 80 }, "want them to fit into ni.request_bytes, 80 B"},
		{func(p *platform.Profile) { p.VMMC.Window = 0 }, "vmmc.window is 0"},
	} {
		p, err := platform.Load("shrimp")
		require.NoError(t, err)
		c.change(p)
		_, err = cluster.New(cluster.Spec{Profile: p, Nodes: 2, Build: monitor.Off, Oscillators: "reference"})
		require.ErrorContains(t, err, c.want)
	}
}
