package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Story says in one sentence which packets wait where: for each program the two classes
// whose deviations cost most, with the mean of each stage above its baseline and, in
// parentheses, the baseline. Means of few packets are left out. Name names a program.
func (d Diagnosis) Story(name func(trace.Tag) string) string {
	var tags []trace.Tag
	for _, f := range d.Findings {
		if !slices.Contains(tags, f.Tag) {
			tags = append(tags, f.Tag)
		}
	}
	var sentences []string
	for _, tag := range tags {
		text := d.storyOf(tag)
		if len(tags) > 1 {
			text = name(tag) + ": " + strings.ToLower(text[:1]) + text[1:]
		}
		sentences = append(sentences, text)
	}
	if len(sentences) == 0 {
		return "No packets were recorded"
	}
	return strings.Join(sentences, ". ")
}

// ClassNames are names of size classes in sentences.
var ClassNames = map[string]string{
	trace.ClassUnder128: "small packets", trace.Class128: "packets of 128 to 1023 B", trace.Class1024: "packets of 1 to 4 KB", trace.Class4096: "packets of 4 KB or more",
}

func (d Diagnosis) storyOf(tag trace.Tag) string {
	byClass := map[string][]Finding{}
	judged := false
	for _, f := range d.Findings {
		if f.Tag != tag {
			continue
		}
		judged = judged || f.Unjudged == ""
		if f.Level == Above && !f.Weak && f.Stage != trace.NetMinusLANai {
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
		return d.unjudged(tag)
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

// unjudged says what the packets of the class take that takes most time in all, where there is no baseline.
func (d Diagnosis) unjudged(tag trace.Tag) string {
	byClass, most := map[string][]Finding{}, 0.0
	var of []Finding
	for _, f := range d.Findings {
		if f.Tag != tag || f.Stage == trace.NetMinusLANai || !f.MeanBNs.OK {
			continue
		}
		all := append(byClass[f.Class], f)
		byClass[f.Class] = all
		if took := taken(all); len(of) > 0 && of[0].Class == f.Class || took > most {
			of, most = all, took
		}
	}
	if len(of) == 0 {
		return "No packets can be judged: they have no baseline"
	}
	var parts []string
	for _, f := range of {
		parts = append(parts, f.StageName()+" "+brief(f.MeanBNs.Value))
	}
	text := ClassNames[of[0].Class]
	return strings.ToUpper(text[:1]) + text[1:] + " take, in µs: " + strings.Join(parts, ", ") + "; there is no baseline"
}

// taken is the time of all packets of some findings, in ns.
func taken(all []Finding) (ns float64) {
	for _, f := range all {
		ns += float64(float64(f.CountB) * f.MeanBNs.Value)
	}
	return ns
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
		mean := brief(f.MeanBNs.Value)
		if i == 0 {
			mean = WithUnit(mean, "µs")
		}
		text += fmt.Sprintf("%s %s (%s%s)", f.StageName(), mean, idle, Beside(mean, brief(f.MeanBNs.Value-f.DiffNs.Value)))
	}
	return text
}

// Brief says in a line by how much the finding's stage is above or below its baseline.
func (f Finding) Brief() string {
	mean := WithUnit(brief(f.MeanBNs.Value), "µs")
	return fmt.Sprintf("%s of %s %s, %s %s the idle machine's %s", f.StageName(), ClassNames[f.Class],
		mean, Beside(mean, brief(math.Abs(f.DiffNs.Value))), f.Level, Beside(mean, brief(f.MeanBNs.Value-f.DiffNs.Value)))
}

// Worst says in a line each which findings above the baseline cost their packets most time in all,
// n at most.
func (d Diagnosis) Worst(n int) []string {
	above := slices.DeleteFunc(slices.Clone(d.Findings), func(f Finding) bool { return f.Level != Above || f.Stage == trace.NetMinusLANai })
	slices.SortStableFunc(above, func(a, b Finding) int { return cmp.Compare(b.Cost(), a.Cost()) })
	var out []string
	for _, f := range above[:min(n, len(above))] {
		out = append(out, f.Brief()+".")
	}
	return out
}

// brief writes ns as µs with two digits or more.
func brief(ns float64) string {
	switch {
	case ns < 10_000:
		return fmt.Sprintf("%.1f", ns/1000)
	case ns >= 1e7:
		return Time(ns)
	}
	return fmt.Sprintf("%.0f", ns/1000)
}
