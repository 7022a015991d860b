// Package dfs is a small distributed file system on stream sockets, in the
// spirit of a shared logical disk, and a workload of mixed file operations
// on it.
//
// The disk is an array of blocks of 4 KB, striped over block servers, which
// keep them in memory. Directories and inodes are blocks like the others:
// there is no file server. Every client reads and changes them itself, under
// locks that a service on the same nodes hands out in the order of asking: one
// for each name, shared or exclusive, and one for each directory. A client
// takes new blocks out of a range of the disk that is its own.
//
// A node can be client and server. Its server is a process that requests start
// by an interrupt; its client is a program that sends several requests before
// it waits for the first reply. A client reaches the blocks and locks of its
// own node without a message.
//
// Every operation is checked while its locks are held: every byte that is
// read, every size, list and answer, against a model in which the operations
// happen one after another; and that nobody else holds what was locked. At
// the end the whole disk is walked.
package dfs
