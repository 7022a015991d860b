package flags

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Annotations of the flags of a specification.
const (
	Group = "sigview_group" // in forms
	Path  = "sigview_path"  // of the field, as errors name it
	Known = "sigview_known" // the words that the flag takes
)

// Add adds the flags of spec, a pointer to a specification, in the order of its fields. The
// fields keep their values, which are the defaults.
func Add(fs *pflag.FlagSet, spec any, without ...string) {
	add(fs, reflect.ValueOf(spec).Elem(), "", "", without)
}

func add(fs *pflag.FlagSet, spec reflect.Value, path, group string, without []string) {
	for i := range spec.NumField() {
		f := spec.Type().Field(i)
		at, group := path, cmp.Or(f.Tag.Get("group"), group)
		if !f.Anonymous {
			at = strings.TrimPrefix(path+"."+bounds.Name(f), ".")
		}
		name := f.Tag.Get("flag")
		switch {
		case strings.HasPrefix(name, "-") || slices.Contains(without, name):
		case name != "":
			one := flag(fs, name, at, spec.Field(i).Addr().Interface(), f.Tag)
			one.NoOptDefVal = cmp.Or(f.Tag.Get("bare"), one.NoOptDefVal)
			one.Annotations = map[string][]string{Path: {at}, Known: known(spec.Field(i))}
			if group != "" {
				one.Annotations[Group] = []string{group}
			}
		case f.Type.Kind() == reflect.Struct:
			add(fs, spec.Field(i), at, group, without)
		}
	}
}

// known returns the words that a field takes, or none.
func known(field reflect.Value) []string {
	if field.Kind() == reflect.Slice {
		field = reflect.Zero(field.Type().Elem())
	}
	if e, ok := field.Interface().(names.Enumeration); ok {
		return e.Words().Names()
	}
	return nil
}

// flag adds the flag of one field, by the field's type.
func flag(fs *pflag.FlagSet, name, path string, field any, tag reflect.StructTag) *pflag.Flag {
	help := strings.ReplaceAll(tag.Get("help"), "%s", strings.Join(known(reflect.ValueOf(field).Elem()), ", "))
	var v pflag.Value
	switch to := field.(type) {
	case *bool:
		fs.BoolVar(to, name, *to, help)
	case *string:
		fs.StringVar(to, name, *to, help)
	case *[]string:
		fs.StringSliceVar(to, name, *to, help)
	case *[]int:
		fs.IntSliceVar(to, name, *to, help)
	case *uint64:
		fs.Uint64Var(to, name, *to, help)
	case *float64:
		if v = Microseconds(to); !strings.HasSuffix(path, "_us") {
			v = nil
			fs.Float64Var(to, name, *to, help)
		}
	case *int:
		switch {
		case name == "nodes":
			v = Nodes(to)
		case tag.Get("zero") != "":
			fs.IntVar(to, name, *to, help)
		default:
			v = Count(to)
		}
	case *int64:
		v = Count(to)
	case *sim.Duration:
		v = Span(to)
	case *[]experiment.Stall:
		v = Stalls(to)
	case *experiment.Selection:
		v, help = selection{to}, help+experiment.SelectionForm
	case *[]experiment.Resource:
		v = Words(to)
	case *[]experiment.Policy:
		v = Words(to)
	case Enumeration:
		v = OneOf(to)
	default:
		panic(fmt.Sprintf("flags: %s is a %T, want a type that flags take", path, field))
	}
	if v != nil {
		fs.Var(v, name, help)
	}
	return fs.Lookup(name)
}

// Args returns the arguments that make spec of usual, pointers to two specifications of one
// type.
func Args(spec, usual any) (args []string) {
	var to, from pflag.FlagSet
	Add(&to, spec)
	Add(&from, usual)
	to.SortFlags = false
	to.VisitAll(func(f *pflag.Flag) {
		switch text := Text(f); {
		case text == Text(from.Lookup(f.Name)):
		case text == f.NoOptDefVal: // also true
			args = append(args, "--"+f.Name)
		case f.NoOptDefVal != "":
			args = append(args, "--"+f.Name+"="+text)
		default:
			args = append(args, "--"+f.Name, text)
		}
	})
	return args
}

// Text writes the value of a flag as the flag takes it.
func Text(f *pflag.Flag) string {
	if l, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(l.GetSlice(), ",")
	}
	return f.Value.String()
}
