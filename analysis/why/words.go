package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Summary returns the findings in sentences. For each program: where its packets wait for what, what would
// shorten the run, whether a trace agrees, and where waiting moves of the class that loses most. Figures are in the tables.
func (x Explanation) Summary() (out []string) {
	for tag, name := range x.Programs {
		targets := x.of(tag)
		if x.Single() {
			out = append(out, x.single(targets[0])...)
			continue
		}
		headline, told := x.headline(targets[1:])
		lines := []string{headline, x.runTime(targets[0])}
		for _, t := range told {
			if text := x.moved(t, targets[1:]); text != "" {
				lines = append(lines, text)
			}
		}
		lines = slices.Insert(lines, 2, x.Compared()...)
		for _, line := range lines {
			if len(x.Programs) > 1 {
				line = name + ": " + line
			}
			out = append(out, line)
		}
	}
	if runs := x.Outcomes[Variant{}]; len(runs) > 0 {
		for _, line := range runs[0].Congestion {
			out = append(out, fmt.Sprintf("Seed %d, as it is: %s", x.Seeds[0], line))
		}
	}
	return out
}

// of returns the targets of a program, its run time first.
func (x Explanation) of(tag int) []Target {
	return slices.DeleteFunc(slices.Clone(x.Targets), func(t Target) bool { return t.Tag != tag })
}

// Limits of a headline: a class is mentioned if it loses at least a share of what the
// first one loses.
const (
	maxClasses = 3
	leastClass = 0.25
)

// headline returns a sentence for each of the classes that lose most: where packets wait, and for what. It also
// returns the targets of the first class.
func (x Explanation) headline(latencies []Target) (string, []Target) {
	var classes [][]Target
	for _, t := range latencies {
		if !t.Material || t.Stage == trace.NetMinusLANai {
			continue
		}
		i := slices.IndexFunc(classes, func(c []Target) bool { return c[0].Class == t.Class })
		if i < 0 {
			i, classes = len(classes), append(classes, nil)
		}
		classes[i] = append(classes[i], t)
	}
	basis := fmt.Sprintf("(%v, %s).", x.Grade, analysis.Plural(len(x.Seeds), "seed"))
	if classes == nil {
		return "No packets are shown to wait for more than a tenth of their unloaded latencies " + basis, nil
	}
	slices.SortStableFunc(classes, func(a, b []Target) int { return cmp.Compare(loss(b), loss(a)) })
	var sentences []string
	for _, c := range classes[:min(maxClasses, len(classes))] {
		if loss(c) >= leastClass*loss(classes[0]) {
			sentences = append(sentences, x.sentence(c))
		}
	}
	return strings.Join(sentences, ". ") + " " + basis, classes[0]
}

// loss returns the cost of targets together, in ns.
func loss(list []Target) (sum float64) {
	for _, t := range list {
		sum += t.cost()
	}
	return sum
}

// sentence says where packets of a class wait, and for what, stage by stage. The tables say for how long.
func (x Explanation) sentence(class []Target) string {
	slices.SortFunc(class, func(a, b Target) int { return cmp.Compare(a.Stage, b.Stage) })
	var parts []string
	for _, t := range class {
		parts = append(parts, places[t.Stage]+" "+x.waitsFor(t))
	}
	return fmt.Sprintf("%s wait %s", packets[class[0].Class], strings.Join(parts, "; "))
}

// places has the place of each stage in words.
var places = map[trace.Stage]string{
	trace.Source: "at the source", trace.LANai: "in the sender's interface", trace.Net: "in the network", trace.Dest: "at the destination",
}

// packets has the name of each size class at the begin of a sentence.
var packets = map[string]string{
	trace.ClassUnder128: "Small packets (under 128 B)", trace.Class128: "Packets of 128 to 1023 B",
	trace.Class1024: "Packets of 1 to 4 KB", trace.Class4096: "Packets of 4096 B",
}

// Shares of an excess from which words are used.
const (
	nearlyAll = 0.9
	most      = 0.5
	second    = 0.25
)

