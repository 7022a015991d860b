// Package pm models PM.
package pm
