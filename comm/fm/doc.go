// Package fm models Fast Messages.
package fm
