// Package gam models Generic Active Messages.
package gam
