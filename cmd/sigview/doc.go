// Command sigview builds a cluster of nodes with modelled network interfaces,
// runs real programs on it, and shows where every packet spends its time as a
// performance signature beside the unloaded baseline.
//
// Data goes to standard output, messages and progress to standard error. Exit
// codes: 0 pass, 1 failure, 2 wrong usage, 3 a figure out of tolerance, 4
// inconclusive.
package main
