package watch

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// budget chooses when to watch, so that on average no more than so many messages a second are followed: for a
// while, then for a time not at all, as long as it takes. A program in the kernel that runs costs something even
// where it follows nothing.
type budget struct {
	most  float64 // messages a second; 0: any number
	phase phase
	begun time.Time // of the messages that are followed in this phase and the next one
	until time.Time // end of the phase
	seen  uint64    // messages up to the beginning
	open  time.Duration
}

// phase is what the kernel's programs do.
type phase uint8

const (
	following phase = iota
	ending          // messages on their way are followed, and no others
	resting
)

// ends is how long messages on their way are waited for.
const ends = 100 * time.Millisecond

func newBudget(most int, now time.Time) *budget {
	b := &budget{most: float64(most)}
	b.begin(now)
	return b
}

// begin follows messages for a while whose length nothing on the host can be in step with.
func (b *budget) begin(now time.Time) {
	b.phase, b.begun = following, now
	b.until = now.Add(200*time.Millisecond + rand.N(100*time.Millisecond))
}

// choose returns what to do now. Seen is how many messages were followed up to now.
func (b *budget) choose(now time.Time, seen uint64) phase {
	if b.most == 0 || now.Before(b.until) {
		return b.phase
	}
	n := float64(seen - b.seen)
	pays := b.begun.Add(time.Duration(n / b.most * 1e9))
	switch b.phase {
	case following:
		b.open += now.Sub(b.begun)
		if !pays.After(now) {
			b.seen = seen
			b.begin(now)
			break
		}
		b.phase, b.until = ending, now.Add(ends)
	case ending:
		b.phase, b.until = resting, pays
	case resting:
		b.seen = seen
		b.begin(now)
	}
	return b.phase
}

// warnings say whether there were breaks.
func (b *budget) warnings(took time.Duration, now time.Time) []string {
	open := b.open
	if b.phase == following {
		open += now.Sub(b.begun)
	}
	if share := float64(open) / float64(took); share < 0.99 && b.most > 0 {
		return []string{fmt.Sprintf("to keep the budget of %.0f messages a second messages were followed in %.1f %% of the time: those in tables stand for all", b.most, 100*share)}
	}
	return nil
}

// keep lets the programs run as the budget wants it.
func (k *kernel) keep(b *budget) error {
	if b.most == 0 || time.Now().Before(b.until) {
		return nil
	}
	c, err := k.counts()
	if err != nil {
		return err
	}
	switch b.choose(time.Now(), c.work()) {
	case following:
		if k.links[beginning] == nil {
			return k.attach()
		}
	case ending:
		return k.shut()
	case resting:
		return k.detach()
	}
	return nil
}
