// Package page shows a run as one file that people pass on: an interactive page for browsers, which asks for nothing
// else. All that can be read without a script is HTML; the script draws the run over time and from node to node.
//
// Files, in reading order:
//   - list.go: a page that leads to others
//   - page.go: the page of a run
//   - data.go: what the script is told
//   - nodes.go: the table of nodes
//   - pairs.go: packets from node to node
//   - grid.go: packets by node and time
//   - packets.go: which packets are told one by one
//   - pack.go: columns of numbers in few bytes
//
// src has the script and the style; `make page` makes page.js of the script.
package page
