package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// latencyListing and bandwidthListing are laid out as the tools print them.
const (
	latencyListing = `---------------------------------------------------------------------------------------
                    RDMA_Write Latency Test
 Dual-port       : OFF		Device         : mlx5_0
 Number of qps   : 1		Transport type : IB
 Connection type : RC		Using SRQ      : OFF
 TX depth        : 1
 Mtu             : 4096[B]
 Link type       : IB
 local address: LID 0x01 QPN 0x0107 PSN 0x4b9f7e RKey 0x0a2a00 VAddr 0x0055d0c2a0f000
---------------------------------------------------------------------------------------
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] 
Conflicting CPU frequency values detected: 1200.000000 != 3000.000000. CPU Frequency is not max.
 2       1000          1.80           4.15         1.87     	       1.88        	0.09   		2.01    		4.15   
 128     1000          1.90           4.15         1.96     	       1.97        	0.09   		2.01    		4.15   
---------------------------------------------------------------------------------------
`
	bandwidthListing = `                    RDMA_Read BW Test
 Number of qps   : 2		Transport type : IB
 TX depth        : 64
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             0.00               92.49  		   0.176408
`
)

func TestListingsAreRead(t *testing.T) {
	l, err := parseListing(latencyListing)
	require.NoError(t, err)
	require.Equal(t, &Listing{Operation: "write", Measure: "latency", QueuePairs: 1, Depth: 1, MTU: 4096, Link: "IB", Points: []ListedPoint{{2, 1000, 1.87}, {128, 1000, 1.96}}}, l)
	l, err = parseListing(bandwidthListing)
	require.NoError(t, err)
	require.InEpsilon(t, 92.49e9/8/(1<<20), l.Points[0].Value, 1e-12)
	require.Equal(t, []any{"read", "bandwidth", int64(2), int64(64)}, []any{l.Operation, l.Measure, l.QueuePairs, l.Depth})
	for title, want := range map[string]string{
		"Atomic FETCH_AND_ADD BW Test": "fetch-add", "Atomic CMP_AND_SWAP Latency Test": "compare-swap", "Send Post List BW Test": "send", "mlx5_0": "",
	} {
		l, err := parseListing(strings.Replace(bandwidthListing, "RDMA_Read BW Test", title, 1))
		require.NoError(t, err, title)
		require.Equal(t, want, l.Operation, title)
	}
	l, err = parseListing(strings.NewReplacer("RDMA_Write", "Send", "type : RC", "type : UD").Replace(latencyListing))
	require.NoError(t, err)
	require.Equal(t, "send-ud", l.Operation)
	l, err = parseListing(" #bytes        #iterations       t_avg[usec]    tps average\n 8 100 2.5 400000\n")
	require.NoError(t, err)
	require.Equal(t, &Listing{Measure: "latency", Points: []ListedPoint{{8, 100, 2.5}}}, l)
}

func TestListingsOfUsers(t *testing.T) {
	for name, want := range map[string]*Listing{
		"old.txt":  {Operation: "write", Measure: "bandwidth", QueuePairs: 1, Depth: 100, Points: []ListedPoint{{65536, 5000, 1392.63}}},
		"mark.txt": {Measure: "latency", Points: []ListedPoint{{2, 1000, 0.97}}},
		"zero.txt": {Operation: "write", Measure: "bandwidth", QueuePairs: 1, Depth: 128, MTU: 4096, Link: "Ethernet", Inline: new(int64(220)),
			Points: []ListedPoint{{2, 5000, 0.004e9 / 8 / (1 << 20)}}, LeftOut: []string{"4 B: BW average[Gb/sec] is 0.00"}},
	} {
		l, err := ReadListing(filepath.Join("testdata", name))
		require.NoError(t, err, name)
		want.File = name
		require.InEpsilon(t, want.Points[0].Value, l.Points[0].Value, 1e-12, name)
		want.Points[0].Value = l.Points[0].Value
		require.Equal(t, want, l, name)
	}
	_, err := ReadListing("testdata/huge.txt")
	require.EqualError(t, err, `testdata/huge.txt: line 20: #bytes is "4294967296", want a whole number from 1 to 67108864`)
}

