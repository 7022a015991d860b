// Package platform holds named hardware profiles, one TOML file each, with the
// origin of every number in a comment: published, derived, calibrated (a
// published result was used to set it) or assumed.
package platform
