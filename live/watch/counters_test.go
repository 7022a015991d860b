package watch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCountedOne: what is said of one message is in the singular.
func TestCountedOne(t *testing.T) {
	for text, want := range map[string]string{
		"%d messages were not followed: their connections had more than 131,000 on their way":                                          "1 message was not followed: its connection had more than 131,000 on its way",
		"%d messages went to other hosts: they have Source and NI":                                                                     "1 message went to other hosts: it has Source and NI",
		"%d datagrams were not followed: they were the first ones in a minute, when system calls were not looked at":                   "1 datagram was not followed: it was the first one in a minute, when system calls were not looked at",
		"%d calls sent less than they were asked to: what they sent counts as a message":                                               "1 call sent less than it was asked to: what it sent counts as a message",
		"%d packets came from other hosts, where messages are not known: they count as messages, with Dest":                            "1 packet came from other hosts, where messages are not known: it counts as messages, with Dest",
		"%d messages to b have Source and NI only: they are not among those that are joined, or the ring had no room for their halves": "1 message to b has Source and NI only: it is not among those that are joined, or the ring had no room for its halves",
	} {
		require.Equal(t, want, counted(text, 1))
		require.Equal(t, strings.Replace(text, "%d", "2", 1), counted(text, 2))
	}
}
