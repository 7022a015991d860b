package bench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// Measured is the content of a document of measurements. Exactly one of its lists or pointers is set.
type Measured struct {
	Document  []byte // without its digest
	Tool      string // version of sigview
	Seed      uint64
	LogP      []LogP
	Bandwidth []Bandwidth
	Perturb   *Perturb
	Injection *Injection
	Verbs     []Verbs
}

// Labels returns the labels of files made from the document. Of several results, platforms and layers are
// joined by commas. The digest is the SHA-256 of the document.
func (m *Measured) Labels() []trace.Label {
	places := slices.Concat(Places(m.LogP), Places(m.Bandwidth))
	if m.Perturb != nil {
		places = []Place{{Platform: m.Perturb.Platform}}
	}
	if x := m.Injection; x != nil {
		places = []Place{{Platform: x.Platform, Digest: x.Digest}}
	}
	for i := range m.Verbs {
		places = append(places, m.Verbs[i].Place())
	}
	joined := func(field func(Place) string) string {
		var all []string
		for _, p := range places {
			if name := field(p); !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		return strings.Join(all, ",")
	}
	sum := sha256.Sum256(m.Document)
	return slices.DeleteFunc([]trace.Label{
		{Key: "sigview.tool_version", Value: m.Tool},
		{Key: "sigview.platform", Value: joined(func(p Place) string { return p.Platform })},
		{Key: "sigview.platform_digest", Value: joined(func(p Place) string { return p.Digest })},
		{Key: "sigview.layer", Value: joined(func(p Place) string { return p.Layer })},
		{Key: "sigview.seed", Value: strconv.FormatUint(m.Seed, 10)},
		{Key: "sigview.document_digest", Value: hex.EncodeToString(sum[:])},
	}, func(l trace.Label) bool { return l.Value == "" })
}

// ErrNotMeasured is the error for a directory without a document of measurements.
var ErrNotMeasured = errors.New("no measurement of a layer")

// schema is the newest schema version that can be read.
const schema = 1

// documents lists the file of each kind of measurement, and the function that decodes one result and adds it.
var documents = []struct {
	name string
	one  func(*Measured, []byte) error
}{
	{"logp.json", func(m *Measured, data []byte) error {
		x := LogP{}
		err := whole(data, &x, func() []named { return x.names("method", x.Method) })
		m.LogP = append(m.LogP, x)
		return err
	}},
	{"bandwidth.json", func(m *Measured, data []byte) error {
		x := Bandwidth{}
		err := whole(data, &x, func() []named { return x.names("test", x.Test) })
		m.Bandwidth = append(m.Bandwidth, x)
		return err
	}},
	{"perturb.json", func(m *Measured, data []byte) error {
		m.Perturb = &Perturb{}
		return whole(data, m.Perturb, func() []named { return []named{{"platform", m.Perturb.Platform}} })
	}},
	{"tpil.json", func(m *Measured, data []byte) error {
		m.Injection = &Injection{}
		return whole(data, m.Injection, func() []named { return []named{{"platform", m.Injection.Platform}} })
	}},
	{"verbs.json", func(m *Measured, data []byte) error {
		x := Verbs{}
		err := whole(data, &x, func() []named {
			return []named{{"platform", x.Platform}, {"test", x.Test}, {"operation", x.Operation}, {"measure", x.Measure}}
		})
		m.Verbs = append(m.Verbs, x)
		return cmp.Or(err, x.check())
	}},
}

// Documents returns the names of all documents of measurements.
func Documents() (all []string) {
	for _, d := range documents {
		all = append(all, d.name)
	}
	return all
}

// named is a field that may not be empty.
type named struct{ field, value string }

// names returns the fields of a result that may not be empty: platform, layer and one more.
func (p Place) names(field, value string) []named {
	return []named{{"platform", p.Platform}, {"layer", p.Layer}, {field, value}}
}

// whole decodes a result. It returns an error that names the field if one of names is empty.
func whole(data []byte, to any, names func() []named) error {
	if err := json.Unmarshal(data, to); err != nil {
		return err
	}
	for _, n := range names() {
		if n.value == "" {
			return fmt.Errorf("%s: missing", n.field)
		}
	}
	return nil
}

// Read reads the first document of measurements in a directory. It returns ErrNotMeasured if there is none.
// Other errors name the file and say what it lacks.
func Read(dir string) (*Measured, error) {
	for _, d := range documents {
		data, err := inputfile.ReadText(filepath.Join(dir, d.name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			data, err = trace.Unseal(data)
		}
		out := &Measured{Document: data}
		if err == nil {
			err = out.decode(data, d.one)
		}
		if err != nil {
			return nil, fmt.Errorf("directory %s: %s: %w", dir, d.name, inputfile.Cause(err))
		}
		return out, nil
	}
	return nil, ErrNotMeasured
}

// decode reads a document of one result, or of several in a list. It returns an error for a schema version that
// is missing or too new, and for a list without results.
func (m *Measured) decode(data []byte, one func(*Measured, []byte) error) error {
	var head struct {
		Schema  *int              `json:"schema_version"`
		Tool    string            `json:"tool_version"`
		Seed    uint64            `json:"seed"`
		Results []json.RawMessage `json:"results"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%w; wanted a whole document", err)
	}
	switch {
	case head.Schema == nil:
		return errors.New("schema_version: missing, wanted a document of sigview")
	case *head.Schema < 1 || *head.Schema > schema:
		return fmt.Errorf("schema_version: %d, this version of sigview reads 1 to %d", *head.Schema, schema)
	case head.Results == nil:
		head.Results = []json.RawMessage{data}
	case len(head.Results) == 0:
		return errors.New("results: none, wanted one or more")
	}
	m.Tool, m.Seed = head.Tool, head.Seed
	for i, r := range head.Results {
		if err := one(m, r); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
	}
	return nil
}
