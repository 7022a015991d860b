package logp

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers reads floats from fuzzed bytes: any bit pattern, or small ones.
type numbers struct{ b []byte }

func (n *numbers) next() float64 {
	if len(n.b) == 0 {
		return 0
	}
	kind := n.b[0]
	n.b = n.b[1:]
	if kind%4 == 0 && len(n.b) >= 8 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(n.b))
		n.b = n.b[8:]
		return x
	}
	return float64(kind) / 4
}

func (n *numbers) mean() Mean {
	v := n.next()
	h := 0.0
	if len(n.b) > 0 && n.b[0]%2 == 0 {
		h = n.next()
	}
	return Mean{Value: v, Lo: v - h, Hi: v + h, N: 50}
}

// sound wants every estimate of a result to hold its promise, and JSON of it,
// which has no form for NaN.
func sound(t *testing.T, result any) {
	b, err := json.Marshal(result)
	require.NoError(t, err, "%+v", result)
	require.NotEmpty(t, b)
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if e, ok := v.Interface().(Estimate); ok {
			if e.OK() {
				require.True(t, 0 <= e.Lo && e.Lo <= e.Value && e.Value <= e.Hi && finite(e.Hi), "%+v in %s", e, b)
			} else {
				require.Equal(t, Estimate{Reason: e.Reason}, e)
			}
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		}
	}
	walk(reflect.ValueOf(result))
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 2, 3, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25})
	f.Add(binary.LittleEndian.AppendUint64([]byte{9, 1, 4}, math.Float64bits(math.NaN())))
	f.Add(binary.LittleEndian.AppendUint64([]byte{9, 1, 4}, math.Float64bits(1e308)))
	f.Add(binary.LittleEndian.AppendUint64([]byte{9, 1, 4}, math.Float64bits(5e-324)))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := &numbers{b}
		s := Signature{RTT: n.mean()}
		fr := Fragments{Style: Style(len(b) % 4), HalfRTT: n.mean(), FewSent: n.mean()}
		var bulk Bulk
		sampler := NewSampler(Enough{3, 0.05, 4})
		for len(n.b) > 0 {
			m := 1 << (n.b[0] % 10)
			if n.b[0] > 250 {
				m = 250 - int(n.b[0])
			}
			d := math.Trunc(n.next() / 16)
			x := n.mean()
			s.Points = append(s.Points, Point{m, d, x})
			fr.Sender = append(fr.Sender, Gap{d, x})
			fr.Receiver = append(fr.Receiver, Gap{d, n.mean()})
			bulk = append(bulk, BulkPoint{m - 1, x, n.mean()})
			sampler.Add(x.Value)
		}
		sound(t, s.Extract())
		sound(t, fr.Extract())
		res := bulk.Extract()
		sound(t, res)
		for _, l := range []*Line{res.T, res.O} {
			if l != nil {
				require.True(t, l.T0LoUs <= l.T0Us && l.T0Us <= l.T0HiUs)
			}
		}
		if len(res.Sizes) > 1 {
			sound(t, Ratio("ratio", res.Sizes[0].T, res.Sizes[1].T))
		}
		sound(t, sampler.Mean().Estimate("sample"))
	})
}

func FuzzEstimateJSON(f *testing.F) {
	f.Add([]byte(`{"value":1,"lo":0,"hi":2}`))
	f.Add([]byte(`{"not_identifiable":"why"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var e Estimate
		if json.Unmarshal(b, &e) != nil {
			return
		}
		sound(t, e)
		out, err := json.Marshal(e)
		require.NoError(t, err)
		var back Estimate
		require.NoError(t, json.Unmarshal(out, &back))
		require.Equal(t, e, back)
	})
}
