package judge

import (
	"context"
	"fmt"
	"strings"
)

// Session is one measurement. It reads experiments without their errors: the
// first error ends it.
type Session struct{ ctx context.Context }

// failure carries an error from Check to Run.
type failure struct{ err error }

// Run makes an experiment of a function that has a session. As a Measure it
// measures a row.
func Run[T any](f func(*Session) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (v T, err error) {
		defer func() {
			if p := recover(); p != nil {
				f, ours := p.(failure)
				if !ours {
					panic(p)
				}
				err = f.err
			}
		}()
		s := &Session{ctx}
		s.Check(ctx.Err())
		return f(s), nil
	}
}

// Get returns what an experiment gives.
func Get[T any](s *Session, experiment func(context.Context) (T, error)) T {
	v, err := experiment(s.ctx)
	s.Check(err)
	return v
}

// Context returns the context of the measurement.
func (s *Session) Context() context.Context { return s.ctx }

// Must returns what a call returns. An error ends the measurement: Must is for
// functions that Run calls, on their own goroutine.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

// Check ends the measurement if there is an error.
func (s *Session) Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Fail ends the measurement with an error that says what is wrong.
func (s *Session) Fail(format string, args ...any) { s.Check(fmt.Errorf(format, args...)) }

// Using makes a measurement of what an experiment gives.
func Using[T any](experiment func(context.Context) (T, error), f func(T) Measured) Measure {
	return Run(func(s *Session) Measured { return f(Get(s, experiment)) })
}

// Both makes a measurement of what two experiments give.
func Both[A, B any](a Experiment[A], b Experiment[B], f func(A, B) Measured) Measure {
	return Run(func(s *Session) Measured { return f(Get(s, a), Get(s, b)) })
}

// Every makes one statement of the same one about several things: it holds if
// it holds of each. Their notes stand in the place of note's verb.
func Every[T any](things []T, note, between string, f func(T) Measured) Measured {
	ok := true
	var seen []string
	var criterion string
	for _, t := range things {
		m := f(t)
		ok = ok && m.Holds
		seen, criterion = append(seen, m.Note), m.Criterion
	}
	m := Holds(ok, note, strings.Join(seen, between))
	m.Criterion = criterion
	return m
}

// Each is Every of what has names, each before its note.
func Each(names []string, f func(name string) Measured) Measured {
	return Every(names, "%s", "; ", func(name string) Measured {
		m := f(name)
		m.Note = name + ": " + m.Note
		return m
	})
}

// Memory is what measurements have found, which rows share.
type Memory map[string]any

// Recall returns what find finds for a key. It runs once for each.
func Recall[V any](m Memory, find func() V, key ...any) V {
	name := fmt.Sprintln(key...)
	if v, found := m[name]; found {
		return v.(V)
	}
	v := find()
	m[name] = v
	return v
}
