// Command sigview builds a cluster of nodes with modelled network interfaces,
// runs real programs on it, and shows where every packet spends its time as a
// performance signature beside the unloaded baseline.
//
// Data are written to standard output, messages and progress to standard error. Exit
// codes are 0 for pass, 1 for failure, 2 for wrong usage, 3 for a figure out of
// tolerance, and 4 for inconclusive.
//
// Files, in reading order:
//   - main.go: the process
//   - run.go: sigview run
//   - seeds.go: a program with several seeds, and directories of runs
//   - calibrate.go: sigview calibrate
//   - live.go: sigview live
//   - watch.go: sigview watch
//   - sweep.go: sigview sweep
//   - baseline.go: sigview baseline
//   - serve.go: runs of a folder as pages
//   - report.go: sigview report
//   - why.go: sigview why
//   - trace.go: sigview trace
//   - explanation.go: what sigview trace prints, kept of a long trace
//   - export.go: sigview export
//   - import.go: sigview import
//   - diff.go: sigview diff
//   - reference.go: sigview reference
//   - view.go: sigview view
//   - inside.go: commands that the views run
//   - perturb.go: sigview perturb
//   - tpil.go: sigview tpil
//   - verbs.go: sigview verbs
//   - messages.go: sigview messages
//   - clocktest.go: sigview clocktest
//   - logp.go: sigview logp
//   - bandwidth.go: sigview bandwidth
//   - validate.go: sigview validate
//   - validate_fast.go: run times of fast runs beside the full model
//   - selftest.go: sigview selftest
//   - catalogue.go: sigview platforms, layers and workloads
//   - agent.go: sigview agent
//   - version.go: sigview version
//   - man.go: sigview man
//   - keep.go: runs and their directories
//   - measured.go: measurements, their documents and directories
//   - hosts.go: measurements between real hosts, as commands ask for them
//   - render.go: formats of reports
//   - common.go: flags that several commands have
//   - complete.go: completion by the shell
//   - underway.go: how far a directory is, for others
//   - progress.go: the progress bar
//   - output.go: standard output, files and JSON
//   - printed.go: what may reach a terminal
//   - app.go: an invocation of the program, its root command
//   - help.go: sigview help and its topics
//   - fields.go: flags for fields of specifications
//   - args.go: numbers of arguments, errors of flags
//   - exit.go: exit codes
//   - screen.go: what the output streams are connected to
package main
