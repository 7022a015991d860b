package main

import (
	"errors"
	"fmt"
)

// Exit codes. A command that fails to parse or to run never passes.
const (
	exitPass         = 0
	exitFailure      = 1
	exitUsage        = 2
	exitOutOfBounds  = 3 // a regression, or a figure out of tolerance
	exitInconclusive = 4
)

// verdictError ends a command that has succeeded with a verdict other than pass.
type verdictError struct {
	code int
	text string
}

func (e *verdictError) Error() string { return e.text }

func outOfBounds(format string, args ...any) error {
	return &verdictError{exitOutOfBounds, fmt.Sprintf(format, args...)}
}

func inconclusive(format string, args ...any) error {
	return &verdictError{exitInconclusive, fmt.Sprintf(format, args...)}
}

// usageError is a mistake in the arguments.
type usageError struct {
	text  string
	cause error // or nil
}

func (e *usageError) Error() string { return e.text }

func (e *usageError) Unwrap() error { return e.cause }

// Usage marks the error for exitCode.
func (e *usageError) Usage() bool { return true }

// usage makes a mistake in the arguments of an error.
func usage(err error) error { return &usageError{err.Error(), err} }

func usagef(format string, args ...any) error { return &usageError{text: fmt.Sprintf(format, args...)} }

func exitCode(err error) int {
	var verdict *verdictError
	if errors.As(err, &verdict) {
		return verdict.code
	}
	var usage interface{ Usage() bool }
	if errors.As(err, &usage) && usage.Usage() {
		return exitUsage
	}
	return exitFailure
}
