package bench

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryWordSaysWhetherItIsWork: words and numbers beside the figures of a measurement say
// how it was made. Those have the tag work, so that comparisons know whether to refuse
// measurements that differ in them.
func TestEveryWordSaysWhetherItIsWork(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[LogP](), reflect.TypeFor[Bandwidth]()} {
		for i := range of.NumField() {
			f := of.Field(i)
			if f.Type.Kind() == reflect.String || f.Type.Kind() == reflect.Int {
				require.Contains(t, []string{"yes", "no"}, f.Tag.Get("work"), "%s.%s", of.Name(), f.Name)
			}
		}
	}
}
