package scene

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/trace"
)

var OnOff = [2]string{"on", "off"}

// Text writes the settings that differ from fresh ones. State.selectBy reads it.
func Text(s *data.Selection) string {
	fresh := data.NewSelection()
	return strings.TrimSpace(strings.Join(Written(Words(s), Words(&fresh)), " ") + " " + s.Filter)
}

// Manner writes how values are shown, which is no part of what is selected.
func Manner(s *data.Selection) string {
	words := lists.Filter(Words(s), func(w Word) bool { return w.Name == "baseline" || w.Name == "intervals" })
	return strings.Join(lists.Map(words, func(w Word) string { return w.Name + "=" + w.Get() }), " ")
}

// Words returns the settings of a selection that can be written as text.
func Words(s *data.Selection) []Word {
	nodes := func(s *Scene) int { return s.Nodes() }
	classes := append(trace.Classes(), trace.AllSizes)
	return []Word{
		NumberWord("tag", "a tag", &s.Tag, 0, 255).Of(tags),
		Word{Name: "kind", Want: "a packet kind, with /first or /later", Get: s.KindName, Set: s.SetKind}.Of(s.Kinds),
		NumberWord("sender", "a node or all", &s.Sender, 0, 1<<16).UpTo(nodes).Called("all", &s.Sender, data.Everyone),
		NumberWord("receiver", "a node or all", &s.Receiver, 0, 1<<16).UpTo(nodes).Called("all", &s.Receiver, data.Everyone),
		{Name: "stage", Want: "a latency", Get: func() string { return s.Stage.String() }, Set: s.SetStage, Values: stageNames},
		listWord("class", "a size class or all", &s.Class, classes),
		NumberWord("size", "bytes", &s.SizeBytes, 1, 1<<20).Of(s.Sizes),
		NumberWord("latency", "nanoseconds", &s.LatencyNs, 0, 1<<60),
		{Name: "zoom", Want: "two sizes", Get: func() string { return fmt.Sprintf("%d-%d", s.FromBytes, s.ToBytes) }, Set: s.SetZoom},
		NumberWord("at", "nanoseconds", &s.AtNs, 0, 1<<60),
		NumberWord("from", "nanoseconds", &s.FromNs, 0, 1<<60),
		NumberWord("to", "nanoseconds", &s.ToNs, 0, 1<<60),
		ChoiceWord("baseline", &s.NoBaseline, "off", OnOff),
		ChoiceWord("intervals", &s.Intervals, "on", OnOff),
	}
}

// Of returns the word with values that depend on the active run.
func (w Word) Of(values func(*data.Data) []string) Word {
	w.Values = func(s *Scene) []string {
		if d := s.Data(); d != nil {
			return values(d)
		}
		return nil
	}
	return w
}

func tags(d *data.Data) []string {
	return lists.Map(d.Tags, func(t trace.Tag) string { return strconv.Itoa(int(t)) })
}

func stageNames(*Scene) []string { return lists.Map(trace.Stages(), trace.Stage.String) }
