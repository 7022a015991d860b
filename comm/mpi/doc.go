// Package mpi models the point-to-point part of an MPI library as MPICH has it, over
// the endpoints of another layer: what parameterized LogP measured, over LFC and over
// TCP (plogp, section 4). A profile names the layer below ([mpi] over).
//
// A message starts with an envelope: its tag and its length. A short message
// follows its envelope at once (eager). A long one waits: the sender announces it,
// the receiver answers when a receive matches, and then the data comes (rendezvous). Data
// longer than a message of the layer below is cut.
//
// Receives and messages find each other by source and tag. A receive that is posted
// before its message waits in a queue; so does a message that no receive
// expects. The data of an expected message is copied once, from the memory of the
// layer below to the buffer of the receive. The data of an unexpected eager message is first
// copied to memory of the library, and from there when the receive comes. How long a
// copy takes depends on what of both ends is in the cache (host.Context.CopyWithin): what
// a device has written is not, memory of the library that was used a moment ago
// is. A rendezvous is never copied to memory of the library, with one exception below.
//
// The library works only while the process is in it: a send handles arrivals while it
// waits and between the packets of a message, a receive until it has its message. An interrupt can take
// messages for a process that stays away, if the layer below has a polling watchdog (LFC):
// whatever then comes before its receive is unexpected. Without it, messages wait in the layer
// below, and a receive that finds its message there is in time to expect it.
//
// Two processes that send long messages to each other before they receive wait
// forever in MPI. The layers' contract wants such messages to arrive. A process that
// waits for the answer to an announcement therefore accepts the announcements of
// others into memory of the library.
//
// Receive and Send of comm.Endpoint use tag 0. Post posts a receive, which a Receive with
// the same arguments completes. Not modelled: datatypes, communicators, other
// send modes, collective operations.
//
// Files, in reading order:
//   - layer.go: opening and counters
//   - endpoint.go: sends and receives of a process
//   - watchdog.go: arrivals for a process that stays away
//   - send.go: messages that leave
//   - receive.go: receives that meet unexpected messages
//   - progress.go: packets that arrive
//   - queues.go: receives and messages that wait for each other
//   - envelope.go: the head of a packet
//   - state.go: the state of a node, a process and a message
//   - spec.go: the section of a profile
package mpi
