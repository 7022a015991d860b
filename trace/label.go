package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Label is a key and its value in the metadata of a file.
type Label struct{ Key, Value string }

// String is the label as a comment line.
func (l Label) String() string { return l.Key + ": " + l.Value }

// LeftOut begins the comment of a log that leaves out values.
const LeftOut = "left out: "

// Labels say of what run a file is.
func (m Manifest) Labels() []Label {
	names := map[string]string{}
	for _, p := range m.Tags {
		names[strconv.Itoa(int(p.Tag))] = p.Name
	}
	tags, err := json.Marshal(names) // sorted by key
	if err != nil {
		panic(fmt.Sprintf("trace: names of tags: %v", err))
	}
	out := []Label{
		{"sigview.tool_version", m.ToolVersion},
		{"sigview.workload", m.Workload},
		{"sigview.platform", m.Platform.Name},
		{"sigview.platform_digest", m.Platform.Digest},
		{"sigview.nodes", strconv.Itoa(m.Nodes)},
		{"sigview.seed", strconv.FormatUint(m.Seed, 10)},
		{"sigview.specification_digest", m.SpecDigest()},
		{"sigview.event_digest", m.EventDigest},
		{"sigview.tags", string(tags)},
	}
	if !m.Began.IsZero() {
		out = append(out, Label{"sigview.began", m.Began.Format(time.RFC3339Nano)})
	}
	return out
}

// SpecDigest returns the SHA-256 of the specification as JSON without white space.
func (m Manifest) SpecDigest() string {
	var b bytes.Buffer
	if err := json.Compact(&b, m.Spec); err != nil {
		return "" // Check refuses such a manifest
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}