// waitsFor says which resources in the path of a stage packets wait for. The words follow the share of the
// excess that freeing the first of them alone saves.
func (x Explanation) waitsFor(t Target) string {
	list := x.savers(t, func(e Effect) bool { return x.Parts[e.Part].InPath(t.Stage) })
	if len(list) == 0 {
		all, ok := t.Effect(-1, All)
		if share := t.Share(all.Value); ok && share.Value >= most {
			return "for several resources together: none alone is shown to save a tenth"
		}
		return "for none of these resources"
	}
	how := "partly"
	switch share := t.Share(list[0].Value).Value; {
	case share >= nearlyAll:
		how = "nearly all"
	case share >= most:
		how = "mostly"
	}
	text := fmt.Sprintf("%s for the %s", how, x.Parts[list[0].Part].Noun())
	if len(list) > 1 && t.Share(list[1].Value).Value >= second && how != "nearly all" {
		text += fmt.Sprintf(" and the %s", x.Parts[list[1].Part].Noun())
	}
	return text
}

// savers returns the effects, of those that which selects, of freeing one part where it saves leastShare of the
// excess or more, the largest first. They are shown, or there is one seed.
func (x Explanation) savers(t Target, which func(Effect) bool) []Effect {
	var list []Effect
	for _, e := range t.Effects {
		share := t.Share(e.Value)
		if e.How == Free && which(e) && share.OK && share.Value >= leastShare && x.counts(e.Estimate) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Effect) int { return cmp.Compare(b.Value, a.Value) })
	return list
}

// counts reports whether an effect is mentioned: it is shown, or there is only one seed, with which nothing can
// be.
func (x Explanation) counts(e Estimate) bool { return e.Shown() || len(x.Seeds) < 2 }

// moved says which stages of the same class become longer when the part that saves most of t is free. It returns nothing
// if none does.
func (x Explanation) moved(t Target, all []Target) string {
	in := x.savers(t, func(e Effect) bool { return x.Parts[e.Part].InPath(t.Stage) })
	if len(in) == 0 {
		return ""
	}
	var parts []string
	for _, o := range all {
		e, ok := o.Effect(in[0].Part, Free)
		if ok && o.Class == t.Class && o.Stage != trace.NetMinusLANai && -e.Value > leastShare*in[0].Value && x.counts(e.Estimate) {
			parts = append(parts, places[o.Stage])
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Without waiting for the %s, packets of %s wait longer %s.", x.Parts[in[0].Part].Noun(), t.Class, strings.Join(parts, " and "))
}

// runTime says what shortens the run most, when free and when twice as fast.
func (x Explanation) runTime(t Target) string {
	var parts []string
	for _, h := range []struct {
		how  How
		text string
	}{{Free, "when it is free"}, {TwiceAsFast, "when it is twice as fast, or there are two of it"}} {
		best := Effect{Part: -1}
		for _, e := range t.Effects {
			if e.How == h.how && e.Value > max(best.Value, leastRunTime*t.MeanNs) && x.counts(e.Estimate) {
				best = e
			}
		}
		if best.Part >= 0 {
			parts = append(parts, fmt.Sprintf("the %s %s (%s)", x.Parts[best.Part].Noun(), h.text, analysis.Time(best.Value)))
		}
	}
	text := "No resource alone is shown to cost the run a hundredth of its time."
	if parts != nil {
		text = "Of the resources, most is saved by " + strings.Join(parts, ", and by ") + "."
	}
	for _, e := range t.Effects {
		if e.How == Absent && x.counts(e.Estimate) {
			text += fmt.Sprintf(" Without %s the run takes %s less.", e.Name, analysis.Time(e.Value))
		}
	}
	return text
}

// single says what a change of the one port or program saves of a run time.
func (x Explanation) single(t Target) (out []string) {
	for _, e := range t.Effects {
		with := map[How]string{Free: "with port %s free", Absent: "without %s", TwiceAsFast: "while %s computes twice as fast"}[e.How]
		text := "is not shown to take another time"
		switch {
		case !x.counts(e.Estimate):
		case e.Value < 0:
			text = "takes " + analysis.Time(-e.Value) + " more"
		default:
			text = "takes " + analysis.Time(e.Value) + " less"
		}
		out = append(out, fmt.Sprintf("%s %s "+with+" (%v, %s).", x.Programs[t.Tag], text, e.Name, x.Grade, analysis.Plural(len(x.Seeds), "seed")))
	}
	return out
}

// leastRunTime is the share of the run time from which on a saving is told.
const leastRunTime = 0.01

// ms writes ns in ms, with one decimal and no unit.
func ms(ns float64) string { return analysis.In(1e6, "%.1f", ns) }
