package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDoubles: whatever the traffic, a capture of all devices has each packet twice and that changes nothing but a count.
// Packets of version 6 have no numbers: there the other capture has to tell.
func TestDoubles(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		for _, twice := range [][]int{{0}, {1}, {0, 1}} {
			if v6 && len(twice) == 2 {
				continue
			}
			t.Run(fmt.Sprint(v6, twice), func(t *testing.T) {
				w := newWorld(t, 3)
				w.v6 = v6
				same := w.noise(64)
				for i := range int64(40) {
					w.send(int(i%2), second+i*10_000_000, uint16(1+i), false, w.noise(100+int(i)))
					w.send(int(i%2), second+i*10_000_000+50_000, uint16(100+i), false, same)
				}
				w.fragments(0, second+5_000_000, 9_000)
				w.bulk(1, 2*second, 1<<28, 40, true)
				for _, host := range twice {
					for _, s := range w.seen[host] {
						w.shoot(host, s.at+3_000, s.frame)
					}
				}
				run, _ := imported(t, w, false)
				for _, host := range twice {
					require.Contains(t, strings.Join(run.Manifest.Warnings, "\n"), fmt.Sprintf("packets in %s.pcap are doubles", [2]string{"first", "second"}[host]))
				}
			})
		}
	}
}
