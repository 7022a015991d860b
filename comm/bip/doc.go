// Package bip models BIP (basic interface for parallelism).
package bip
