// Package amii models Active Messages II.
package amii
