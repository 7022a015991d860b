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

// tracepoints are the places where the kernel's programs run.
var tracepoints = []struct{ name, costs string }{
	{"tcp_sendmsg_locked", everything + ": it is when a message is sent (Linux 6.16 has it)"},
	{"net_dev_queue", everything + ": it ends Source"},
	{"net_dev_start_xmit", everything + ": it ends NI"},
	{"netif_receive_skb", everything + ": it ends Net"},
	{"sock_recv_length", everything + ": it ends Dest (Linux 6.3 has it)"},
	{"sys_enter", everything + ": it is when a datagram is sent"},
	{"sock_send_length", everything + ": it is when the call that sends a datagram has ended (Linux 6.3 has it)"},
	{"sk_data_ready", everything + ": it tells to which socket a datagram has come"},
	{"kfree_skb", everything + ": it tells why a datagram was dropped"},
	{"sched_wakeup", everything + ": it is when a reader is woken"},
	{"sched_switch", everything + ": it is when a reader runs"},
	{"qdisc_enqueue", everything + ": it tells how full queueing disciplines are"},
	{"tcp_retransmit_skb", everything + ": it tells what TCP sends again"},
	{"sched_process_fork", everything + ": it finds the children of processes that are asked for"},
}
