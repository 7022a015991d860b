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
// shorten the run, whether a trace agrees, and the evidence for the class that loses most.
func (x Explanation) Summary() (out []string) {
	for tag, name := range x.Programs {
		targets := x.of(tag)
		headline, told := x.headline(targets[1:])
		lines := []string{headline, x.runTime(targets[0])}
		for _, t := range told {
			lines = append(lines, x.evidence(t, targets[1:]))
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

// sentence says where packets of a class wait, how long, and for what, stage by stage.
func (x Explanation) sentence(class []Target) string {
	slices.SortFunc(class, func(a, b Target) int { return cmp.Compare(a.Stage, b.Stage) })
	var parts []string
	for i, t := range class {
		excess := tenth(t.Excess.Value)
		if i == 0 {
			excess = tenthUs(t.Excess.Value)
		}
		parts = append(parts, fmt.Sprintf("%s %s %s, %s", excess, x.interval(t.Excess), places[t.Stage], x.waitsFor(t)))
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

// maxNamed is the largest number of resources in a sentence.
const maxNamed = 3

// evidence returns the figures behind the headline for one stage: its excess, and what each change saves of it.
// all are the latencies of the program.
func (x Explanation) evidence(t Target, all []Target) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s: %s %s over the baseline.", analysis.StageName(t.Stage, analysis.Modelled), t.Class, tenthUs(t.Excess.Value), x.interval(t.Excess))
	in := x.savers(t, func(e Effect) bool { return x.Parts[e.Part].InPath(t.Stage) })
	for _, e := range in[:min(maxNamed, len(in))] {
		fmt.Fprintf(&b, " Freeing the %s alone saves %s %s", x.Parts[e.Part].Noun(), tenthUs(e.Value), x.interval(e.Estimate))
		if last, ok := t.Effect(e.Part, AllButOne); ok {
			fmt.Fprintf(&b, "; with all others free, %s %s are left to save", tenth(last.Value), x.interval(last.Estimate))
		}
		b.WriteString("." + x.moved(t, e, all))
	}
	out := x.savers(t, func(e Effect) bool { return !x.Parts[e.Part].InPath(t.Stage) })
	for i, e := range out[:min(maxNamed, len(out))] {
		if i == 0 {
			b.WriteString(" Resources that packets do not use in this stage change when packets come. Freed alone, they save:")
		} else {
			b.WriteString(";")
		}
		fmt.Fprintf(&b, " %s %s %s", x.Parts[e.Part].Noun(), tenthUs(e.Value), x.interval(e.Estimate))
	}
	if len(out) > 0 {
		b.WriteString(".")
	}
	for _, e := range t.Effects {
		if e.How == Absent && x.counts(e.Estimate) {
			fmt.Fprintf(&b, " Without %s it is %s %s less.", e.Name, tenthUs(e.Value), x.interval(e.Estimate))
		}
	}
	if rest, ok := t.Effect(-1, All); ok && t.Excess.Value-rest.Value > leastShare*t.Excess.Value {
		fmt.Fprintf(&b, " With everything free, %s are left.", tenthUs(t.Excess.Value-rest.Value))
	}
	return b.String()
}

// moved says which other stages of the same class become longer when the part of saved is free, and by how
// much.
func (x Explanation) moved(t Target, saved Effect, all []Target) string {
	var parts []string
	for _, o := range all {
		e, ok := o.Effect(saved.Part, Free)
		if ok && o.Class == t.Class && o.Stage != trace.NetMinusLANai && -e.Value > leastShare*saved.Value && x.counts(e.Estimate) {
			parts = append(parts, fmt.Sprintf("%s %s to %s", tenthUs(-e.Value), x.interval(Estimate{-e.Value, minus(e.Hi), minus(e.Lo)}), analysis.StageName(o.Stage, analysis.Modelled)))
		}
	}
	if parts == nil {
		return ""
	}
	return " But it adds " + strings.Join(parts, " and ") + "."
}

// minus returns −v; unknown stays unknown.
func minus(v trace.Opt[float64]) trace.Opt[float64] { v.Value = -v.Value; return v }

// runTime returns what would shorten the run: everything free, one resource free, one twice as fast, another
// program absent.
func (x Explanation) runTime(t Target) string {
	text := fmt.Sprintf("The run takes %s", tenthMs(t.MeanNs))
	if all, ok := t.Effect(-1, All); ok {
		text += fmt.Sprintf(", %s %s less with everything free", tenthMs(all.Value), x.msInterval(all.Estimate))
	}
	for _, h := range []struct {
		how  How
		text string
	}{{Free, "freeing one resource"}, {TwiceAsFast, "making one twice as fast, or two of it"}} {
		var list []Effect
		for _, e := range t.Effects {
			if e.How == h.how && e.Value > 0.01*t.MeanNs && x.counts(e.Estimate) {
				list = append(list, e)
			}
		}
		slices.SortStableFunc(list, func(a, b Effect) int { return cmp.Compare(b.Value, a.Value) })
		var parts []string
		for _, e := range list[:min(maxNamed, len(list))] {
			parts = append(parts, fmt.Sprintf("%s %s %s", x.Parts[e.Part].Noun(), tenthMs(e.Value), x.msInterval(e.Estimate)))
		}
		switch {
		case !slices.ContainsFunc(t.Effects, func(e Effect) bool { return e.How == h.how }):
			continue // as nothing is faster at single nodes
		case parts == nil:
			parts = []string{"not shown to be more than a hundredth, for any"}
		}
		text += ". Saved by " + h.text + ": " + strings.Join(parts, "; ")
	}
	for _, e := range t.Effects {
		if e.How == Absent {
			text += fmt.Sprintf(". Without %s it takes %s %s less", e.Name, tenthMs(e.Value), x.msInterval(e.Estimate))
		}
	}
	return text + "."
}

// tenth and ms write ns in µs and in ms, with one decimal and no unit.
func tenth(ns float64) string { return analysis.In(1e3, "%.1f", ns) }
func ms(ns float64) string    { return analysis.In(1e6, "%.1f", ns) }

// tenthUs and tenthMs write the unit as well.
func tenthUs(ns float64) string { return analysis.WithUnit(tenth(ns), "µs") }
func tenthMs(ns float64) string { return analysis.WithUnit(ms(ns), "ms") }

// interval and msInterval write an interval in µs and in ms.
func (x Explanation) interval(e Estimate) string   { return between(e, tenth) }
func (x Explanation) msInterval(e Estimate) string { return between(e, ms) }

// between writes an interval in brackets, or that there is none.
func between(e Estimate, write func(float64) string) string {
	if !e.Lo.OK {
		return "(no interval)"
	}
	return fmt.Sprintf("(%s to %s)", write(e.Lo.Value), write(e.Hi.Value))
}
