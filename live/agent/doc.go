// Package agent lets other hosts be nodes of a run of package live. On each of them runs a Server;
// Between, on node 0, uses them. A server also watches programs for Watch, on another host.
//
// One TCP connection to each agent controls it and brings its records back, by TLS 1.3: both sides show
// a certificate made of the key that all hosts share, and accept no other. Messages and probes of the
// clock go over sockets of their own, each connected to the one peer that it is for.
//
// Files, in reading order:
//   - between.go: a run with agents
//   - watching.go: the watch of an agent, as the side sees it that joins
//   - server.go: an agent
//   - serve.go: the same in a session
//   - session.go: a run in which this host is a node
//   - remote.go: an agent as node 0 sees it
//   - limits.go: what an agent lets a session do
//   - conn.go: control connections
//   - frame.go: what they carry
//   - records.go: records in compact form
//   - halves.go: halves of messages in compact form
//   - key.go: the key that all hosts share
package agent
