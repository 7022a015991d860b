// Package radix sorts integers on shared virtual memory, with the structure of
// the SPLASH-2 kernel. There is one pass per digit. A pass has a local histogram,
// a prefix tree over the nodes, and a permutation in which every node writes its
// keys to places scattered over the whole destination.
//
// The tree is the original's: histograms are added pairwise on the way up, and
// each node adds what lies to its left. Where the original waits for flags,
// this program has a barrier after each level, because shared virtual memory
// has no flags. Every node reads the sums of all keys at the root, where the
// original copies them down the tree.
//
// The sorting is real. Its cost on the simulated node is counted in operations
// and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: the result against the sorted input
//   - radix.go: the sort in shared memory, its input
//   - cost.go: what the parts cost a host
//   - spec.go: sizes, and how keys and tree lie in memory
package radix
