package watch

import (
	"fmt"
	"math"
	"time"
)

// budget chooses the messages that are followed, so that there are not too many.
type budget struct {
	most  float64 // a second; 0: any number
	share float64 // of all messages, which are followed now
	least float64 // that share ever was
	seen  uint64  // messages followed when it was last looked at
	at    time.Time
}

// period is how often the share is chosen anew.
const period = 250 * time.Millisecond

func newBudget(most int) *budget {
	return &budget{most: float64(most), share: 1, least: 1, at: time.Now()}
}

// choose returns the share of messages to follow from now on, by how many were followed up to now.
func (b *budget) choose(followed uint64, now time.Time) float64 {
	rate := float64(followed-b.seen) / now.Sub(b.at).Seconds()
	b.seen, b.at = followed, now
	if b.most > 0 && rate > 0 {
		// What comes is taken to be like what came.
		b.share = min(b.share*b.most/rate, 1)
	} else {
		b.share = 1
	}
	b.least = min(b.least, b.share)
	return b.share
}

// warnings say whether all messages were followed.
func (b *budget) warnings() []string {
	if b.least == 1 {
		return nil
	}
	return []string{fmt.Sprintf("to keep the budget of %.0f messages a second not all were followed, but down to one in %.0f: those in tables stand for all", b.most, math.Round(1/b.least))}
}

// keep sets the share of messages that are followed.
func (k *kernel) keep(b *budget) error {
	if b.most == 0 || time.Since(b.at) < period {
		return nil
	}
	c, err := k.counts()
	if err != nil {
		return err
	}
	return k.Followed.Set(uint32(b.choose(c.messages(), time.Now()) * math.MaxUint32))
}
