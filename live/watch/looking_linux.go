package watch

import (
	"cmp"
	"time"
)

// Calls that send datagrams are looked at while some are sent, since looking costs each system call of the host.
const (
	looksFirst = 2 * time.Second
	looksOn    = time.Minute // since the last one
)

// looks is when calls are looked at.
type looks struct {
	number uint32 // of the time in which they are, or of one in which they are not, which is even
	sent   uint32 // datagrams so far
	until  time.Time
}

// look begins or ends to look at calls.
func (k *kernel) look(now time.Time) error {
	l := &k.looks
	var sent uint32
	if err := k.Variables["datagrams_sent"].Get(&sent); err != nil {
		return err
	}
	if sent != l.sent {
		l.sent, l.until = sent, now.Add(looksOn)
	}
	wanted, looks := now.Before(l.until) && !k.serves, k.links[looking] != nil
	switch {
	case k.links[beginning] == nil || wanted == looks:
		return nil
	case wanted:
		return cmp.Or(k.start(looking), k.turn(l.number+1))
	}
	return cmp.Or(k.turn(l.number+1), k.stop(looking))
}

// turn begins a time in which calls are looked at, or are not.
func (k *kernel) turn(number uint32) error {
	k.looks.number = number
	return k.Variables["looking"].Set(number)
}
