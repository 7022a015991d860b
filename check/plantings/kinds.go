package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// kind is a kind of cause. A finding names it if it is about its place and has one of its resources, or if one of its
// words is in what it calls the cause or who is to blame. The table is made before any result is looked at.
type kind struct {
	name                string
	platforms, programs []string
	prepare             func(*experiment.RunSpec) // the run without the planting as well; nil: nothing
	plant               func(c *Case, d draw, tookUs float64)
	resources, words    []string
}

// kinds are all kinds: of the machine, of faults, of settings of cards and of programs.
func kinds() []kind { return slices.Concat(slower, faults, settings, uneven) }

// others are words for the wait for a process that has more to do, or does it more slowly.
var others = []string{"late", "imbalance", "convoy", "comput"}

// slower are parts of a node that are slower than those of others.
var slower = []kind{
	{"slow processor", both, all, nil, slow("host", "flop_ns", "*", "int_ns", "*", "load_ns", "*", "store_ns", "*", "clock_mhz", "/", "copy_cached_mbps", "/"),
		[]string{"cpu"}, others},
	{"slow memory", both, all, nil, slow("host", "mem_bus_mbps", "/", "mem_read_mbps", "/", "mem_write_mbps", "/", "copy_uncached_mbps", "/"),
		[]string{"memory_bus", "cpu"}, append([]string{"memory"}, others...)},
	{"slow I/O bus", old, all, nil, slow("host", "io_bus_mbps", "/"), []string{"io_bus", "host_dma"}, []string{"i/o bus"}},
	{"narrow PCIe", late, all, nil, slow("host.pcie", "lanes", "/"), []string{"io_bus", "host_dma"}, []string{"pci", "i/o bus"}},
	{"slow host DMA", old, all, nil, slow("ni", "host_dma_to_ni_mbps", "/", "host_dma_to_host_mbps", "/", "host_dma_setup_us", "*"),
		[]string{"host_dma", "io_bus"}, []string{"dma"}},
	{"slow interface processor", old, all, nil, slow("ni", "clock_hz", "/"), []string{"interface_processor"}, []string{"firmware"}},
	{"slow card", late, messages, nil, slow("verbs.card", "entry_ns", "*", "packet_ns", "*", "receive_ns", "*", "pipeline_ns", "*"),
		[]string{"interface_processor"}, []string{"card", "interface", "pipeline"}},
	{"slow send engine", old, all, nil, slow("ni", "net_dma_mbps", "/"), []string{"s_engine", "port"}, []string{"send engine", "link"}},
	{"slow link", both, all, nil, link("link_mbps", 1, 0), []string{"port", "s_engine"}, []string{"link", "port"}},
	{"long link", both, all, nil, link("wire_ns", 0, 1), []string{"port"}, []string{"link", "wire", "latency", "flight", "way"}},
	{"slow interrupts", both, memory, nil, slow("host", "interrupt_delivery_us", "*", "interrupt_entry_us", "*", "interrupt_return_us", "*"),
		[]string{"cpu"}, append([]string{"interrupt", "notice"}, others...)},
	{"slow device", both, []string{"blocks"}, nil, func(c *Case, d draw, _ float64) {
		c.node, c.spec.Job.DeviceUs = 0, d.between(1.5, 8)*c.spec.Job.DeviceUs
		c.what = []string{fmt.Sprintf("device of %v µs instead of %v", c.spec.Job.DeviceUs, c.base.Job.DeviceUs)}
	}, nil, []string{"device", "disk", "storage", "late"}},
	{"slow transfers of a device", both, []string{"blocks"}, nil, func(c *Case, d draw, _ float64) {
		c.node, c.spec.Job.DeviceMBps = 0, d.between(20, 500)
		c.what = []string{fmt.Sprintf("device of %v MB/s instead of 3000", c.spec.Job.DeviceMBps)}
	}, nil, []string{"device", "disk", "storage", "late"}},
}

// lost are words for packets that have to be sent again.
var lost = []string{"lost", "loss", "timeout", "again", "retransmi"}

