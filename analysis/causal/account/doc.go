// Package account holds who waited for whom: the time of each actor cut into pieces, each with
// the actor that held it up (the holder) and the first in the chain of holders that was served
// meanwhile (the root).
//
// Times are in ps. Invariant: the pieces of an actor follow each other without gap or overlap, from
// its begin to its end.
//
// Files, in reading order:
//   - classes.go: sorts of actors
//   - part.go: a part of a log with the actors that belong to it
//   - rows.go: the tables actors and waits
//   - beyond.go: what processors do for packets that have gone on
//   - resolve.go: a log becomes pieces, each with the holder and the root of its waiting
//   - chain.go: the chain of holders at an instant
//   - root.go: the chain of holders
//   - account.go: actors with the pieces of their time
//   - members.go: some of the actors of a log
//   - holds.go: who has a resource at an instant
package account
