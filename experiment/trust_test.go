package experiment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/perftest"
)

// TestTrust: a line names each number that a test of a card rests on once, as its profile marks it.
func TestTrust(t *testing.T) {
	said := func(p *platform.Profile, m perftest.Measure) string {
		s, err := trust(p, m)
		require.NoError(t, err)
		return s
	}
	for _, name := range platformsWith(func(p *platform.Profile) bool { return p.Verbs != nil }) {
		p, err := platform.Load(name)
		require.NoError(t, err)
		s := said(p, perftest.Bandwidth)
		for _, path := range append(ofLatency, ofRate...) {
			field := path[strings.LastIndexByte(path, '.')+1:]
			require.Equal(t, 1, strings.Count(" "+strings.NewReplacer(",", " ", ";", " ").Replace(s)+" ", " "+field+" "), "%s: %s in %q", name, field, s)
		}
		require.NotContains(t, s, "unknown")
		require.NotContains(t, said(p, perftest.Latency), "units")
	}
	p, err := platform.Load("cib")
	require.NoError(t, err)
	require.Equal(t, "published read_ns; derived write_ns, link_mbps; assumed post_ns, poll_ns, entry_ns, packet_ns, receive_ns, pipeline_ns", said(p, perftest.Latency))
	require.Contains(t, said(p, perftest.Bandwidth), "; fitted units (rd-ib-one); assumed contexts, ")

	q, err := platform.Parse("mine.toml", []byte(strings.ReplaceAll(p.Text(), "# [", "# (")))
	require.NoError(t, err)
	require.Equal(t, "of unknown origin the rest, which the file does not mark", said(q, perftest.Latency))
	q, err = platform.Parse("mine.toml", []byte(strings.Replace(p.Text(), "pipeline_ns = 65.5      # [A]", "pipeline_ns = 65.5      # ", 1)))
	require.NoError(t, err)
	require.Equal(t, "published read_ns; derived write_ns, link_mbps; assumed post_ns, poll_ns, entry_ns, packet_ns, receive_ns; of unknown origin the rest, which the file does not mark", said(q, perftest.Latency))
}
