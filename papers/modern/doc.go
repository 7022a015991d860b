// Package modern measures the published rows of RDMA cards: listings of the perftest tools, notes and
// papers of several groups, most of whose hosts are not named. One row of a card set a number of
// its profile; the others follow or are known gaps, with their cause tested.
//
// Files, in reading order:
//   - many.go: many queue pairs and threads
//   - cards.go: what cards do
//   - incast.go: two senders and one receiver
//   - hosts.go: PCIe, entries and packets, switches
//   - rows.go: all rows, tests of perftest on platforms and their changes
package modern
