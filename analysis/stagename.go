package analysis

import "github.com/sigview/sigview/trace"

// Modelled says to StageName that no real hosts are meant.
const Modelled = false

// StageName returns the name of a stage in prose and headings: of real hosts, what a modelled
// run calls LANai is NI, the network interface.
func StageName(s trace.Stage, real bool) string {
	names := [...]string{trace.Source: "Source", trace.LANai: "LANai", trace.Net: "Net", trace.Dest: "Dest", trace.NetMinusLANai: "Net−LANai"}
	if real {
		names[trace.LANai], names[trace.NetMinusLANai] = "NI", "Net−NI"
	}
	if int(s) < len(names) {
		return names[s]
	}
	return s.String()
}

// StageName returns the name of one of the packets' stages.
func (p Packets) StageName(s trace.Stage) string { return StageName(s, p.Real) }

// StageName returns the name of the stage that changes.
func (c Change) StageName() string { return StageName(c.Stage, c.Real) }

// OfReal reports whether packets are those of real hosts.
func OfReal(rows []Packets) bool { return len(rows) > 0 && rows[0].Real }
