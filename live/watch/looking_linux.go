package watch

import (
	"cmp"
	"time"
)

// Programs for datagrams run while some are watched: one of them looks at each system call of the host.
const (
	looksFirst = 2 * time.Second
	looksOn    = time.Minute // since the last one
)

// looks is when calls that send datagrams are looked at.
type looks struct {
	number uint32 // of the time in which they are, or of one in which they are not, which is even
	seen   uint32 // datagrams so far
	until  time.Time
}

// look begins or ends to look at calls.
func (k *kernel) look(now time.Time) error {
	l := &k.looks
	var seen uint32
	if err := k.Variables["datagrams_seen"].Get(&seen); err != nil {
		return err
	}
	if seen != l.seen {
		l.seen, l.until = seen, now.Add(looksOn)
	}
	wanted, looks := now.Before(l.until) && !k.serves, k.links[looking] != nil
	switch {
	case k.links[beginning] == nil || wanted == looks:
		return nil
	case wanted:
		return cmp.Or(k.start(delivering), k.start(looking), k.turn(l.number+1))
	}
	return cmp.Or(k.turn(l.number+1), k.stop(looking), k.stop(delivering))
}

// turn begins a time in which calls are looked at, or are not.
func (k *kernel) turn(number uint32) error {
	k.looks.number = number
	return k.Variables["looking"].Set(number)
}
