package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Story says in one sentence which packets wait where: for each program the two classes
// whose deviations cost most, with the mean of each stage above its baseline and, in
// parentheses, the baseline. Name names a program.
func (d Diagnosis) Story(name func(trace.Tag) string) string {
	var tags []trace.Tag
	for _, f := range d.Findings {
		if !slices.Contains(tags, f.Tag) {
			tags = append(tags, f.Tag)
		}
	}
	var told []string
	for _, tag := range tags {
		text := d.storyOf(tag)
		if len(tags) > 1 {
			text = name(tag) + ": " + strings.ToLower(text[:1]) + text[1:]
		}
		told = append(told, text)
	}
	if len(told) == 0 {
		return "No packets were recorded"
	}
	return strings.Join(told, ". ")
}

// ClassNames are names of size classes in sentences.
var ClassNames = map[string]string{
	trace.ClassUnder128: "small packets", trace.Class128: "packets of 128 to 1023 B", trace.Class1024: "packets of 1 to 4 KB", trace.Class4096: "packets of 4 KB",
}

func (d Diagnosis) storyOf(tag trace.Tag) string {
	byClass := map[string][]Finding{}
	judged := false
	for _, f := range d.Findings {
		if f.Tag != tag {
			continue
		}
		judged = judged || f.Unjudged == ""
		if f.Level == Above && f.Stage != trace.NetMinusLANai {
			byClass[f.Class] = append(byClass[f.Class], f)
		}
	}
	var classes []string
	total := 0.0
	for _, class := range trace.Classes() {
		if found := byClass[class]; found != nil {
			slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Cost(), a.Cost()) })
			classes = append(classes, class)
			total += cost(found)
		}
	}
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(cost(byClass[b]), cost(byClass[a])) })
	switch {
	case !judged:
		return "No packets can be judged: they have no baseline"
	case len(classes) == 0:
		return "No packets are shown to wait"
	}
	const share = 0.1 // of what all classes cost, to be told second
	var parts []string
	for i, class := range classes[:min(len(classes), 2)] {
		if i > 0 && cost(byClass[class]) < share*total {
			break
		}
		parts = append(parts, classStory(class, byClass[class], i == 0))
	}
	text := strings.Join(parts, "; ")
	return strings.ToUpper(text[:1]) + text[1:]
}

func classStory(class string, found []Finding, first bool) string {
	text := ClassNames[class]
	if first {
		text += " wait"
	}
	text += ": "
	for i, f := range found {
		idle := ""
		if i == 0 && first {
			idle = "idle "
		}
		if i > 0 {
			text += ", "
		}
		unit := ""
		if i == 0 {
			unit = " µs"
		}
		text += fmt.Sprintf("%s %s%s (%s%s)", StageName(f.Stage), brief(f.MeanBNs.Value), unit, idle, brief(f.MeanBNs.Value-f.DiffNs.Value))
	}
	return text
}

// brief writes ns as µs with two digits or more.
func brief(ns float64) string {
	if ns < 10_000 {
		return fmt.Sprintf("%.1f", ns/1000)
	}
	return fmt.Sprintf("%.0f", ns/1000)
}
