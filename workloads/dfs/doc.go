// Package dfs is a small distributed file system on stream sockets, in the
// spirit of a shared logical disk, and a workload of mixed file operations
// on it.
//
// The disk is an array of blocks of 4 KB, striped over block servers, which keep
// them in memory. Directories and inodes are blocks like the others: there is no
// file server. Every client reads and changes them itself, under locks. There is
// one lock for each name, shared or exclusive, and one for each directory. A
// service on the same nodes grants locks in the order of requests. A client takes
// new blocks from its own range of the disk.
//
// A node can be client and server. Its server is a process started by the
// interrupts of requests. Its client is a program that sends several requests
// before it waits for the first reply. A client accesses the blocks and locks
// of its own node without a message.
//
// Every operation is checked while its locks are held: every byte that is read,
// every size, list and answer is compared with a model in which the operations
// happen one after another, and no other client may hold what was locked. At
// the end the whole disk is walked.
//
// Files, in reading order:
//   - verify.go: the check of the whole disk at the end
//   - files.go: file operations by reading and changing blocks
//   - client.go: the program of a node: operations, outstanding requests
//   - dfs.go: the file system on its sockets, its counters and its result
//   - model.go: the model that every operation is compared with
//   - disk.go: directories, inodes and files in blocks
//   - server.go: the process that serves blocks and locks
//   - platter.go: blocks that come from a disk
//   - lock.go: locks in the order of requests
//   - message.go: requests and replies in bytes
//   - spec.go: sizes, mix of operations, costs
package dfs
