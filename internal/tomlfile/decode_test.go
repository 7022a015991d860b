package tomlfile

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

type even int64

func (e *even) SetTOML(value any) error {
	n, ok := value.(int64)
	if *e = even(n); !ok || n%2 != 0 {
		return errors.New("an even number")
	}
	return nil
}

type sample struct {
	Name  string  `key:"name"`
	Pairs []even  `key:"pairs,omitempty"`
	Part  float64 `key:"part" range:"0..1"`
	Deep  struct {
		On bool `key:"on"`
	} `key:"deep"`
	None int `key:"-"`
}

func decode(text string, partial bool) (s sample, err error) {
	table, err := Parse("f.toml", []byte(text))
	if err != nil {
		return s, err
	}
	if err = (Form{Of: "a sample", Tag: "key", Partial: partial}).Decode("", table, &s); err != nil {
		err = At("f.toml", text, err)
	}
	return s, err
}

func TestDecode(t *testing.T) {
	s, err := decode("name = \"x\"\npairs = [2, 4]\n[deep]\non = true\n", true)
	require.NoError(t, err)
	require.Equal(t, "x", s.Name)
	require.Equal(t, []even{2, 4}, s.Pairs)
	require.True(t, s.Deep.On)
}

func TestErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\nnam = 1":                       `f.toml:2: nam is not a field of a sample, did you mean "name"?`,
		"name = 1":                        `f.toml:1: name is an integer, want a string in quotes`,
		"pairs = [\n2,\n3]":               `f.toml:1: pairs[1] is 3, want an even number`,
		"part = 1.5":                      `f.toml:1: part is 1.5, want 0 to 1`,
		"name = \"x\"\n[deep]\non = \"\"": `f.toml:3: deep.on is a string, want true or false`,
		"deep = { off = true }":           `f.toml:1: deep.off is not a field of a sample`,
		"None = 3":                        `f.toml:1: None is not a field of a sample`,
		"name = ":                         `f.toml:1: `,
	} {
		_, err := decode(text, true)
		require.ErrorContains(t, err, want, text)
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.True(t, bad.Usage())
	}
	_, err := decode("name = \"x\"\npart = 0.5\npairs = []\n[deep]\n", false)
	require.EqualError(t, err, "f.toml:4: deep.on is missing")
}
