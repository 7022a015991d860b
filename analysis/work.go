package analysis

import (
	"reflect"
	"strings"
)

// Work returns the names of a struct's fields that say what work is done: those with the
// tag work:"yes", by their JSON names, a field of another struct behind a dot. Untagged are
// those with neither work:"yes" nor work:"no".
func Work(of reflect.Type) (work, untagged []string) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch tag := f.Tag.Get("work"); {
		case tag == "yes":
			work = append(work, name)
		case tag == "no":
		case f.Type.Kind() == reflect.Struct:
			inner, bare := Work(f.Type)
			if !f.Anonymous {
				inner, bare = behind(name, inner), behind(name, bare)
			}
			work, untagged = append(work, inner...), append(untagged, bare...)
		default:
			untagged = append(untagged, name)
		}
	}
	return work, untagged
}

func behind(name string, fields []string) (out []string) {
	for _, f := range fields {
		out = append(out, name+"."+f)
	}
	return out
}
