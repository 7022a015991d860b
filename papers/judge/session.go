package judge

import (
	"context"
	"fmt"
	"strings"
)

// Session is one measurement. Its methods return no errors: the first error ends
// it.
type Session struct{ ctx context.Context }

// failure carries an error from Check to Run.
type failure struct{ err error }

// Run makes an experiment of a function that uses a session. The experiment returns
// the error that ends the session.
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

// Get returns the result of an experiment.
func Get[T any](s *Session, experiment func(context.Context) (T, error)) T {
	v, err := experiment(s.ctx)
	s.Check(err)
	return v
}

// Context returns the context of the measurement.
func (s *Session) Context() context.Context { return s.ctx }

// Must returns v. An error ends the measurement. Must is for functions that Run
// calls, on the goroutine of Run.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

// Check ends the measurement unless err is nil.
func (s *Session) Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Fail ends the measurement with an error.
func (s *Session) Fail(format string, args ...any) { s.Check(fmt.Errorf(format, args...)) }

// Using makes a measure of the result of an experiment.
func Using[T any](experiment func(context.Context) (T, error), f func(T) Measured) Measure {
	return Run(func(s *Session) Measured { return f(Get(s, experiment)) })
}

// Both makes a measure of the results of two experiments.
func Both[A, B any](a Experiment[A], b Experiment[B], f func(A, B) Measured) Measure {
	return Run(func(s *Session) Measured { return f(Get(s, a), Get(s, b)) })
}

// Every makes one statement of the same statement about several things. It holds if
// it holds for each. The notes, joined by between, replace the verb of note.
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

// Each is Every for named things. Each note begins with the name.
func Each(names []string, f func(name string) Measured) Measured {
	return Every(names, "%s", "; ", func(name string) Measured {
		m := f(name)
		m.Note = name + ": " + m.Note
		return m
	})
}

// Memory holds results that rows share, by key.
type Memory map[string]any

// Recall returns the result of find for a key. It calls find once for each key.
func Recall[V any](m Memory, find func() V, key ...any) V {
	name := fmt.Sprintln(key...)
	if v, found := m[name]; found {
		return v.(V)
	}
	v := find()
	m[name] = v
	return v
}
