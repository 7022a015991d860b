package analysis

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
)

// storedBaseline is a baseline in a cache.
type storedBaseline struct {
	Bins   [trace.NumStages + 1][]storedBin
	Smooth bool
	Played map[trace.Tag]played
}

type storedBin struct {
	trace.Sizes
	Mean estimate
}

// MarshalJSON implements json.Marshaler. An estimate that is not finite is an error.
func (b Baseline) MarshalJSON() ([]byte, error) {
	s := storedBaseline{Smooth: b.smooth, Played: b.played}
	for stage, bins := range b.bins {
		for _, x := range bins {
			s.Bins[stage] = append(s.Bins[stage], storedBin{x.Sizes, x.mean})
		}
	}
	return json.Marshal(s)
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Baseline) UnmarshalJSON(text []byte) error {
	var s storedBaseline
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*b = Baseline{smooth: s.Smooth, played: s.Played}
	for stage, bins := range s.Bins {
		for _, x := range bins {
			b.bins[stage] = append(b.bins[stage], bin{x.Sizes, x.Mean})
		}
	}
	return nil
}

func (e estimate) MarshalJSON() ([]byte, error) { return json.Marshal([]any{e.value, e.se, e.df}) }

func (e *estimate) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&e.value, &e.se, &e.df})
}

// separator is in no name of a kind or a class.
const separator = "\n"

func (k playedKey) MarshalText() ([]byte, error) {
	return []byte(strings.Join([]string{k.kind, k.after, k.class, k.stage.String()}, separator)), nil
}

func (k *playedKey) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), separator)
	if len(parts) != 4 {
		return fmt.Errorf("baseline: key %q, want four parts", text)
	}
	stage, err := trace.ParseStage(parts[3])
	*k = playedKey{parts[0], parts[1], parts[2], stage}
	return err
}
