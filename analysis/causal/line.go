package causal

import "github.com/sigview/sigview/trace/waits"

// inLine is all waiting in line for one place.
type inLine struct {
	piece int32 // one of those that wait
	all   waits.Together
	to    map[int32]*waits.Together // by receiver of those that wait
}

// join adds the wait of a packet to a receiver, from begin to end in ps.
func (l *inLine) join(to int32, begin, end int64) {
	if l.to == nil {
		l.to = map[int32]*waits.Together{}
	}
	l.all.Add(begin, end)
	entry(l.to, to, waits.Together{}).Add(begin, end)
}