// TestWhatAListingDoesElse: everything in a header that changes what is measured is named if the model does not do it.
func TestWhatAListingDoesElse(t *testing.T) {
	head := func(operation, fields string) *Listing {
		l, err := parseListing(strings.NewReplacer("RDMA_Read", operation, " TX depth        : 64\n", fields).Replace(bandwidthListing))
		require.NoError(t, err)
		return l
	}
	for fields, want := range map[string][]string{
		"":                             nil,
		" Mtu             : 1024[B]\n": {"an MTU of 1024 B, the platform one of 4096 B (verbs.mtu_bytes)"},
		" Mtu             : 4096[B]\n": nil,
		" Max inline data : 0[B]\n":    {"up to 0 B of data in an entry, the platform up to 220 B (verbs.inline_bytes)"},
		" Max inline data : 220B\n":    nil, // as old tools have it
		" Link type       : Ethernet\n Dual-port       : ON\t\tDevice         : mlx5_0\n":         {"link type Ethernet, the platform another", "two ports, the model one"},
		" CQ Moderation   : 100\n Post List       : 16\n":                                         {"a completion for every 100th operation, the model one for each", "16 operations posted at a time, the model one"},
		" Connection type : RC\t\tUsing SRQ      : ON\n":                                          {"receive buffers that pairs share, the model none"},
		" Dual-port       : OFF\n Using SRQ      : OFF\n CQ Moderation   : 1\n Link type  : IB\n": nil,
	} {
		require.Equal(t, want, head("RDMA_Write", fields).Differs(4096, 220, 16, true), fields)
	}
	require.Equal(t, []string{"4 reads of a pair under way, the platform 16 (verbs.window)"}, head("RDMA_Read", " Outstand reads  : 4\n").Differs(4096, 220, 16, true))
	require.Empty(t, head("RDMA_Read", " Max inline data : 0[B]\n").Differs(4096, 220, 16, true))
}

func TestListingsAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"#bytes", "bytes", "no line that begins with #bytes, want what a perftest tool prints"},
		{" 65536 ", " x65536 ", "no figures below the line that begins with #bytes"},
		{"92.49", "-92.49", `line 5: BW average[Gb/sec] is "-92.49", want a number above 0`},
		{"92.49", "NaN", `line 5: BW average[Gb/sec] is "NaN", want a number above 0`},
		{"92.49  		   0.176408", "", "line 5: 3 figures, want one below BW average[Gb/sec]"},
		{"65536 ", "0 ", `line 5: #bytes is "0", want a whole number from 1 to 67108864`},
		{"5000 ", "5e3 ", `line 5: #iterations is "5e3", want a positive whole number`},
		{"average[Gb/sec]", "average[GB/sec]", "line 4: BW average[GB/sec], want usec, MB/sec, MiB/sec or Gb/sec"},
		{"BW average[Gb/sec]", "", "line 4: no column t_typical[usec] or BW average[MiB/sec]"},
		{"RDMA_Read BW", "RDMA_Read Bidirectional BW", "line 1: a test in both directions, want one direction"},
		{"RDMA_Read", "RDMA_Write_imm", `line 1: a test of "RDMA_Write_imm", want one of RDMA_Write, RDMA_Read, Send, Atomic`},
		{"TX depth        : 64", "Connection type : UD", "line 3: connection type UD, want RC, or UD of Send"},
		{"qps   : 2", "qps   : two", `line 2: Number of qps is "two", want a positive whole number`},
		{"\n 65536", "\n 65536 1 1 1 1\n 65536", "line 6: 65536 B a second time"},
		{"\n 65536", "\n #bytes #iterations\n 65536", "line 5: a second test, want one"},
	} {
		_, err := parseListing(strings.Replace(bandwidthListing, c.old, c.new, 1))
		require.EqualError(t, err, c.want)
	}
	file := filepath.Join(t.TempDir(), "listing.txt")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := ReadListing(file)
	require.ErrorContains(t, err, "listing.txt: no line that begins with #bytes")
	_, err = ReadListing(file + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// FuzzListing: any text is refused, or becomes a listing whose figures can be laid beside a model.
func FuzzListing(f *testing.F) {
	f.Add(latencyListing)
	f.Add(bandwidthListing)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseListing(text)
		if err != nil {
			require.Nil(t, l)
			return
		}
		require.NotEmpty(t, l.Points)
		require.Contains(t, []string{"latency", "bandwidth"}, l.Measure)
		seen := map[int64]bool{}
		for _, p := range l.Points {
			require.Positive(t, p.SizeBytes)
			require.Positive(t, p.Value)
			require.False(t, seen[p.SizeBytes])
			seen[p.SizeBytes] = true
		}
	})
}
