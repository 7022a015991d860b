package capture

import "slices"

// remains are packets of a capture that cannot be joined, by what they are.
type remains struct {
	short     int64 // cut off within their headers, or contradicting these
	fragments int64
	tunnels   int64 // with packets inside that are not read
	alone     int64 // that the other capture has not, as far as they look
	flow      flow  // of the first of these
}

// carriers are protocols whose packets have others inside: IP and IPv6 in IP, GRE, ESP, IPIP, EtherIP, L2TP, MPLS
// in IP.
var carriers = []uint8{4, 41, 47, 50, 94, 97, 115, 137}

// carrierPorts are those of UDP: L2TP, GTP-U, ESP, VXLAN, Geneve, VXLAN of Linux, WireGuard.
var carrierPorts = []uint16{1701, 2152, 4500, 4789, 6081, 8472, 51820}

// add counts a datagram.
func (r *remains) add(c content) {
	if slices.Contains(carriers, c.protocol) || c.protocol == udp && slices.Contains(carrierPorts, c.toPort) {
		r.tunnels++
	}
}
