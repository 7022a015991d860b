package stamps

import "golang.org/x/sys/unix"

// CardOf tells whether the card of a network interface stamps messages.
func CardOf(name string) Card {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return NoCard
	}
	defer unix.Close(fd)
	info, err := unix.IoctlGetEthtoolTsInfo(fd, name)
	if err != nil {
		return NoCard
	}
	config, err := unix.IoctlGetHwTstamp(fd, name)
	if err != nil {
		return NoCard // the driver does not tell
	}
	return cardState(info, config)
}

// cardState tells what a card can and does. One that stamps the packets of PTP only is of no use for others.
func cardState(can *unix.EthtoolTsInfo, does *unix.HwTstampConfig) Card {
	const need = unix.SOF_TIMESTAMPING_TX_HARDWARE | unix.SOF_TIMESTAMPING_RX_HARDWARE | unix.SOF_TIMESTAMPING_RAW_HARDWARE
	switch {
	case can.So_timestamping&need != need || can.Tx_types&(1<<unix.HWTSTAMP_TX_ON) == 0 || can.Rx_filters&(1<<unix.HWTSTAMP_FILTER_ALL) == 0:
		return NoCard
	case does.Tx_type != unix.HWTSTAMP_TX_ON || does.Rx_filter != unix.HWTSTAMP_FILTER_ALL:
		return CardOff
	}
	return CardOn
}
