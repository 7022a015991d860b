package names

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

type color uint8

func TestEnum(t *testing.T) {
	colors := NewEnum[color]("color", "red", "green")
	require.Equal(t, []string{"red", "green"}, colors.Words().Names())
	require.Equal(t, []color{0, 1}, colors.values)
	require.Equal(t, "green", colors.Name(1))
	require.Equal(t, "color(2)", colors.Name(2))
	c, err := colors.Parse("green")
	require.NoError(t, err)
	require.EqualValues(t, 1, c)
	require.EqualError(t, colors.Set(&c, []byte("gren")), `unknown color "gren", did you mean "green"? (known: red, green)`)
	require.EqualValues(t, 1, c)

	bits := NewEnumOf("bit", []color{4, 0}, "high", "none")
	require.NoError(t, bits.Set(&c, []byte("high")))
	require.EqualValues(t, 4, c)
	require.Equal(t, "none", bits.Name(0))
	require.Equal(t, "bit(1)", bits.Name(1))
}

func (color) Words() Words { return NewWords("color", "red", "green") }

func (c *color) UnmarshalText(name []byte) error {
	return NewEnum[color]("color", "red", "green").Set(c, name)
}

func TestWord(t *testing.T) {
	w := Word[color]("gren")
	require.EqualError(t, w.Check(), `unknown color "gren", did you mean "green"? (known: red, green)`)
	require.Equal(t, []Word[color]{"red", "green"}, w.All())

	var spec struct{ Color Word[color] }
	require.NoError(t, json.Unmarshal([]byte(`{"Color": "green"}`), &spec))
	require.ErrorContains(t, json.Unmarshal([]byte(`{"Color": "gren"}`), &spec), `did you mean "green"?`)
	require.EqualValues(t, "green", spec.Color)

	c := color(0)
	require.NoError(t, spec.Color.Into(&c))
	require.NoError(t, json.Unmarshal([]byte(`{"Color": ""}`), &spec))
	require.NoError(t, spec.Color.Into(&c), "a choice that is left to others")
	require.EqualValues(t, 1, c)
	require.Error(t, w.Into(&c))
}
