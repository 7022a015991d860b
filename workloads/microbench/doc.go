// Package microbench holds the programs that measure a communication layer:
// ping-pong, stream and simultaneous streams between two nodes. They measure
// only; what the figures mean is for the analysis to say.
package microbench
