package names

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type color uint8

func TestEnum(t *testing.T) {
	colors := NewEnum[color]("color", "red", "green")
	require.Equal(t, []string{"red", "green"}, colors.Names())
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
