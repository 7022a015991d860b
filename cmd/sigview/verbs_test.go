package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// cardListing is of a card that is like cx6-hdr but for writes of 4 KB.
const cardListing = `                    RDMA_Write Latency Test
 Number of qps   : 1		Transport type : IB
 Connection type : RC		Using SRQ      : OFF
 Mtu             : 2048[B]
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] 
 2       1000          1.80           4.15         1.87     	       1.88        	0.09   		2.01    		4.15   
 128     1000          1.90           4.15         1.96     	       1.97        	0.09   		2.01    		4.15   
 4096    1000          3.80           4.15         3.85     	       3.97        	0.09   		4.01    		4.15   
`

// TestListingsBesideCards: a listing is laid beside a card, a card is fitted to it, and that is measured beside it.
func TestListingsBesideCards(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("lat.txt", []byte(cardListing), 0o644))
	s := viewed{t: t}
	said := s.command("verbs", "--platform", "cx6-hdr", "--beside", "lat.txt", "-o", "beside", "-q", "--full")
	for _, line := range []string{
		"     2         1000             1.87    1.87    -0%", "   128         1000             1.93    1.96    -2%", "  4096         1000             2.76    3.85   -28%",
		"2 of 3 listed figures are within 15 %.", "Trust: published read_ns, link_mbps; derived write_ns; fitted pipeline_ns", "- cx6-hdr: lat.txt has an MTU of 2048 B, the platform one of 4096 B",
	} {
		require.Contains(t, said, line)
	}
	require.Equal(t, said, s.command("report", "beside", "--full"))
	got, unit := s.curves("beside", "against=none series=0")
	require.Equal(t, "µs", unit)
	require.Equal(t, 3.85, got[[2]string{"lat.txt", "4096"}])
	require.Contains(t, s.command("diff", "beside", "beside"), "SAME")

	require.Contains(t, s.command("calibrate", "lat.txt", "--platform", "cx6-hdr", "-o", "card.toml"), "0 of 1 latencies that were not fitted are within 15 %.")
	require.Contains(t, s.command("verbs", "--platform", "card.toml,cx6-hdr", "--beside", "lat.txt", "--size", "2"), "Write latency on card\n")

	for line, want := range map[string]string{
		"verbs --platform ppro":                                              "--platform is ppro, want one with the layer verbs: cib, cx3, cx5-ex, cx5-roce, ",
		"verbs --operation fetch-add --size 9":                               "--size is 9, want 8 for an atomic operation",
		"verbs --operation send --size 16K":                                  "--size is 16384, want at most verbs.message_bytes = 8192 for send",
		"verbs --queue-pairs 2":                                              "--queue-pairs is 2, want 1 for latency, with 1 outstanding",
		"verbs --beside lat.txt --operation read":                            "--operation is read, want write, as lat.txt",
		"verbs --beside lat.txt --measure bandwidth":                         "--measure is bandwidth, want latency, as lat.txt",
		"verbs --beside none.txt":                                            "none.txt: no such file or directory",
		"calibrate lat.txt -o card.toml":                                     `--platform is "", want the card to start from, because lat.txt is a file`,
		"calibrate lat.txt --platform cx6-hdr --logp beside -o card.toml":    "--platform is given with --logp, want it with LISTINGs alone",
		"calibrate lat.txt lat.txt -o card.toml":                             "there are 2 arguments, want one RUN, or --platform with LISTINGs",
		"calibrate beside --platform cx6-hdr -o other.toml":                  "beside: is a directory",
		"verbs --beside beside/verbs.json --platform cx6-hdr --measure read": `--measure is "read", want one of latency, bandwidth`,
		"verbs --beside beside/verbs.json --platform cx6-hdr":                "beside/verbs.json: no line that begins with #bytes, want what a perftest tool prints",
	} {
		a, _, stderr := realApp()
		require.NotEqual(t, exitPass, a.run(t.Context(), strings.Fields(line)), line)
		require.Contains(t, stderr.String(), want, line)
	}
}
