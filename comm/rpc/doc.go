// Package rpc models asynchronous remote procedure calls over Ethernet.
package rpc
