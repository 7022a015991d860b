package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Documents lists the documents that measurements leave in a directory.
func Documents() []string {
	return []string{"logp.json", "bandwidth.json", "perturb.json", "tpil.json", "verbs.json"}
}

// measured has the quantity of each key of a document, and the factor from the key's unit to the quantity's.
var measured = map[string]struct {
	quantity string
	factor   float64
}{
	"os_us": {"o_s", 1000}, "or_us": {"o_r", 1000}, "L_us": {"L", 1000}, "g_us": {"g", 1000}, "rtt_us": {"rtt", 1000},
	"one_way_us": {"one_way", 1000}, "o_us": {"o", 1000}, "T_us": {"T", 1000}, "bandwidth_MBps": {"bandwidth", 1}, "t_typical_us": {"t_typical", 1000}, "bw_average_MiBps": {"bandwidth", 1 << 20 / 1e6}, "run_time_s": {RunTime, 1e9},
}

// Lists and objects of a document that hold figures, and the keys that say of what.
var (
	holders = []string{"results", "parameters", "sizes", "points", "applications"}
	says    = []string{"workload", "build", "test", "mechanism", "size_bytes"}
	places  = []string{"platform", "layer"} // of several results
)

// OfDocument reads the document that logp, bandwidth, perturb, tpil or verbs wrote into dir under this name. It
// returns an error if the document is not one of sigview, or has no figures.
func OfDocument(dir, name string, data []byte) (Run, error) {
	data, err := trace.Unseal(data)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", name, err)
	}
	var d map[string]any
	if err := json.Unmarshal(data, &d); err != nil {
		return Run{}, fmt.Errorf("%s: %w; wanted a whole document", name, err)
	}
	if _, ok := d["schema_version"].(float64); !ok {
		return Run{}, fmt.Errorf("%s: schema_version: missing, wanted a document of sigview", name)
	}
	var head struct {
		Schema   int    `json:"schema_version"`
		Tool     string `json:"tool_version"`
		Seed     uint64 `json:"seed"`
		Platform string `json:"platform"`
		Digest   string `json:"platform_digest"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Run{}, fmt.Errorf("%s: %w", name, err)
	}
	r := Run{Dir: dir, Manifest: trace.Manifest{
		SchemaVersion: head.Schema, ToolVersion: head.Tool, Seed: head.Seed, Workload: strings.TrimSuffix(name, ".json"),
		Platform: trace.Platform{Name: head.Platform, Digest: head.Digest}, Verified: true,
	}}
	spec := map[string]any{}
	for k, v := range d {
		switch v.(type) {
		case string, float64:
			if !slices.Contains([]string{"schema_version", "tool_version", "seed", "platform", "platform_digest"}, k) {
				spec[k] = v
			}
		}
	}
	if r.Manifest.Spec, err = json.Marshal(spec); err != nil {
		return Run{}, err
	}
	if r.walk(d, nil); len(r.Figures) == 0 {
		return Run{}, fmt.Errorf("%s: holds no figures, wanted a measurement by this or an earlier version", name)
	}
	delete(d, "tool_version")
	r.Results = digest(d)
	return r, nil
}

// walk adds the figures of an object and of those in it. of is what the objects around it say: workload, test,
// size.
func (r *Run) walk(object map[string]any, of []string) {
	for _, k := range says {
		switch v := object[k].(type) {
		case string:
			of = append(slices.Clone(of), v)
		case float64:
			of = append(slices.Clone(of), fmt.Sprintf("%.0f B", v))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(measured)) {
		v, ok := object[k].(float64)
		if inner, isObject := object[k].(map[string]any); isObject {
			v, ok = inner["value"].(float64)
		}
		if ok {
			r.add(Figure{Key: Key{Quantity: measured[k].quantity, Where: strings.Join(of, " ")}, Value: v * measured[k].factor})
		}
	}
	for _, k := range holders {
		switch v := object[k].(type) {
		case map[string]any:
			r.walk(v, of)
		case []any:
			for _, x := range v {
				if inner, ok := x.(map[string]any); ok {
					r.walk(inner, append(slices.Clone(of), named(inner, k == "results" && len(v) > 1)...))
				}
			}
		}
	}
}

// add adds a figure unless there is one with its key.
func (r *Run) add(f Figure) {
	if !slices.ContainsFunc(r.Figures, func(o Figure) bool { return o.Key == f.Key }) {
		r.Figures = append(r.Figures, f)
	}
}

// named returns platform and layer of an object, nil unless it is one of several results.
func named(object map[string]any, several bool) (of []string) {
	for _, k := range places {
		if v, ok := object[k].(string); ok && several {
			of = append(of, v)
		}
	}
	return of
}
