package analysis

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Difference is a field in which the origins of two runs differ. A value that is not there
// is "none".
type Difference struct {
	Field string `json:"field"`
	A     string `json:"a"`
	B     string `json:"b"`
}

func (d Difference) String() string { return fmt.Sprintf("%s: %s and %s", d.Field, d.A, d.B) }

// Differs returns every field in which the specification, the platform, the version or
// the clock of two runs differ, in the order of their names. Seeds come first. Profiles are
// the documents of the two platforms, if both are known.
func Differs(a, b trace.Manifest, profiles ...json.RawMessage) []Difference {
	var out []Difference
	if x, y := seedsOf(a), seedsOf(b); !slices.Equal(x, y) {
		out = append(out, Difference{"seeds", trace.SeedsText(x), trace.SeedsText(y)})
	}
	x, y := origin(a), origin(b)
	if a.Real() != b.Real() { // the one's specification has nothing in common with the other's
		for _, m := range []map[string]string{x, y} {
			maps.DeleteFunc(m, func(field, _ string) bool { return strings.HasPrefix(field, "specification.") })
		}
		x["made_of"], y["made_of"] = madeOf(a), madeOf(b)
		profiles = nil
	}
	if len(profiles) == 2 && profiles[0] != nil && profiles[1] != nil {
		flatten(x, "platform.profile", profiles[0])
		flatten(y, "platform.profile", profiles[1])
		for _, f := range []string{"name", "title"} { // known, and of no effect
			delete(x, "platform.profile."+f)
			delete(y, "platform.profile."+f)
		}
	}
	return append(out, differing(x, y)...)
}

func madeOf(m trace.Manifest) string {
	if m.Real() {
		return "messages of real hosts"
	}
	return "a model"
}

// seedsOf returns the seeds of a run, or of the runs whose mean it is.
func seedsOf(m trace.Manifest) []uint64 {
	if len(m.Seeds) > 0 {
		return m.Seeds
	}
	return []uint64{m.Seed}
}

// origin returns the fields that say where a run comes from, as texts.
func origin(m trace.Manifest) map[string]string {
	out := map[string]string{}
	flatten(out, "", map[string]any{
		"schema_version": m.SchemaVersion, "tool_version": m.ToolVersion, "workload": m.Workload, "nodes": m.Nodes,
		"platform": m.Platform, "specification": m.Spec, "clock": m.Clock,
	})
	delete(out, "specification.seed")
	delete(out, "specification.workload")
	return out
}

// flatten adds the values of a document to out, under their keys joined by dots.
func flatten(out map[string]string, prefix string, v any) {
	text, err := json.Marshal(v)
	var read any
	if err != nil || json.Unmarshal(text, &read) != nil {
		out[prefix] = fmt.Sprint(v)
		return
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if at != "" {
					k = at + "." + k
				}
				walk(k, x)
			}
		case string:
			out[at] = v
		case float64:
			out[at] = strconv.FormatFloat(v, 'f', -1, 64)
		default:
			text, _ := json.Marshal(v) // it has been read as JSON
			out[at] = string(text)
		}
	}
	walk(prefix, read)
}

func differing(a, b map[string]string) (out []Difference) {
	fields := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for k := range m {
			fields[k] = true
		}
	}
	value := func(m map[string]string, k string) string {
		if v, ok := m[k]; ok && v != "" && v != "null" && v != "[]" {
			return v
		}
		return "none"
	}
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if x, y := value(a, k), value(b, k); x != y {
			out = append(out, Difference{k, x, y})
		}
	}
	return out
}
