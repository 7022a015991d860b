package trace

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResources(t *testing.T) {
	require.Equal(t, []string{"cpu", "membus", "pci", "hdma", "sram", "lanai", "slots", "sdma", "ports"}, CPU.Words().Names())
	all := Resources()
	for _, r := range all {
		require.NoError(t, r.Check())
		require.NotEqual(t, string(r), Noun(r), "a name for sentences")
		require.NotEmpty(t, WhenFree(r))
	}
	require.Equal(t, "disk", Noun("disk"))
	for _, s := range Stages() {
		in := InPath(s, nil)
		require.NotEmpty(t, in)
		require.NotContains(t, in, CPU, "a packet's stages begin and end at the interface")
		require.Empty(t, InPath(s, all))
		require.Equal(t, in[1:], InPath(s, in[:1]))
	}
}

func TestUncontended(t *testing.T) {
	for spec, want := range map[string][]Resource{
		`{"uncontended":["pci","hdma"]}`: {PCI, HDMA}, `{"uncontended":null}`: nil, `{}`: nil, `{"uncontended":["disk"]}`: nil, ``: nil,
	} {
		require.Equal(t, want, Manifest{Spec: []byte(spec)}.Uncontended(), spec)
	}
}

func TestGrades(t *testing.T) {
	require.Less(t, Seen, Attributed)
	require.Less(t, Attributed, Tested)
	var g Grade
	require.NoError(t, json.Unmarshal([]byte(`"tested"`), &g))
	require.Equal(t, Tested, g)
	text, err := json.Marshal(Attributed)
	require.NoError(t, err)
	require.Equal(t, `"attributed"`, string(text))
	require.ErrorContains(t, json.Unmarshal([]byte(`"certain"`), &g), "known: seen, attributed, tested")
}
