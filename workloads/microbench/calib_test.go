package microbench

import (
	"fmt"
	"testing"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/trace"
)

func clusterOf(t testing.TB, name string, b monitor.Build, nodes int) *cluster.Cluster {
	p, err := platform.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.New(cluster.Spec{Profile: p, Nodes: nodes, Seed: 1, Build: b, Tags: 1, Kinds: []trace.Kind{trace.Data}, Estimator: "filtered", Oscillators: "reference"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Warm(); err != nil {
		t.Fatal(err)
	}
	c.Record()
	return c
}

func TestCalib(t *testing.T) {
	for _, name := range []string{"ppro", "shrimp"} {
		for _, n := range []int{4, 32, 64, 68, 128, 256, 512, 1024, 4096, 65536, 1 << 20} {
			var lat, bw, os, sim [2]float64
			for k, b := range []monitor.Build{monitor.Off, monitor.Full} {
				c := clusterOf(t, name, b, 2)
				p, err := NewPair(c, 0, 1, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				r, err := p.PingPong(n, 50)
				if err != nil {
					t.Fatal(err)
				}
				lat[k] = r.OneWay().Us()
				m := max(20, min(400, 1<<22/n))
				s, err := p.Stream(n, m)
				if err != nil {
					t.Fatal(err)
				}
				bw[k], os[k] = s.BytesPerSecond()/1e6, s.Overhead.Us()
				x, err := p.Simultaneous(n, m)
				if err != nil {
					t.Fatal(err)
				}
				sim[k] = (x[0].BytesPerSecond() + x[1].BytesPerSecond()) / 1e6
			}
			fmt.Printf("%-7s %8d  lat %7.2f +%5.2f  bw %7.2f %6.2f%%  os %5.2f +%5.2f  sim %7.2f %6.2f%% T %.2f\n", name, n, lat[0], lat[1]-lat[0], bw[0], 100*(1-bw[1]/bw[0]), os[0], os[1]-os[0], sim[0], 100*(1-sim[1]/sim[0]), float64(n)/bw[0])
		}
	}
}
