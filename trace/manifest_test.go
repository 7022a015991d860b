package trace

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
)

func sampleManifest() Manifest {
	return Manifest{
		SchemaVersion: SchemaVersion, ToolVersion: "v0.1.0", Seed: 1<<64 - 1, Workload: "fft",
		Platform: Platform{Name: "shrimp", Digest: "sha256:00"}, Nodes: 8, Tags: []Program{{Tag: 1, Name: "fft"}},
		Spec: json.RawMessage(`{"size":"256K","note":"a<b"}`), Verified: true, SimulatedNs: 123, Packets: 5,
		FirmwarePackets: map[string]int64{"ack": 4, "clock-query": 1},
		Shares:          []Shares{{Node: 0, RunTimeNs: 100, ComputingNs: 60, PageWaitNs: 25, BarrierNs: 12}},
	}
}

func TestManifestRoundTrip(t *testing.T) {
	data, err := sampleManifest().Encode()
	require.NoError(t, err)
	require.Contains(t, string(data), `"a<b"`)
	m, err := DecodeManifest(data)
	require.NoError(t, err)
	again, err := m.Encode()
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.Equal(t, uint64(1<<64-1), m.Seed)
}

func TestManifestRefuses(t *testing.T) {
	data, err := sampleManifest().Encode()
	require.NoError(t, err)
	good := string(data)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "not a whole JSON document"},
		{"cut", good[:len(good)/2], "not a whole JSON document"},
		{"foreign", `{"name":"x"}`, "schema_version: missing"},
		{"newer, with keys unknown here", strings.Replace(good, `"schema_version": 1`, `"schema_version": 2, "more": 1`, 1), "schema version 2 is newer than 1"},
		{"zero", strings.Replace(good, `"schema_version": 1`, `"schema_version": 0`, 1), "schema version 0"},
		{"unknown key", strings.Replace(good, `"seed"`, `"sead"`, 1), `"sead"`},
		{"trailing", good + "{}", "not a whole JSON document"},
		{"no workload", strings.Replace(good, `"fft"`, `""`, 1), "workload: empty"},
		{"shares", strings.Replace(good, `"computing_ns": 60`, `"computing_ns": 50`, 1), "node 0: the shares sum to 87 ns, wanted the run time, 100 ns"},
		{"kind", strings.Replace(good, `"ack"`, `"data"`, 1), "firmware_packets: data: 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeManifest([]byte(c.text))
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "run.json")
		})
	}
}

// TestManifestDamage flips bits of a manifest, all of them in long tests.
func TestManifestDamage(t *testing.T) {
	data, err := sampleManifest().Encode()
	require.NoError(t, err)
	for i := range data {
		for bit := i % 8; bit < 8; bit += testlong.Pick(8, 1) {
			damaged := bytes.Clone(data)
			damaged[i] ^= 1 << bit
			_, err := DecodeManifest(damaged)
			require.Error(t, err, "bit %d of byte %d", bit, i)
		}
	}
}

// TestManifestExtremes puts extreme numbers in the place of each number, in manifests of
// earlier versions, which have no digest.
func TestManifestExtremes(t *testing.T) {
	m := sampleManifest()
	rows := int64(3)
	m.Files = []File{{Name: "a.arrow", Rows: &rows, Bytes: 7, SHA256: unsealed}}
	good := 0.5
	m.Clock = ClockQuality{"midpoint", 2, 3, &good, &good, &good, &good, &good}
	m.Events = 9
	data, err := m.Encode()
	require.NoError(t, err)
	old := regexp.MustCompile(`,\s*"manifest_sha256": "\w+"`).ReplaceAllString(string(data), "")
	_, err = DecodeManifest([]byte(old))
	require.NoError(t, err)
	number := regexp.MustCompile(`"(\w+)": (\d[\d.]*)`)
	found := number.FindAllStringSubmatchIndex(old, -1)
	require.Greater(t, len(found), 40)
	for _, at := range found {
		key := old[at[2]:at[3]]
		for _, extreme := range []string{"-1", "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e400", "2147483648.5"} {
			_, err := DecodeManifest([]byte(old[:at[4]] + extreme + old[at[5]:]))
			large := key == "seed" || strings.HasSuffix(key, "_error_ns") || key == "median_bound_ns" || key == "messages_per_hour"
			if !large || extreme[0] == '-' {
				require.Error(t, err, "%s: %s", key, extreme)
			}
		}
	}
}

func TestManifestEncodeChecks(t *testing.T) {
	m := sampleManifest()
	m.Spec = nil
	_, err := m.Encode()
	require.ErrorContains(t, err, "specification")
}

func FuzzDecodeManifest(f *testing.F) {
	data, err := sampleManifest().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeManifest(data)
		if err != nil {
			return
		}
		_, err = m.Encode()
		require.NoError(t, err)
	})
}
