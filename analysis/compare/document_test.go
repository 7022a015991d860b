package compare

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const logpText = `{"schema_version":1,"tool_version":"1","seed":%d,"platform":"ppro","platform_digest":"d","layer":"gam","method":"signature",
"parameters":{"os_us":{"value":%g,"lo":1,"hi":2},"or_us":{"not_identifiable":"hidden"},"L_us":{"value":5,"lo":5,"hi":5}},
"sizes":[{"size_bytes":1024,"o_us":{"value":3},"bandwidth_MBps":{"value":40}}],"warnings":[]}`

func TestFiguresOfDocuments(t *testing.T) {
	r, err := OfDocument("gam", "logp.json", fmt.Appendf(nil, logpText, 3, 1.5))
	require.NoError(t, err)
	require.Equal(t, []Figure{
		{Key: Key{Quantity: "L"}, Value: 5000}, {Key: Key{Quantity: "o_s"}, Value: 1500},
		{Key: Key{Quantity: "bandwidth", Where: "1024 B"}, Value: 40}, {Key: Key{Quantity: "o", Where: "1024 B"}, Value: 3000},
	}, r.Figures)
	require.Equal(t, "logp", r.Manifest.Workload)
	require.EqualValues(t, 3, r.Manifest.Seed)

	r, err = OfDocument("p", "perturb.json", []byte(`{"schema_version":1,"tool_version":"1","seed":1,"platform":"shrimp","builds":["off"],"points":[
		{"build":"off","test":"stream","size_bytes":4,"one_way_us":null,"bandwidth_MBps":0.25,"os_us":2}],"applications":[{"workload":"fft","build":"off","run_time_s":0.5}]}`))
	require.NoError(t, err)
	require.Equal(t, []Figure{
		{Key: Key{Quantity: "bandwidth", Where: "off stream 4 B"}, Value: 0.25}, {Key: Key{Quantity: "o_s", Where: "off stream 4 B"}, Value: 2000},
		{Key: Key{Quantity: RunTime, Where: "fft off"}, Value: 5e8},
	}, r.Figures)

	r, err = OfDocument("b", "bandwidth.json", []byte(`{"schema_version":1,"tool_version":"1","seed":1,"results":[
		{"platform":"ppro","layer":"fm","test":"pingpong","points":[{"size_bytes":64,"bandwidth_MBps":4,"one_way_us":16}]},
		{"platform":"ppro","layer":"gam","test":"pingpong","points":[{"size_bytes":64,"bandwidth_MBps":5,"one_way_us":12.8}]}]}`))
	require.NoError(t, err)
	require.Len(t, r.Figures, 4)
	require.Equal(t, Key{Quantity: "bandwidth", Where: "ppro gam pingpong 64 B"}, r.Figures[2].Key)
}

func TestDocumentsAreGated(t *testing.T) {
	side := func(name string, os float64) (s Side) {
		s.Name = name
		for seed := range 3 {
			r, err := OfDocument(name, "logp.json", fmt.Appendf(nil, logpText, seed, os+0.01*float64(seed)))
			require.NoError(t, err)
			s.Runs = append(s.Runs, r)
		}
		return s
	}
	c := Compare(side("a", 1.5), side("b", 1.8), 30)
	for text, want := range map[string]Verdict{"o_s>10%": Fail, "o_s>30%": Pass, "L>1%": Pass, "bandwidth<-1%": Pass, "g>1%": Inconclusive, "any>1%": Inconclusive} {
		v, _ := gate(t, &c, text)
		require.Equal(t, want, v, text)
	}
	require.True(t, Compare(side("a", 1.5), side("b", 1.5), 30).Same)
}

func TestDocumentsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "wanted a whole document", `[]`: "wanted a whole document", `{}`: "schema_version: missing",
		`{"schema_version":1}`: "holds no figures", `{"schema_version":1,"seed":"x"}`: "seed",
	} {
		_, err := OfDocument("d", "logp.json", []byte(text))
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "logp.json: ")
	}
}

func FuzzOfDocument(f *testing.F) {
	f.Add(fmt.Appendf(nil, logpText, 3, 1.5))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := OfDocument("d", "logp.json", data)
		if err == nil {
			_ = Compare(Side{"a", []Run{r}}, Side{"b", []Run{r}}, 0)
		}
	})
}
