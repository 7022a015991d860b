package experiment

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// Changes of the pair's platform, each of which takes one mechanism away.
const (
	postedLate  change = "BIP's messages by programmed I/O up to 512 B"
	allByDMA    change = "GAM's data always by DMA"
	hugeCache   change = "a second-level cache of 64 MB"
	wholeFirst  change = "FM's packets of 8 KB, so that handlers wait for the whole message"
	stores      change = "stores that are not combined"
	notAtOnce   change = "PM's packets fetched before they are sent"
	manyAtOnce  change = "VMMC-2 with eight messages in progress"
	moreAtOnce  change = "VMMC-2 with sixteen messages in progress"
	slowCopies  change = "copies at four fifths of their rate"
	slowFetch   change = "programmed I/O and DMA to the interface at four fifths of their rate"
	slowWire    change = "network engines and links at four fifths of their rate"
	slowDeposit change = "DMA to the host at four fifths of its rate"
	// As above, for PM, whose fetch is hidden behind its sending.
	notAtOnceSlowFetch change = "PM's packets fetched before they are sent, at four fifths of the rate"
	doubleCycles       change = "control programs that take twice the cycles"
	equalWays          change = "DMA to the host as fast as from it"
	fastLoads          change = "loads that need no round trip of the bus"
	dearDMA            change = "DMA that takes ten times as long to start"
	fastCopies         change = "copies and stores as fast as DMA"
	onePiece           change = "BIP's messages in one piece"
	plainSending       change = "stores that are not combined, packets fetched before they are sent"
)

// slowed is the part of its rate that a slowed stage keeps.
const slowed = 0.8

func pairChanges() changes {
	fetch := func(p *platform.Profile) {
		scale(&p.Host.PIOWrite, 1/slowed)
		scale(&p.Host.PIOLine, 1/slowed)
		p.NI.HostDMAToNIMBps *= slowed
	}
	whole := func(p *platform.Profile) { p.PM.Firmware.CutThrough = false }
	separate := func(p *platform.Profile) {
		p.Host.PIOLine = sim.Duration(p.Host.CacheLine/host.WordBytes) * p.Host.PIOWrite
	}
	return changes{
		postedLate: func(p *platform.Profile) {
			p.BIP.LongBytes = 512
			p.BIP.Firmware.RequestBytes = 544
		},
		allByDMA:  func(p *platform.Profile) { p.GAM.InlineBytes = 0 },
		hugeCache: func(p *platform.Profile) { p.Host.L2KB = 64 << 10 },
		wholeFirst: func(p *platform.Profile) {
			p.FM.Firmware.PacketBytes = 8192
			p.FM.Firmware.RequestBytes = 8192 + 32
			p.FM.Firmware.RequestSlots = 8
			p.FM.Firmware.ReceiveBuffers = 8
			p.FM.RegionBytes = 8 * 32768
		},
		stores:     separate,
		notAtOnce:  whole,
		moreAtOnce: func(p *platform.Profile) { p.VMMC.SendSlots = 16 },
		manyAtOnce: func(p *platform.Profile) { p.VMMC.SendSlots = 8 },
		slowCopies: func(p *platform.Profile) {
			scale(&p.Host.CopyHit, slowed)
			scale(&p.Host.CopyMiss, slowed)
		},
		slowFetch: fetch,
		slowWire: func(p *platform.Profile) {
			p.NI.NetDMAMBps *= slowed
			scale(&p.Network.LinkRate, slowed)
		},
		slowDeposit:        func(p *platform.Profile) { p.NI.HostDMAToHostMBps *= slowed },
		notAtOnceSlowFetch: func(p *platform.Profile) { whole(p); fetch(p) },
		doubleCycles:       func(p *platform.Profile) { p.NI.ClockHz /= 2 },
		equalWays:          func(p *platform.Profile) { p.NI.HostDMAToHostMBps = p.NI.HostDMAToNIMBps },
		fastLoads:          func(p *platform.Profile) { p.Host.PIORead = p.Host.PIOWrite / 2 },
		onePiece:           func(p *platform.Profile) { p.BIP.FragmentUs = 1000 },
		plainSending:       func(p *platform.Profile) { separate(p); whole(p) },
		fastCopies: func(p *platform.Profile) {
			p.Host.CopyHit, p.Host.CopyMiss, p.Host.MemBus = sim.MBps(5000), sim.MBps(5000), sim.MBps(5000)
			p.Host.MemRead, p.Host.MemWrite, p.Host.PIOLine = sim.MBps(5000), sim.MBps(5000), 240*sim.Nanosecond
		},
		dearDMA: func(p *platform.Profile) { p.NI.HostDMASetupUs *= 10 },
	}
}
