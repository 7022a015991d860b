package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

var onOff = [2]string{"on", "off"}

// text writes the settings that differ from fresh ones. State.selectBy reads it.
func (s *Selection) text() string {
	fresh := NewSelection()
	return strings.TrimSpace(strings.Join(written(s.words(), fresh.words()), " ") + " " + s.Filter)
}

// manner writes how values are shown, which is no part of what is selected.
func (s *Selection) manner() string {
	words := filter(s.words(), func(w word) bool { return w.name == "baseline" || w.name == "intervals" })
	return strings.Join(made(words, func(w word) string { return w.name + "=" + w.get() }), " ")
}

// words returns the settings of a selection that can be written as text.
func (s *Selection) words() []word {
	nodes := func(s *Scene) int { return s.nodes() }
	classes := append(trace.Classes(), trace.AllSizes)
	return []word{
		numberWord("tag", "a tag", &s.Tag, 0, 255).of(tags),
		word{name: "kind", want: "a packet kind, with /first or /later", get: s.kindName, set: s.setKind}.of(s.kinds),
		numberWord("sender", "a node or all", &s.Sender, 0, 1<<16).upTo(nodes).called("all", &s.Sender, everyone),
		numberWord("receiver", "a node or all", &s.Receiver, 0, 1<<16).upTo(nodes).called("all", &s.Receiver, everyone),
		{name: "stage", want: "a latency", get: func() string { return s.Stage.String() }, set: s.setStage, values: stageNames},
		listWord("class", "a size class or all", &s.Class, classes),
		numberWord("size", "bytes", &s.SizeBytes, 1, 1<<20).of(s.sizes),
		numberWord("latency", "nanoseconds", &s.LatencyNs, 0, 1<<60),
		{name: "zoom", want: "two sizes", get: func() string { return fmt.Sprintf("%d-%d", s.FromBytes, s.ToBytes) }, set: s.setZoom},
		numberWord("at", "nanoseconds", &s.AtNs, 0, 1<<60),
		numberWord("from", "nanoseconds", &s.FromNs, 0, 1<<60),
		numberWord("to", "nanoseconds", &s.ToNs, 0, 1<<60),
		choiceWord("baseline", &s.NoBaseline, "off", onOff),
		choiceWord("intervals", &s.Intervals, "on", onOff),
	}
}

// of returns the word with values that depend on the active run.
func (w word) of(values func(*Data) []string) word {
	w.values = func(s *Scene) []string {
		if d := s.data(); d != nil {
			return values(d)
		}
		return nil
	}
	return w
}

func tags(d *Data) []string {
	return made(d.tags, func(t trace.Tag) string { return strconv.Itoa(int(t)) })
}

func stageNames(*Scene) []string { return made(trace.Stages(), trace.Stage.String) }
