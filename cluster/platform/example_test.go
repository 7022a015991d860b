package platform_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
)

// Add a platform: a profile is a TOML file, which specifications name by its path. This one
// is shrimp with an I/O bus of half the rate.
func ExampleLoad() {
	shrimp, err := platform.Load("shrimp")
	if err != nil {
		fmt.Println(err)
		return
	}
	text := strings.NewReplacer(`name = "shrimp"`, `name = "slow"`, "io_bus_mbps = 133.0", "io_bus_mbps = 66.5").Replace(shrimp.Text())
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "slow.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"shrimp", file} {
		spec := experiment.DefaultBandwidth()
		spec.Platforms, spec.Sizes = []string{name}, []int64{65536}
		results, err := experiment.Bandwidth(context.Background(), spec, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.1f MB/s\n", results[0].Platform, results[0].Points[0].MBps)
	}
	// Output:
	// shrimp: 80.2 MB/s
	// slow: 48.9 MB/s
}

// Add a layer: a type with the methods of comm.Spec, or a variant of one that there is. This
// one is Generic Active Messages with shorter packets for bulk transfers.
func ExampleAddLayer() {
	ppro, err := platform.Load("ppro")
	if err != nil {
		fmt.Println(err)
		return
	}
	short := *ppro.GAM
	short.Firmware.PacketBytes /= 4
	if err := platform.AddLayer("gam-short", "ppro", &short); err != nil {
		fmt.Println(err)
		return
	}
	spec := experiment.DefaultBandwidth()
	spec.Platforms, spec.Layers, spec.Sizes = []string{"ppro"}, []string{"gam", "gam-short"}, []int64{65536}
	results, err := experiment.Bandwidth(context.Background(), spec, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("%s: %.1f MB/s\n", r.Layer, r.Points[0].MBps)
	}
	// Output:
	// gam: 46.8 MB/s
	// gam-short: 39.4 MB/s
}
