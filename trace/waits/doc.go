// Package waits is the vocabulary of waiting: who used a resource and when, who
// waited for it, and for whom.
//
// An actor is a packet, a process of a host, or work that an interface does of its own
// accord. From its begin to its end it is always in exactly one interval: served by a
// resource, waiting for one, or idle. So the intervals of an actor sum to its whole
// time, exactly, in picoseconds.
//
// A hold is the time in which an actor has a resource, whatever else it does. It outlasts
// the actor's service if the actor waits for something else meanwhile: a packet that is
// stopped keeps the channels behind it. Who waits for a resource waits for its holder.
//
// A Log is written by a model, which knows, or rebuilt from the traces of a monitor,
// which does not.
//
// Files, in reading order:
//   - log.go: intervals and holds as they are recorded
//   - together.go: waiting of many, summed up
//   - actor.go: who uses resources and waits for them
//   - resource.go: what can be waited for
package waits
