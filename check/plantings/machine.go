package main

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim/fabric"
)

// kinds are all kinds: of the machine, of faults, of settings of cards and of programs.
func kinds() []kind { return slices.Concat(slower, faults, settings, uneven) }

// slower are parts of a node that are slower than those of others.
var slower = []kind{
	{"slow processor", both, all, nil, slow("host", "flop_ns", "*", "int_ns", "*", "load_ns", "*", "store_ns", "*", "clock_mhz", "/", "copy_cached_mbps", "/"),
		[]string{"cpu"}, others},
	{"slow memory", both, all, nil, slow("host", "mem_bus_mbps", "/", "mem_read_mbps", "/", "mem_write_mbps", "/", "copy_uncached_mbps", "/"),
		[]string{"memory_bus", "cpu"}, append([]string{"memory"}, others...)},
	{"slow I/O bus", old, all, nil, slow("host", "io_bus_mbps", "/"), []string{"io_bus", "host_dma"}, []string{"i/o bus"}},
	{"narrow PCIe", late, all, nil, func(c *Case, d draw, _ float64) {
		c.at(fmt.Sprintf("host.pcie.lanes = %d", 1<<d.IntN(3)), "host.pcie.generation = 1")
	}, []string{"io_bus", "host_dma"}, []string{"pci", "i/o bus"}},
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
		c.node, c.spec.Job.DeviceUs = 0, short(d.between(1.5, 8)*c.spec.Job.DeviceUs)
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
