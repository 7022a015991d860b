package comm_test

import (
	"cmp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

type place struct{ layer, on string }

// layers are all layers, each on ppro or on the platform that it is given here, and MPI also over TCP.
var layers = func() []place {
	on := map[string]string{
		"datagram": "linux-udp", "gm": "gm-p3", "grim": "grim-p3-lanai4", "lfc": "das-myrinet", "mpi": "das-myrinet", "rpc": "sun-rpc", "tcp": "das-wan",
		"trapeze": "trapeze-p3", "verbs": "cx5-roce",
	}
	all := []place{{"mpi", "das-wan"}}
	for _, layer := range platform.AllLayers() {
		all = append(all, place{layer, cmp.Or(on[layer], "ppro")})
	}
	return all
}()

// pair returns two nodes without a monitor.
func pair(tb testing.TB, on, layer string) *cluster.Cluster {
	tb.Helper()
	p, err := platform.Load(on)
	require.NoError(tb, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Layer: layer, Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}, Tags: 1, Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(tb, err)
	tb.Cleanup(c.Engine.Close)
	return c
}

// programs are what a layer is driven with, n operations of it.
var programs = []struct {
	name string
	run  func(tb testing.TB, c *cluster.Cluster) func(n int) error
}{
	{"pingpong64B", func(tb testing.TB, c *cluster.Cluster) func(int) error { // an operation is a round trip
		p := messages(tb, c, 64)
		return func(n int) error { _, err := p.PingPong(64, n); return err }
	}},
	{"stream8KB", func(tb testing.TB, c *cluster.Cluster) func(int) error { // a message
		p := messages(tb, c, 8<<10)
		return func(n int) error { _, err := p.Stream(8<<10, max(3, n)); return err }
	}},
	{"request", requests}, // a request and its reply
}

func messages(tb testing.TB, c *cluster.Cluster, most int) *microbench.Pair {
	p, err := c.Pair(0, 1, most)
	require.NoError(tb, err)
	return p
}

// requests returns nil for a layer that has none. Every fourth request is a
// store, every fourth a get.
func requests(tb testing.TB, c *cluster.Cluster) func(int) error {
	procs, err := c.Processes(0, 1024)
	require.NoError(tb, err)
	from, ok := procs[0].Endpoint.(comm.Requester)
	if !ok {
		return nil
	}
	to := procs[1].Endpoint.(comm.Requester)
	here, there := procs[0].Space.Alloc(1024), procs[1].Space.Alloc(1024)
	served := 0
	to.Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 { served++; return q.Args })
	return func(n int) error {
		end := served + n
		var failed error
		err := c.Run(func(x *host.Context) {
			args := [4]uint32{1, 2, 3, 4}
			for i := 0; i < n && failed == nil; i++ {
				switch i % 4 {
				case 1:
					failed = from.Store(x, 1, here, there, 1024, 1, args)
				case 3:
					failed = from.Get(x, 1, there, here, 1024, 1, args)
				default:
					failed = from.Request(x, 1, 1, args)
				}
			}
			for from.Outstanding() > 0 && failed == nil {
				from.Wait(x)
			}
		}, func(x *host.Context) {
			for served < end {
				to.Wait(x)
			}
		})
		if failed != nil {
			return failed
		}
		return err
	}
}

func BenchmarkLayers(b *testing.B) {
	for _, l := range layers {
		for _, p := range programs {
			b.Run(l.layer+" on "+l.on+"/"+p.name, func(b *testing.B) {
				c := pair(b, l.on, l.layer)
				run := p.run(b, c)
				if run == nil {
					b.Skip("has no requests")
				}
				require.NoError(b, run(1000)) // until buffers and queues have grown
				b.ReportAllocs()
				events := c.Engine.Events()
				b.ResetTimer()
				err := run(b.N)
				b.StopTimer()
				require.NoError(b, err)
				b.ReportMetric(float64(c.Engine.Events()-events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
			})
		}
	}
}

// TestNoAllocation: once buffers and queues have grown, messages and requests
// allocate nothing, in library, firmware, interface and network.
func TestNoAllocation(t *testing.T) {
	const n = 400
	for _, l := range layers {
		for _, p := range programs {
			t.Run(l.layer+" on "+l.on+"/"+p.name, func(t *testing.T) {
				run := p.run(t, pair(t, l.on, l.layer))
				if run == nil {
					t.Skip("has no requests")
				}
				require.NoError(t, run(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				require.NoError(t, run(n))
				runtime.ReadMemStats(&after)
				require.Less(t, after.Mallocs-before.Mallocs, uint64(n/4), "allocations in %d operations", n)
			})
		}
	}
}
