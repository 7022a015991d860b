package trace

import "fmt"

// OnlineRow is something that was found while the program ran, and what a policy did
// about it.
type OnlineRow struct {
	TimeNs   int64  `col:"time_ns" unit:"ns" doc:"when it was found, since recording began"`
	Tag      Tag    `col:"tag" doc:"the program that it concerns"`
	Node     int64  `col:"node" doc:"node that found it"`
	Policy   string `col:"policy" doc:"the policy that acted"`
	Finding  string `col:"finding" doc:"what was found"`
	Evidence string `col:"evidence" doc:"what it was concluded from"`
	Action   string `col:"action" doc:"what was done"`
}

// TableName implements Row.
func (OnlineRow) TableName() string { return "online" }

// Check implements Row.
func (r OnlineRow) Check() error {
	switch {
	case r.TimeNs < 0 || r.Node < 0:
		return fmt.Errorf("time_ns, node: %d, %d, wanted 0 or more", r.TimeNs, r.Node)
	case r.Policy == "" || r.Finding == "" || r.Evidence == "" || r.Action == "":
		return fmt.Errorf("policy, finding, evidence, action: %q, %q, %q, %q, wanted all", r.Policy, r.Finding, r.Evidence, r.Action)
	}
	return nil
}
