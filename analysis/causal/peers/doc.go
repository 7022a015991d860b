// Package peers finds what is unlike its peers in the time of a run: a node that stops for a while, one
// whose engine is slower than those of others, a link that loses packets. What all nodes have alike is
// a property of program and machine, and none of these.
//
// It works on an account of who waited for whom, which a model writes or which is rebuilt from records: it
// needs only when packets begin, leave, arrive and end, and how long engines serve them.
//
// Files, in reading order:
//   - apart.go: gaps of one node, of a part of a trace
//   - gaps.go: times in which a node lets no packet pass although some wait
//   - losses.go: links that lose packets
//   - room.go: nodes with too little room for packets
//   - work.go: processors that work longer than those of nodes with as many packets
//   - slow.go: engines slower than those of other nodes
//   - ways.go: links slower than those of other nodes
//   - compare.go: what is compared, and from when on one is unlike the others
//   - passages.go: the times of packets at a node, by phase of their way
package peers
