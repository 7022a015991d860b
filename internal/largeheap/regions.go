package largeheap

import (
	"fmt"
	"strings"
)

// huge is the size of a huge page.
const huge = 2 << 20

// region is memory from an address up to another one, whole huge pages.
type region struct{ from, to uint64 }

// regions returns the anonymous memory that may be written, from the text of
// /proc/self/maps.
func regions(maps string) []region {
	var out []region
	for line := range strings.Lines(maps) {
		var r region
		var rights, offset, device, file, name string
		n, _ := fmt.Sscanf(line, "%x-%x %s %s %s %s %s", &r.from, &r.to, &rights, &offset, &device, &file, &name)
		if n < 6 || rights != "rw-p" || file != "0" || n == 7 && !strings.HasPrefix(name, "[anon") {
			continue
		}
		r.from, r.to = (r.from+huge-1)&^(huge-1), r.to&^(huge-1)
		if r.from < r.to {
			out = append(out, r)
		}
	}
	return out
}
