package trace

// OnlineRow is something that was found while the program ran, and what a policy did
// about it.
type OnlineRow struct {
	TimeNs   int64  `col:"time_ns" range:"0.." unit:"ns" doc:"when it was found, since recording began"`
	Tag      Tag    `col:"tag" doc:"the program that it concerns"`
	Node     int64  `col:"node" range:"0.." doc:"node that found it"`
	Policy   string `col:"policy" named:"yes" doc:"the policy that acted"`
	Finding  string `col:"finding" named:"yes" doc:"what was found"`
	Evidence string `col:"evidence" named:"yes" doc:"what it was concluded from"`
	Action   string `col:"action" named:"yes" doc:"what was done"`
}

// TableName implements Row.
func (OnlineRow) TableName() string { return "online" }
