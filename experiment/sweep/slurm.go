package sweep

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
)

// maxTasks is the largest number of tasks of a job array in Slurm's default configuration.
const maxTasks = 1000

// Tasks returns how many tasks a job array for the plan has, and those of them that have runs
// which have not ended.
func (p *Plan) Tasks(dir string) (n int, open []uint64) {
	d := store(dir)
	items := p.items()
	n = min(len(items), maxTasks)
	for task := range n {
		for i := task; i < len(items); i += n {
			r := items[i]
			if _, failed := d.failure(r.Cell, r.seed); !failed && !d.finished(r.Cell, r.seed) {
				open = append(open, uint64(task))
				break
			}
		}
	}
	return n, open
}

// Script is what the script of a job array needs to know.
type Script struct {
	Name    string // of the sweep
	Program string // sigview's file
	Folder  string // in which it is to be run
	File    string // of the sweep
	Dir     string // of the sweep
	Log     string // folder for the output of tasks
	Tasks   int
	Open    []uint64 // the tasks to be run
}

// String returns the script. It submits the array, and a job that collects its results.
func (s Script) String() string {
	sweep := fmt.Sprintf(`GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}" %s sweep %s -o %s --quiet`, quoted(s.Program), quoted(s.File), quoted(s.Dir))
	return fmt.Sprintf(`#!/bin/sh
# Makes the runs of the sweep %s that are missing, as a job array of Slurm, and then
# its tables. Arguments go to sbatch: sh FILE --partition=short --time=1:00:00
set -eu
cd %s
array=$(sbatch --parsable --job-name=%s --array=%s --output=%s "$@" \
  --wrap %s)
collect=$(sbatch --parsable --job-name=%s --dependency="afterany:${array%%%%;*}" --output=%s "$@" \
  --wrap %s)
echo "array job ${array%%%%;*}, then job ${collect%%%%;*} makes the tables"
`,
		s.Name, quoted(s.Folder), quoted(s.Name), strings.ReplaceAll(trace.SeedsText(s.Open), "..", "-"), quoted(s.Log+"/%a.log"),
		quoted(fmt.Sprintf(`%s --part "$SLURM_ARRAY_TASK_ID/%d"`, sweep, s.Tasks)),
		quoted(s.Name+"-tables"), quoted(s.Log+"/tables.log"), quoted(sweep+" --collect"))
}

// quoted writes a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
