// Program architectures compares sigview on other processors with that of this machine: every byte
// that commands print and write. It also looks for instructions that add to a product without
// rounding it, which only some processors have. It runs in the root of the source tree; qemu
// runs what this machine cannot.
//
// Files, in reading order:
//   - main.go: its command line, and the result as a part of docs/reliability.md
//   - compare.go: commands that are run on each processor, and the files that they leave
//   - fused.go: fused instructions of a program
package main
