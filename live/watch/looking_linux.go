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

// look begins or ends to look at calls.
func (k *kernel) look(now time.Time) error {
	l := &k.looks
	var seen uint32
	if err := k.Variables["datagrams_seen"].Get(&seen); err != nil {
		return err
	}
	switch {
	case l.until.IsZero():
		l.until = now.Add(looksFirst)
	case seen != l.seen:
		l.seen, l.until = seen, now.Add(looksOn)
	}
	wanted, looks := now.Before(l.until), k.links[looking] != nil
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
