package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
)

// exactly requires one argument for each name.
func exactly(want ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(want):
			return usagef("%s is missing", want[len(args)])
		case len(args) > len(want) && len(want) == 0:
			return usagef("argument %q is one too many, want none", args[0])
		case len(args) > len(want):
			return usagef("argument %q is one too many, want %s", args[len(want)], strings.Join(want, " "))
		}
		return nil
	}
}

// atLeastOne requires an argument and allows more.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s is missing", name)
		}
		return nil
	}
}

// atMostOne allows one argument.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("argument %q is one too many, want at most one %s", args[1], name)
		}
		return nil
	}
}

// flagError turns an error of the flag parser into one line with the flag, the
// value and what is wanted.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		return names.Check("flag", "--"+unknown.GetSpecifiedName(), known)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		var name *names.Error
		if errors.As(invalid, &name) {
			hint := ""
			if name.Nearest != "" {
				hint = " (" + name.Nearest + "?)"
			}
			return usagef("--%s is %q, want one of %s%s", f.Name, name.Name, strings.Join(name.Known, ", "), hint)
		}
		return usagef("--%s is %q, want %s", f.Name, invalid.GetValue(), wanted(f, invalid.Unwrap()))
	}
	return usage(err)
}

func wanted(f *pflag.Flag, err error) string {
	var want flags.Want
	if errors.As(err, &want) {
		return string(want)
	}
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint", "uint64":
		return "a whole number from 0"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return "a " + f.Value.Type()
}
