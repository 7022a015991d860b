// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// How long packets wait for the kernel to receive them: from when that is asked for (softirq NET_RX raised, by a card's interrupt
// or a driver of the same host) until it begins on that processor.

enum { NET_RX = 3 };

struct receiving {
	u64 raised;      // ns: the next one, 0: it is not asked for
	u64 from, begun; // of the one that goes on, or was last
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct receiving);
} receiving SEC(".maps");

// deferred_since returns the part of it after a time, in ns, for a packet that arrives now.
STATIC u32 deferred_since(u64 handed)
{
	u32 zero = 0;
	struct receiving *r = bpf_map_lookup_elem(&receiving, &zero);
	if (!r || !r->from)
		return 0;
	u64 from = r->from > handed ? r->from : handed;
	return r->begun > from ? r->begun - from : 0;
}

SEC("tp_btf/softirq_raise")
int BPF_PROG(raised, u32 which)
{
	u32 zero = 0;
	struct receiving *r = which == NET_RX ? bpf_map_lookup_elem(&receiving, &zero) : 0;
	if (r && !r->raised)
		r->raised = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(receives, u32 which)
{
	u32 zero = 0;
	struct receiving *r = which == NET_RX ? bpf_map_lookup_elem(&receiving, &zero) : 0;
	if (!r)
		return 0;
	r->from = r->raised;
	r->begun = bpf_ktime_get_ns();
	r->raised = 0;
	return 0;
}
