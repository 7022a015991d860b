// Package fabric moves packets between network interfaces: full-duplex links,
// crossbar switches, topologies with source routes, wormhole switching with
// STOP/GO back-pressure, the block limit with its forward reset, switches with shared
// buffers, CRC-8 and injected faults.
//
// # Model
//
// A packet of n bytes moves at one rate r, the slower of the sending engine and
// the links. Its head needs WireDelay+SwitchDelay from entering one channel to
// asking for the next. It takes the channel when that is free and otherwise
// waits in place in the arbiter's order, while its body fills the slack buffer
// at the head's input port. When the buffer holds StopBytes, STOP travels back
// for one WireDelay and halts the previous channel. That channel's own input
// port then begins to fill, and so on to the sender. When the head moves again
// and the buffer has drained to GoBytes, GO travels back. Validate ensures that
// GoBytes cover the round trip, so the body never has a gap, and that the slack
// holds the bytes that arrive after STOP was sent. A packet holds every channel
// between its head and its tail.
//
// Nothing is simulated byte by byte. Byte k of a packet starts on a channel at
// mark + k/r since the channel last started to move, so the instants of tail,
// STOP and GO are computed, and an event exists only where something can change:
// one per head and switch, one when the tail has left the sender (only if the
// sender wants to know), one when the tail has arrived. A head takes channels that
// are idle in advance, without events, from its injection on and from each channel that it has
// waited for, and gives them up to whatever comes to them earlier. A channel that no packet
// waits for is released lazily. STOP and GO cost one event each, and only when a
// buffer reaches its mark.
//
// Input buffers are first in, first out: a packet behind another one at the
// same input port requests its own output only when the tail of that one has
// left.
//
// # Deviations from a byte-level machine
//
// All instants agree to the picosecond with the byte-level twin of the tests,
// when the byte time is a whole number of picoseconds and all packets move
// at one rate. Known differences:
//   - a byte time that is not a whole number of picoseconds rounds each of a
//     packet's instants up by less than one picosecond per halt;
//   - a packet that follows a slower one through the same buffer does not
//     trigger STOP while the slower one is moving, so its sender can be done
//     up to n·(1/r_slow − 1/r_fast) early;
//   - two packets in one buffer whose bytes are out of phase could touch
//     StopBytes for less than a byte time, which a byte-level machine would
//     answer by a STOP and a GO; not seen in 250,000 random packets;
//   - heads that ask for the same channel at the same picosecond are served in
//     the order of their events;
//   - a forward reset empties a buffer at once. The packet behind moves on
//     without the gap of up to a round trip until its body follows.
//
// # Switches with buffers
//
// Spec.Buffer makes output-queued switches instead, whose ports share a buffer: lossy, with pause frames or with
// credits. A packet is looked at when its head has come to a switch (WireDelay+SwitchDelay after it entered the
// channel). It takes room for all its bytes and joins the queue of its next channel. When the channel is free, and neither a pause nor
// missing credits halt it, the packet takes it for its whole length; no packet is halted on a channel. So there is one event per packet and
// switch, and one more where a queue waits for the end of a packet. Room is given back lazily, unless a
// pause depends on it. Of things at the same time at a switch, packets leave first.
//
// The node's own channel is halted in the same way. A packet injected in advance that a pause reaches first is kept,
// and T4 is Never meanwhile, as after STOP. Expecters are not asked.
//
// # Dead links
//
// The link of a node may be down for a time (Faults.Outages): what is injected meanwhile across it is lost as at a dead link.
// A link of a switch may fail permanently (Break). A packet that is injected later
// with a route across it is lost and counted; beyond the dead link it still
// occupies the channels of its route. Routes belong to the senders: the fabric uses
// the present ones until a sender or a mapper asks for new ones (Reroute for a
// pair, Remap for all). All routes of a tree climb first and then descend, so old
// and new ones together are free of deadlock.
//
// # Receivers
//
// The receiving interface has no slack of its own. Accept is called when the
// last channel is granted, one WireDelay before the head arrives, unless the receiver has
// expected the head (see Expecter). A refused head
// waits at the last switch and needs the WireDelay after Resume. On an
// uncontended fabric there is no back-pressure, and with it no block limit.
//
// Files, in reading order:
//   - net.go: a network and its events
//   - inject.go: the path of a packet from sender to receiver
//   - express.go: heads that meet only idle channels
//   - channel.go: channels and their arbiters
//   - flow.go: STOP and GO
//   - reset.go: the block limit and the forward reset
//   - stall.go: receivers that refuse
//   - reroute.go: dead links and new routes
//   - pool.go: packets and their reuse
//   - queue.go: switches with buffers: packets and output queues
//   - pause.go: priority flow control
//   - room.go: room in buffers, marks, credits
//   - halts.go: what halts cost, by port and flow
//   - ecmp.go: ways of flows
//   - waits.go: what packets wait for, in a log
//   - routes.go: the proof that routes are free of deadlock
//   - state.go: the state and counters of a network
//   - store.go: the state of switches with buffers
//   - fault.go: injected errors and drops, and the CRC's verdict
//   - buffer.go: the part of a profile's network section for switches with buffers
//   - spec.go: the network section
//   - topology.go: topologies and their routes
//   - mesh.go: meshes
//   - trees.go: several fat trees
//   - tree.go: fat trees
//   - packet.go: a packet on the wire
//   - crc.go: the CRC of a packet
package fabric
