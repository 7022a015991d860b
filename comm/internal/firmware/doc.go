// Package firmware is what the control programs of layers have in common: a
// request queue, packets on their way out (with data that the host has stored
// into the queue, or fetched by DMA, a message cut into packets where it must
// be), and packets on their way in (into host memory by DMA, or kept in the
// receive ring for the host to read). It is neither reliable nor does it know
// flow control: those are a layer's (Layer), which is asked at each step.
//
// The six instants of a packet are told to the monitor here, so that it works
// below every layer.
package firmware
