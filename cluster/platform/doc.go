// Package platform holds named hardware profiles, one TOML file each, with the
// origin of every number in a comment: published, derived, calibrated (a
// published result was used to set it) or assumed.
//
// A profile is decoded into the specifications of the packages that model its
// parts: their fields carry the names, the units and the ranges.
//
// Files, in reading order:
//   - added.go: layers that are added to platforms
//   - assumed.go: the numbers that are assumed, and overlays that change them
//   - overlay.go: changes of a few fields of a profile
//   - borrow.go: layers of other platforms in a profile
//   - combine.go: the card of one platform in the host of another
//   - load.go: profiles by name or file
//   - place.go: a layer on a platform
//   - layers.go: the communication layers that a profile describes
//   - profile.go: the sections of a profile
package platform
