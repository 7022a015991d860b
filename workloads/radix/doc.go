// Package radix sorts integers on shared virtual memory, with the structure of
// the SPLASH-2 kernel: one pass per digit, each of a local histogram, a prefix
// tree over the nodes, and a permutation in which every node writes its keys to
// places scattered over the whole destination.
//
// The tree is the original's: histograms are added pairwise on the way up, and
// each node adds what lies to its left. Where the original waits for flags,
// this program has a barrier after each level, because shared virtual memory
// has no flags; and every node reads the sums of all keys at the root, where
// the original copies them down the tree.
//
// The sorting is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package radix
