// Package capture makes a run of two captures of the same traffic, taken at both ends: pcap or pcapng
// files, as tcpdump and dumpcap write them. It knows no model. What is measured is Net: captures have
// no stamps of programs.
//
// The captures are read once. What each has of a packet is sorted in temporary files, so that memory
// does not grow with the number of packets. A packet in both tells by which end it is sent, and what
// the two clocks differ by.
//
// Files, in reading order:
//   - capture.go: from two captures to a run
//   - warnings.go: what captures cannot tell, and what is in them
//   - records.go: packets as the records of a run
//   - clock.go: the clocks of two captures compared
//   - join.go: the same packets in both captures
//   - stream.go: the same data in segments of both captures
//   - crossing.go: a packet at both ends
//   - ends.go: at which end an address is
//   - alike.go: packets that look the same
//   - observations.go: what captures have of packets, sorted
//   - doubles.go: packets that a capture has twice
//   - fragments.go: datagrams of their fragments
//   - file.go: pcap and pcapng files
//   - remains.go: packets that cannot be joined
//   - decode.go: headers of packets
package capture
