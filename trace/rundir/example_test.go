package rundir_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Read a run: its signature, its story, and its packets batch by batch.
func ExampleReadRun() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	dir := filepath.Join(folder, "run")
	if err := write(dir); err != nil {
		fmt.Println(err)
		return
	}

	run, err := rundir.ReadRun(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	diagnosis := analysis.Diagnose(analysis.Of(run), analysis.FactsOf(run))
	fmt.Println(diagnosis.Story(run.Manifest.Program))
	packets, longest := 0, int64(0)
	err = rundir.Scan(dir, func(rows []trace.PacketRow) error {
		for _, r := range rows {
			packets++
			longest = max(longest, r.DestNs.Value)
		}
		return nil
	})
	fmt.Printf("%d packets, the longest Dest is %d ns, error %v\n", packets, longest, err)
	// Output:
	// Small packets wait: Source 29 µs (idle 6.1), Dest 18 (4.5), Net 8.8 (4.8), LANai 4.4 (1.4)
	// 425 packets, the longest Dest is 76334 ns, error <nil>
}

// write makes a run, as sigview run --trace -o does.
func write(dir string) error {
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size, spec.Trace = 4, 4096, experiment.TraceAll
	run, err := experiment.Run(context.Background(), spec, nil)
	if err != nil {
		return err
	}
	return rundir.WriteRun(context.Background(), dir, *run)
}
