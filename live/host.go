package live

// Host is a host in words.
type Host struct {
	Name        string `json:"name"`
	System      string `json:"system"` // kernel and its version
	Processor   string `json:"processor"`
	CPUs        int    `json:"cpus"`
	Interface   string `json:"interface"` // network interface of the messages, with its driver
	MTU         int    `json:"mtu"`
	Clock       string `json:"clock"`             // source of the system's clock
	Disciplined bool   `json:"clock_disciplined"` // the system says that something keeps its clock
}