// faults begin in the middle of a run, or are random.
var faults = []kind{
	{"stall", both, all, nil, func(c *Case, d draw, tookUs float64) { c.spec.Faults.Stalls = c.sometime(d, tookUs, 1) },
		[]string{"receive_ring"}, []string{"no packets", "stall", "stop", "pause", "refus", "room"}},
	{"outage", both, all, nil, func(c *Case, d draw, tookUs float64) { c.spec.Faults.Outages = c.sometime(d, tookUs, 0.3) },
		[]string{"timer"}, append([]string{"down", "outage"}, lost...)},
	{"pause storm", pfc, all, nil, func(c *Case, d draw, tookUs float64) { c.spec.Faults.Storms = c.sometime(d, tookUs, 1) },
		[]string{"port", "s_engine"}, []string{"pause", "storm", "halt"}},
	{"lossy link", both, all, nil, func(c *Case, d draw, _ float64) {
		share := d.between(0.001, 0.1)
		c.spec.Faults.Losses = []fabric.Loss{{Node: c.node, Share: share}}
		c.what = []string{fmt.Sprintf("%.2g %% of the packets of node %d are lost", 100*share, c.node)}
	}, []string{"timer"}, lost},
	{"bit errors", both, all, nil, func(c *Case, d draw, _ float64) {
		c.node, c.spec.Faults.ErrorPerByte = -1, d.between(1e-7, 3e-5)
		c.what = []string{"bit errors on all links"}
	}, []string{"timer"}, append([]string{"error", "damage", "crc"}, lost...)},
}

// planted returns an overlay of lines of a profile, and notes them.
func (c *Case) planted(where string, lines ...string) platform.Overlay {
	c.what = append(c.what, where+": "+strings.Join(lines, ", "))
	all, err := platform.ParseOverlays("planted", []byte("[planted]\n"+strings.Join(lines, "\n")+"\n"))
	if err != nil {
		panic("plantings: " + err.Error())
	}
	return all.Of("planted")
}

// at changes the case's node.
func (c *Case) at(lines ...string) {
	c.spec.Others = map[int]platform.Overlay{c.node: c.planted(fmt.Sprintf("node %d", c.node), lines...)}
}

// slow makes fields of a section of a node's profile greater (*) or smaller (/), all by the same factor.
func slow(section string, fields ...string) func(*Case, draw, float64) {
	return func(c *Case, d draw, _ float64) {
		by := d.between(1.3, 16)
		var lines []string
		for i := 0; i < len(fields); i += 2 {
			lines = append(lines, fmt.Sprintf(`%s.%s = "%s%v"`, section, fields[i], fields[i+1], by))
		}
		c.at(lines...)
	}
}

// link makes the link into a node slower or longer, each by a factor if its flag is 1.
func link(field string, slower, longer float64) func(*Case, draw, float64) {
	return func(c *Case, d draw, tookUs float64) {
		p, err := platform.Load(c.spec.Platform)
		if err != nil {
			panic("plantings: " + err.Error())
		}
		rate, _ := p.Network.LinkRate.In("mbps")
		rate /= 1 + slower*(d.between(1.3, 16)-1)
		wire := p.Network.WireDelay.Us()*1000 + longer*d.between(1, 0.02*tookUs)*1000
		c.change = c.planted("the link into", fmt.Sprintf("network.inward = [{node = %d, link_mbps = %f, wire_ns = %f}]", c.node, rate, wire))
	}
}

// sometime returns a time of the case's node within the run, at most a share of the run long.
func (c *Case) sometime(d draw, tookUs, most float64) []fabric.Stall {
	from, long := d.between(0.05, 0.7)*tookUs, d.between(0.03, most)*tookUs
	c.what = []string{fmt.Sprintf("node %d from %.0f µs for %.0f µs", c.node, from, long)}
	return []fabric.Stall{{Node: c.node, At: sim.Time(from * float64(sim.Microsecond)), For: sim.Duration(long * float64(sim.Microsecond))}}
}
