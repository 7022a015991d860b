package ablate

import (
	"fmt"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// doubled has for each resource the numbers of a profile that make it twice as fast, or
// twice as many.
var doubled = map[trace.Resource]string{
	trace.CPU: `host.clock_mhz = "*2"
host.flop_ns = "/2"
host.int_ns = "/2"
host.load_ns = "/2"
host.store_ns = "/2"
host.copy_cached_mbps = "*2"
host.interrupt_entry_us = "/2"
host.interrupt_return_us = "/2"
`,
	trace.MemBus: `host.mem_bus_mbps = "*2"
host.mem_read_mbps = "*2"
host.mem_write_mbps = "*2"
host.copy_uncached_mbps = "*2"
`,
	trace.PCI: `host.io_bus_mbps = "*2"
host.io_setup_ns = "/2"
host.pio_write_ns = "/2"
host.pio_line_ns = "/2"
host.pio_read_ns = "/2"
`,
	trace.HDMA: `ni.host_dma_setup_us = "/2"
ni.host_dma_jitter_us = "/2"
ni.host_dma_to_ni_mbps = "*2"
ni.host_dma_to_host_mbps = "*2"
`,
	trace.SRAM:      `ni.sram_bus_mbps = "*2"` + "\n",
	trace.Processor: `ni.clock_hz = "*2"` + "\n",
	trace.SDMA:      `ni.net_dma_mbps = "*2"` + "\n",
	trace.Ports:     `network.link_mbps = "*2"` + "\n",
}

// twice returns the change that makes a part twice as fast on a layer.
func twice(p why.Part, at platform.Place) platform.Overlay {
	text := "[x]\n"
	for _, r := range p {
		switch r {
		case trace.Slots:
			text += slots(at, at.Layer) + " = \"*2\"\n"
		case trace.PCI:
			text += doubled[r] + blocks(at)
		case trace.Ports:
			text += doubled[r] + buffers(at)
		default:
			text += doubled[r]
		}
	}
	o := platform.MustOverlays("twice as fast", []byte(text)).Of("x")
	o.Name = p.Name() + " twice as fast"
	return o
}

// blocks are the fields of the I/O bus that not every profile has.
func blocks(at platform.Place) (text string) {
	if at.Host.IORead != nil {
		text += "host.io_read.setup_ns = \"/2\"\n"
	}
	if at.Host.PCIe != nil {
		text += "host.pcie.lanes = \"*2\"\nhost.pcie.write_ns = \"/2\"\nhost.pcie.read_ns = \"/2\"\n"
	}
	if at.Host.MMX != nil {
		text += "host.mmx.block_ns = \"/2\"\n"
	}
	if at.Host.SSE != nil {
		text += "host.sse.block_ns = \"/2\"\n"
	}
	return text
}

// buffers are the fields of buffers in the network: a link that is twice as fast holds twice as many
// bytes, and they have to take them.
func buffers(at platform.Place) (text string) {
	double := func(fields ...string) {
		for _, f := range fields {
			text += "network." + f + " = \"*2\"\n"
		}
	}
	switch b := at.Network.Buffer; {
	case b == nil:
		double("slack_bytes", "stop_bytes", "go_bytes")
	case b.Control == fabric.Credits:
		double("buffer.input_bytes")
	case b.Control == fabric.PFC:
		double("buffer.switch_bytes", "buffer.headroom_bytes")
	default:
		double("buffer.switch_bytes")
	}
	return text
}

// slots returns the field of a profile that holds a layer's number of send slots.
func slots(at platform.Place, layer string) string {
	switch layer {
	case "vmmc":
		return "vmmc.send_slots"
	case "grim":
		return "grim.scoreboard"
	case "verbs":
		return "verbs.send_packets"
	case "mpi":
		return slots(at, at.MPI.Over)
	}
	return fmt.Sprintf("%s.firmware.send_packets", layer)
}
