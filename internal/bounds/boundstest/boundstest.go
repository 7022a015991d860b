// Package boundstest tests that specifications refuse numbers out of range.
package boundstest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Refuses sets every number of spec, a pointer to a struct with toml tags, to
// values that no range contains, one at a time, and requires that validate
// names the field and says what is wanted. It returns how many numbers there
// are, for the caller to check that none has been forgotten.
func Refuses(t *testing.T, section string, spec any, validate func() error) int {
	t.Helper()
	require.NoError(t, validate())
	count := 0
	numbers(reflect.ValueOf(spec).Elem(), section+".", func(name string, v reflect.Value) {
		count++
		old := reflect.ValueOf(v.Interface())
		for _, bad := range []float64{-1, 1e18} {
			switch {
			case v.CanFloat():
				v.SetFloat(bad)
			case v.CanUint():
				v.SetUint(uint64(max(bad, 0)))
			default:
				v.SetInt(int64(bad))
			}
			err := validate()
			require.Error(t, err, "%s = %v", name, v)
			require.Contains(t, err.Error(), name+" is ")
			require.Contains(t, err.Error(), ", want ")
		}
		v.Set(old)
	})
	return count
}

// numbers calls f for every number of a spec with the name it has in a profile.
func numbers(v reflect.Value, path string, f func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		name := path + v.Type().Field(i).Tag.Get("toml")
		switch x := v.Field(i); {
		case x.Kind() == reflect.Struct:
			numbers(x, name+".", f)
		case x.CanInt(), x.CanUint(), x.CanFloat():
			f(name, x)
		}
	}
}
