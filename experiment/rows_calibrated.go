package experiment

// calibratedRows says which rows set a parameter of a platform profile or of
// an experiment. They are measured where a live cluster shows them, and prove
// nothing.
func calibratedRows() map[string]string {
	return map[string]string{
		"sh-nodes":       "nodes",
		"sh-cpu":         "host.clock_mhz",
		"sh-l2":          "host.l2_kb",
		"sh-lanai":       "ni.clock_hz",
		"sh-sram":        "ni.sram_bytes",
		"sh-irq":         "the host.interrupt costs, which lie in its range",
		"sh-dma-small":   "host.pio_read_ns, together with the number of words",
		"sh-dma-vs-pio":  "host.pio_read_ns, together with the time of a small DMA",
		"sh-pioread-d":   "host.pio_read_ns",
		"sh-clk-1s":      "the rates of the reference oscillators",
		"sh-clk-drift-d": "the rates of the reference oscillators",
		"sh-rtt2-add":    "monitor.cycles.strip_header and convert",
		"sh-bw-sizes":    "the sizes of the perturbation experiment",
		"sh-fft-n":       "the size of the FFT",
		"sh-radix-n":     "the number of keys of RADIX",

		"us-cpu":           "host.clock_mhz",
		"us-l2":            "host.l2_kb",
		"us-sram":          "ni.sram_bytes",
		"us-lanai-clk":     "ni.clock_hz",
		"us-lanai-bit":     "ni.net_dma_mbps",
		"us-ebus":          "ni.sram_bus_mbps",
		"us-dmaeng":        "the engines of the card",
		"us-pcibw":         "host.io_bus_mbps",
		"us-pciw":          "the word of programmed I/O",
		"us-pciclk":        "host.io_bus_mbps, together with the width",
		"us-link":          "network.link_mbps",
		"us-switch":        "network.switch_ns",
		"us-ber":           "no errors unless a fault is asked for",
		"us-vmmc-lat":      "vmmc.host.send_us and the vmmc.firmware cycles",
		"us-vmmc-bw-d":     "vmmc.firmware.next_packet",
		"us-knee-vmmc-lat": "vmmc.inline_bytes",
		"us-bip-lat4":      "bip.host and the bip.firmware cycles",
		"us-fm-lat":        "fm.host and the fm.firmware cycles",
		"us-pm-lat":        "pm.host and the pm.firmware cycles",
		"us-am-lat":        "gam.host and the gam.firmware cycles",
		"us-range-lat":     "nothing by itself: it follows from the five latencies, which set the layers' costs",
		"us-prot-cost":     "nothing by itself: it follows from the latencies of BIP, FM and PM, which set their costs",
		"us-order-lat":     "nothing by itself: it follows from the five latencies, which set the layers' costs",
		"us-inverse":       "nothing by itself: it follows from the five latencies, which set the layers' costs",
		"us-range-copy":    "fm.host.packet_us",
		"us-fig2-dmamax":   "ni.host_dma_to_ni_mbps",
		"us-fig2-n2h":      "ni.host_dma_to_host_mbps",
		"us-smallrange":    "bip.long_bytes, vmmc.inline_bytes and gam.inline_bytes, which lie in its range",
	}
}
