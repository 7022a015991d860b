// Package userspace measures the rows of the study of user-level communication:
// five layers on a pair of nodes.
package userspace
