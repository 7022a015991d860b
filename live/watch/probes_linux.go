package watch

import (
	"slices"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
)

// stretch is how long a program in the kernel runs.
type stretch uint8

const (
	always     stretch = iota
	passing            // while messages pass: all that comes after sending
	delivering         // while messages pass and some are datagrams
	looking            // while datagrams begin to be followed
	beginning          // while messages begin to be followed
	stretches
)

// probe is a place where a program runs: a tracepoint, or, in kernels that do not have it, functions.
type probe struct {
	when       stretch
	program    string // in the object; of a function it is in_ and its name
	tracepoint string
	functions  []string // the first one has to be there
	costs      string   // what is not measured without it
}

// probes are all of them, in the order in which they begin.
var probes = []probe{
	{always, "forked", "sched_process_fork", nil, "it finds the children of processes that are asked for"},
	{passing, "received", "sock_recv_length", []string{"inet_recvmsg", "inet6_recvmsg"}, "it ends Dest (Linux 6.3 has it)"},
	{passing, "destroyed", "tcp_destroy_sock", nil, "it tells what is not read before a connection ends"},
	{passing, "switched", "sched_switch", nil, "it is when a reader runs"},
	{passing, "moved", "sched_migrate_task", nil, "it is when a reader is given another processor"},
	{passing, "woken", "sched_wakeup", nil, "it is when a reader is woken"},
	{passing, "disciplined", "qdisc_enqueue", nil, "it tells how full queueing disciplines are"},
	{passing, "sent_again", "tcp_retransmit_skb", nil, "it tells what TCP sends again"},
	{passing, "dropped", "kfree_skb", nil, "it tells why a datagram was dropped"},
	{passing, "receives", "softirq_entry", nil, "it is when the kernel begins to receive packets"},
	{passing, "raised", "softirq_raise", nil, "it is when that is asked for"},
	{delivering, "ready", "sk_data_ready", []string{"sock_def_readable"}, "it tells to which socket a datagram has come (Linux 6.3 has it)"},
	{passing, "arrived", "netif_receive_skb", nil, "it ends Net"},
	{passing, "handed", "net_dev_start_xmit", nil, "it ends NI"},
	{passing, "queued", "net_dev_queue", nil, "it ends Source"},
	{looking, "given", "sock_send_length", []string{"inet_sendmsg", "inet6_sendmsg"}, "it is when the call that sends a datagram has ended (Linux 6.3 has it)"},
	{looking, "called", "sys_enter", nil, "it is when a datagram is sent"},
	{beginning, "sent", "tcp_sendmsg_locked", []string{"tcp_sendmsg_locked", "do_tcp_sendpages"}, "it is when a message is sent (Linux 6.16 has it)"},
}

// in returns the programs of a probe for a kernel with these types, and where they run. Without them it returns none.
func (p *probe) in(types *btf.Spec) (programs []string, what string) {
	what = "tracepoint " + p.tracepoint
	if types == nil {
		return nil, what
	}
	if _, err := types.AnyTypesByName("btf_trace_" + p.tracepoint); err == nil {
		return []string{p.program}, what
	}
	var there []string
	for i, f := range p.functions {
		var fn *btf.Func
		if types.TypeByName(f, &fn) == nil {
			there, programs = append(there, f), append(programs, "in_"+f)
		} else if i == 0 {
			return nil, what
		}
	}
	if len(there) > 0 {
		what = strings.Join(there, ", ") + " in place of " + what
	}
	return programs, what
}

// chosen is a program by its name in the object.
type chosen struct {
	when    stretch
	program string
	joined  bool
	costly  bool
}

// costly are the probes that all packets of the host pass twice, which takes a tenth of the time that following a message does. They are left out
// where all messages are followed.
var costly = []string{"raised", "receives"}

// joined are the probes for another host, which joins messages.
var joined = []string{"forked", "received", "destroyed", "switched", "moved", "woken", "dropped", "receives", "raised", "ready", "arrived", "handed", "queued", "given", "called", "sent"}

// choose returns the programs for the kernel that runs, and takes the others out of the specification. It returns an
// error that says what the kernel lacks.
func choose(spec *ebpf.CollectionSpec) (out []chosen, err error) {
	types, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, err
	}
	all := spec.Programs
	spec.Programs = map[string]*ebpf.ProgramSpec{}
	for _, p := range probes {
		programs, what := p.in(types)
		if programs == nil {
			return nil, Lack{{Name: what, Costs: p.costs}}
		}
		for _, name := range programs {
			spec.Programs[name] = all[name]
			out = append(out, chosen{p.when, name, slices.Contains(joined, p.program), slices.Contains(costly, p.program)})
		}
	}
	return out, nil
}
