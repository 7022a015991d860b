package watch

import "strings"

// Need is one thing that a watch needs of a host.
type Need struct {
	Name  string `json:"name"`
	There bool   `json:"there"`
	Costs string `json:"without"` // what is not measured without it
}

// Lack is an error that says which needs of a watch are not met.
type Lack []Need

func (l Lack) Error() string {
	var names []string
	grant := false
	for _, n := range l {
		names = append(names, n.Name)
		grant = grant || strings.HasPrefix(n.Name, "CAP_")
	}
	text := "cannot watch without " + strings.Join(names, ", ")
	if grant {
		text += ": run it as root, or grant it with sudo setcap cap_bpf,cap_perfmon+ep $(command -v sigview)"
	}
	return text
}

// everything is what is lost without a thing that nothing works without.
const everything = "nothing can be watched"

// capabilities are those that a watch needs, with their numbers.
var capabilities = []struct {
	name string
	bit  int
}{{"CAP_PERFMON", 38}, {"CAP_BPF", 39}}
