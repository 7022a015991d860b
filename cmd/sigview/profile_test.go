package main

import "testing"

// BenchmarkRuns runs what users do most: its profile is that of make pgo.
func BenchmarkRuns(b *testing.B) {
	for b.Loop() {
		for _, args := range [][]string{
			{"stream", "--count", "200000"},
			{"alltoall", "--nodes", "64", "--message-size", "64", "--count", "30"},
			{"fft", "--nodes", "8", "--size", "256K"},
			{"radix", "--nodes", "8", "--size", "1M"},
			{"fft", "--nodes", "8", "--size", "64K", "--trace"},
			{"stream", "--platform", "cx5-roce", "--count", "200000"},
			{"alltoall", "--platform", "cx5-roce", "--nodes", "64", "--message-size", "64", "--count", "30"},
		} {
			a, _, stderr := realApp()
			args = append([]string{"run", "--quiet", "-o", b.TempDir()}, args...)
			if a.run(b.Context(), args) != exitPass {
				b.Fatal(stderr)
			}
		}
	}
}
