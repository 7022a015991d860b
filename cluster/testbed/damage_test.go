package testbed

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// The targets, one per layer: whatever the headers of packets say, control program and library
// neither panic nor send without end.

func FuzzAMII(f *testing.F)     { fuzzHeaders(f, "ppro", "amii") }
func FuzzBIP(f *testing.F)      { fuzzHeaders(f, "ppro", "bip") }
func FuzzDatagram(f *testing.F) { fuzzHeaders(f, "linux-udp", "datagram") }
func FuzzFM(f *testing.F)       { fuzzHeaders(f, "ppro", "fm") }
func FuzzGAM(f *testing.F)      { fuzzHeaders(f, "ppro", "gam") }
func FuzzGM(f *testing.F)       { fuzzHeaders(f, "gm-p3", "gm") }
func FuzzGRIM(f *testing.F)     { fuzzHeaders(f, "grim-p3-lanai4", "grim") }
func FuzzLFC(f *testing.F)      { fuzzHeaders(f, "das-myrinet", "lfc") }
func FuzzMPI(f *testing.F)      { fuzzHeaders(f, "ppro", "mpi") }
func FuzzPM(f *testing.F)       { fuzzHeaders(f, "ppro", "pm") }
func FuzzRPC(f *testing.F)      { fuzzHeaders(f, "sun-rpc", "rpc") }
func FuzzTCP(f *testing.F)      { fuzzHeaders(f, "das-wan", "tcp") }
func FuzzTrapeze(f *testing.F)  { fuzzHeaders(f, "trapeze-p3", "trapeze") }
func FuzzVerbs(f *testing.F)    { fuzzHeaders(f, "cx5-roce", "verbs") }
func FuzzVMMC(f *testing.F)     { fuzzHeaders(f, "shrimp", "vmmc") }

func fuzzHeaders(f *testing.F, platform, layer string) {
	d, err := newDamaged(platform, layer)
	require.NoError(f, err)
	for _, s := range firstScripts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 64 {
			return // sixteen changes are enough
		}
		require.NoError(t, d.Run(script))
	})
}

// TestEveryLayerIsFuzzed: a layer that is added needs a target.
func TestEveryLayerIsFuzzed(t *testing.T) {
	text, err := os.ReadFile("damage_test.go")
	require.NoError(t, err)
	for _, layer := range platform.AllLayers() {
		switch layer {
		case "fm21": // FM with two processes
		default:
			require.True(t, strings.Contains(string(text), `", "`+layer+`")`),
				"no target for layer %s: want func Fuzz%s(f *testing.F) { fuzzHeaders(f, PLATFORM, %q) } in damage_test.go", layer, strings.ToUpper(layer), layer)
		}
	}
}

// TestScriptsChangeHeaders: of the second packet, one bit, and no packet is dropped.
func TestScriptsChangeHeaders(t *testing.T) {
	take := follow([]byte{1, uint8(binary.Size(trace.Meta{})), 4, 0})
	for _, want := range []fabric.Header{{Op: 1}, {Op: 5}, {Op: 1}} {
		p := fabric.Packet{Header: fabric.Header{Op: 1}}
		require.False(t, take(&p))
		require.Equal(t, want, p.Header)
	}
}

func TestEndlessPacketsAreReported(t *testing.T) {
	d, err := newDamaged("ppro", "fm")
	require.NoError(t, err)
	require.NoError(t, d.Run(nil))
	d.events = 10
	require.ErrorContains(t, d.Run(nil), "more than 10 events")
}
