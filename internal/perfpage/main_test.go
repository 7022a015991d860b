package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const output = `goos: linux
goarch: amd64
pkg: github.com/sigview/sigview/sim
cpu: Example CPU @ 2.00GHz
BenchmarkQueue/pending=1-2         	71234567	        18.04 ns/op	       0 B/op	       0 allocs/op
BenchmarkQueue/pending=1000-2
BenchmarkStream-2                  	       1	1234567890 ns/op	    612345 packets/s	       12 allocs/op
PASS
ok  	github.com/sigview/sigview/sim	3.2s
`

func TestTableIsFilledAndTextStays(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# Speed\n"+begin+"\nold\n"+end+"\nWords.\n"), 0o644))
	for range 2 {
		require.NoError(t, rewrite(page, strings.NewReader(output)))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "# Speed\n"+begin+`
Measured on one core of: Example CPU @ 2.00GHz.

| package | benchmark | ns/op | M/s | allocs/op | other |
|---|---|---:|---:|---:|---|
| sim | Queue/pending=1 | 18 | 55.4 | 0 |  |
| sim | Stream | 1230000000 |  | 12 | 612000 packets/s |
`+end+"\nWords.\n", string(got))
}

func TestNothingMeasuredIsAFailure(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "no benchmark",
		"PASS\n":                     "no benchmark",
		output + "FAIL\n":            "the benchmarks failed",
		output + "panic: deadlock\n": "the benchmarks failed: panic: deadlock",
		"BenchmarkX-2 1 fast ns/op":  `"fast" is no number`,
	} {
		_, err := parse(strings.NewReader(in))
		require.ErrorContains(t, err, want)
	}
	_, err := insert("no markers", "")
	require.ErrorContains(t, err, "no table to fill")
}
