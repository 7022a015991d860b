// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Messages of unmodified programs over TCP, from call to read, counted in histograms in the kernel.
//
// A message is what one call of send gives to a socket. It has five instants, all by the monotonic clock:
// the call has the socket (SENT), the packet with its last byte enters the queueing discipline (QUEUED), the
// driver takes that (HANDED), it arrives at the receiving host (ARRIVED), and a program has read the byte.
// Only headers and lengths are read.
#include "kernel.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { SENT, QUEUED, HANDED, ARRIVED, INSTANTS };
enum { STAGES = 4 };
// Messages of a flow on their way that are followed. A power of two.
enum { RING = 64 };
// Bins of a latency in ns: one each below 32, then 32 per doubling up to 2^37 ns.
enum { SUB = 32, SUB_BITS = 5, BINS = SUB + 32 * SUB };

// What becomes of messages. Go has the same list.
enum {
	STARTED,    // calls of send on flows that are watched
	ATTRIBUTED, // with all five instants
	AWAY,       // handed to the driver; what comes then is on another host
	HEARD,      // packets of senders on other hosts that were read
	FULL,       // too many messages on their way: not followed
	UNQUEUED,   // read without having been queued, handed over, or received
	UNHANDED,
	UNARRIVED,
	UNSEEN,     // read otherwise than by a receive call
	REPLACED,   // the connection has ended, and another one has its addresses
	BROKEN,     // on their way in a break of the watch
	SHORTENED,  // calls that sent less than asked; they are followed with what they sent
	UNSAMPLED,  // samples for which the ring had no room
	NOFLOW,     // no room for a flow
	COUNTERS,
};

const volatile u32 by_pid, by_name, by_port; // whether these are asked for
const volatile u32 sampled;                  // a message is a sample if a random number is not above
// Number of the time in which the programs run without a break. What a flow has of another one is out of date.
volatile u32 epoch = 1;

// A flow is one direction of a connection. Addresses are those of IPv6, or mapped.
struct key {
	u64 from[2], to[2];
	u16 from_port, to_port;
	u32 net; // inode of the network namespace, for loopback addresses, which each has; otherwise 0
};

struct message {
	u32 end; // sequence number after its last byte
	u32 bytes;
	u64 at[INSTANTS]; // ns, 0: not seen
};

// Cursors count messages. Messages read to head are on their way, in order of their bytes.
struct flow {
	u32 head, read;
	u32 cursor[INSTANTS]; // the next message to be queued, handed over, received
	u32 end;              // sequence number after the last message
	u32 program;          // of the sender; of the receiver if the sender is not here
	u32 local;            // the sender is on this host
	u32 net;              // inode of the reader's network namespace, 0: not known
	u32 epoch, unused;
	struct message ring[RING];
};

struct stage {
	u64 sum; // ns
	u32 bins[BINS];
};

struct histogram {
	u64 bytes;
	struct stage stages[STAGES];
};

// A message with all its instants.
struct sample {
	u64 at[INSTANTS], read;
	u32 bytes, program, to_server, unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct key);
	__type(value, struct flow);
} flows SEC(".maps");

// By program << 8 | bits of its size << 1 | whether it goes to the server.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, u32);
	__type(value, struct histogram);
} histograms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTERS);
	__type(key, u32);
	__type(value, u64);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} samples SEC(".maps");

struct name {
	char text[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct name);
	__type(value, u32);
} programs SEC(".maps"); // numbers of programs, by name

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct name);
	__type(value, u8);
} names SEC(".maps"); // asked for

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, u8);
} pids SEC(".maps"); // asked for, and their children

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, u16);
	__type(value, u8);
} ports SEC(".maps"); // asked for

// Where processes that were asked for serve: connections to there are watched from their first message.
struct place {
	u64 to[2];
	u32 port, net;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct place);
	__type(value, u8);
} places SEC(".maps");

u32 programs_seen;
// By a number mixed of the ports of a flow: messages that are followed and not read, and one for each flow whose
// sender is on another host. A flow that is evicted may leave some: then its packets are looked at for nothing.
u32 busy[1 << 14];
// Whether a flow with this number was looked up at a read.
u8 known[1 << 14];
static struct flow no_flow;
static struct histogram no_histogram;

#define INLINE static __attribute__((always_inline))
// The kernel checks a shared function once, by itself: its pointers may be 0.
#define SHARED __attribute__((noinline))
#define ntohs __builtin_bswap16
#define ntohl __builtin_bswap32

// A program may be preempted by another one on its processor: additions are atomic.
INLINE void count(u32 which, u64 n)
{
	u64 *c = bpf_map_lookup_elem(&counters, &which);
	if (c)
		__sync_fetch_and_add(c, n);
}

// number returns that of a program; programs beyond the room share the last.
INLINE u32 number(struct name *n)
{
	u32 *known = bpf_map_lookup_elem(&programs, n);
	if (known)
		return *known;
	u32 next = __sync_fetch_and_add(&programs_seen, 1);
	if (next >= 63)
		return 63;
	bpf_map_update_elem(&programs, n, &next, BPF_NOEXIST);
	known = bpf_map_lookup_elem(&programs, n);
	return known ? *known : 63;
}

// current_name is that of the process, not of its thread.
INLINE void current_name(struct name *n)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	bpf_probe_read_kernel(n, sizeof *n, &t->group_leader->comm);
}

INLINE bool to_server(const struct key *k) { return k->to_port < k->from_port; }

INLINE void place_of(const struct key *k, struct place *p)
{
	p->to[0] = k->to[0], p->to[1] = k->to[1];
	p->port = k->to_port, p->net = k->net;
}

// wanted reports whether the process that runs now, or the ports, are to be watched.
INLINE bool wanted(struct key *k, struct name *n)
{
	u32 pid = bpf_get_current_pid_tgid() >> 32;
	if (by_port && !bpf_map_lookup_elem(&ports, &k->from_port) && !bpf_map_lookup_elem(&ports, &k->to_port))
		return false;
	if (!by_pid && !by_name)
		return true;
	return (by_pid && bpf_map_lookup_elem(&pids, &pid)) || (by_name && bpf_map_lookup_elem(&names, n));
}

INLINE u32 mixed(u32 x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	x ^= x >> 15;
	x *= 0x846ca68b;
	return x ^ x >> 16;
}

// slot is where busy and known have a flow.
INLINE u32 slot(u16 from, u16 to) { return mixed((u32)from << 16 | to) & ((1 << 14) - 1); }

INLINE void hold(const struct key *k, u32 n) { __sync_fetch_and_add(&busy[slot(k->from_port, k->to_port)], n); }

INLINE u64 mapped(u32 v4) { return 0xffff0000ull | (u64)v4 << 32; }

INLINE bool loopback(struct key *k)
{
	// 127.0.0.0/8, or ::1. Addresses are in the order of the network.
	return k->to[0] == 0 && ((k->to[1] & 0xffffffffffull) == 0x7fffff0000ull || k->to[1] == 1ull << 56);
}

// local_key is the flow of what a socket sends. It returns false unless the socket is one of TCP.
INLINE bool local_key(const struct sock *sk, struct key *k)
{
	u16 family = sk->__sk_common.skc_family;
	if (sk->sk_protocol != IPPROTO_TCP)
		return false;
	if (family == AF_INET) {
		k->from[0] = k->to[0] = 0;
		k->from[1] = mapped(sk->__sk_common.skc_rcv_saddr);
		k->to[1] = mapped(sk->__sk_common.skc_daddr);
	} else if (family == AF_INET6) {
		k->from[0] = sk->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[0] | (u64)sk->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[1] << 32;
		k->from[1] = sk->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[2] | (u64)sk->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3] << 32;
		k->to[0] = sk->__sk_common.skc_v6_daddr.in6_u.u6_addr32[0] | (u64)sk->__sk_common.skc_v6_daddr.in6_u.u6_addr32[1] << 32;
		k->to[1] = sk->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] | (u64)sk->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3] << 32;
	} else {
		return false;
	}
	k->from_port = sk->__sk_common.skc_num;
	k->to_port = ntohs(sk->__sk_common.skc_dport);
	k->net = loopback(k) ? sk->__sk_common.skc_net.net->ns.inum : 0;
	return true;
}

INLINE void reverse(const struct key *k, struct key *r)
{
	r->from[0] = k->to[0], r->from[1] = k->to[1];
	r->to[0] = k->from[0], r->to[1] = k->from[1];
	r->from_port = k->to_port, r->to_port = k->from_port;
	r->net = k->net;
}

// The headers of a packet of TCP as they are on the wire.
struct tcp {
	u16 from, to;
	u32 seq, ack;
	u8 offset, flags;
	u16 window;
	u32 rest;
};

struct ip4 {
	u8 version, tos;
	u16 bytes, id, fragment;
	u8 ttl, protocol;
	u16 sum;
	u32 from, to;
};

struct ip6 {
	u32 version;
	u16 bytes;
	u8 protocol, hops;
	u64 from[2], to[2];
};

// data finds the flow and the bytes of a packet of which the header of IP is at a place. It returns 0 for a
// packet without data of TCP, or of which nothing is followed; otherwise how many bytes, and in end the sequence number after them.
INLINE u32 data(const struct sk_buff *skb, const unsigned char *at, struct key *k, u32 *end)
{
	struct tcp t;
	u32 bytes, headers;
	if (skb->protocol == ntohs(0x0800)) {
		struct { struct ip4 ip; struct tcp tcp; } h;
		if (bpf_probe_read_kernel(&h, sizeof h, at) || h.ip.protocol != IPPROTO_TCP)
			return 0;
		headers = (h.ip.version & 15) * 4;
		t = h.tcp;
		if (headers != sizeof h.ip && bpf_probe_read_kernel(&t, sizeof t, at + headers))
			return 0;
		bytes = ntohs(h.ip.bytes);
		k->from[0] = k->to[0] = 0;
		k->from[1] = mapped(h.ip.from);
		k->to[1] = mapped(h.ip.to);
	} else if (skb->protocol == ntohs(0x86dd)) {
		struct { struct ip6 ip; struct tcp tcp; } h;
		if (bpf_probe_read_kernel(&h, sizeof h, at) || h.ip.protocol != IPPROTO_TCP)
			return 0;
		headers = sizeof h.ip;
		t = h.tcp;
		bytes = ntohs(h.ip.bytes);
		if (bytes)
			bytes += headers;
		k->from[0] = h.ip.from[0], k->from[1] = h.ip.from[1];
		k->to[0] = h.ip.to[0], k->to[1] = h.ip.to[1];
	} else {
		return 0;
	}
	// Of a packet beyond 64 KB the header has no length.
	if (!bytes)
		bytes = skb->len - (u32)(at - skb->data);
	headers += (t.offset >> 4) * 4;
	k->from_port = ntohs(t.from);
	k->to_port = ntohs(t.to);
	if (bytes <= headers || !busy[slot(k->from_port, k->to_port)])
		return 0;
	bytes -= headers;
	*end = ntohl(t.seq) + bytes;
	k->net = loopback(k) ? skb->dev->nd_net.net->ns.inum : 0;
	return bytes;
}

// pass sets an instant of all messages whose last byte is before end. Bytes that are sent again pass no
// message: the first packet counts.
INLINE void pass(struct flow *f, u32 which, u32 end)
{
	u32 at = f->cursor[which], head = f->head, read = f->read;
	if ((s32)(at - read) < 0)
		at = read;
	u64 now = 0;
	for (int i = 0; i < RING; i++) {
		struct message *m = &f->ring[at & (RING - 1)];
		if (at == head || (s32)(end - m->end) < 0)
			break;
		if (!now)
			now = bpf_ktime_get_ns();
		m->at[which] = now;
		at++;
	}
	f->cursor[which] = at;
}

INLINE struct flow *made(struct key *k)
{
	if (!bpf_map_update_elem(&flows, k, &no_flow, BPF_NOEXIST))
		hold(k, 1); // until its sender is known to be here
	struct flow *f = bpf_map_lookup_elem(&flows, k);
	if (!f)
		count(NOFLOW, 1);
	return f;
}

INLINE u32 log2(u64 x)
{
	u32 n = 0;
	if (x >> 32) n += 32, x >>= 32;
	if (x >> 16) n += 16, x >>= 16;
	if (x >> 8) n += 8, x >>= 8;
	if (x >> 4) n += 4, x >>= 4;
	if (x >> 2) n += 2, x >>= 2;
	if (x >> 1) n += 1;
	return n;
}

INLINE void add(struct stage *s, u64 from, u64 to)
{
	u64 ns = to > from ? to - from : 0;
	u32 bin = ns;
	if (ns >= SUB) {
		u32 e = log2(ns);
		bin = e > 36 ? BINS - 1 : SUB + (e - SUB_BITS) * SUB + (u32)(ns >> (e - SUB_BITS)) - SUB;
	}
	if (bin < BINS)
		__sync_fetch_and_add(&s->bins[bin], 1);
	__sync_fetch_and_add(&s->sum, ns);
}

INLINE struct histogram *histogram(struct key *k, struct flow *f, u32 bytes)
{
	u32 which = f->program << 8 | log2(bytes) << 1 | to_server(k);
	struct histogram *h = bpf_map_lookup_elem(&histograms, &which);
	if (h)
		return h;
	bpf_map_update_elem(&histograms, &which, &no_histogram, BPF_NOEXIST);
	return bpf_map_lookup_elem(&histograms, &which);
}

// finish counts a message that was read at a time; 0: that is not known.
SHARED int finish(struct key *k, struct flow *f, struct message *m, u64 now)
{
	struct histogram *h;
	if (!k || !f || !m)
		return 0;
	if (f->local && !m->at[QUEUED]) {
		count(UNQUEUED, 1);
		return 0;
	}
	if (f->local && !m->at[HANDED]) {
		count(UNHANDED, 1);
		return 0;
	}
	if (now && !m->at[ARRIVED]) {
		count(UNARRIVED, 1);
		return 0;
	}
	h = histogram(k, f, m->bytes);
	if (!h)
		return 0;
	__sync_fetch_and_add(&h->bytes, m->bytes);
	if (f->local) {
		add(&h->stages[0], m->at[SENT], m->at[QUEUED]);
		add(&h->stages[1], m->at[QUEUED], m->at[HANDED]);
	}
	if (f->local && now)
		add(&h->stages[2], m->at[HANDED], m->at[ARRIVED]);
	if (now)
		add(&h->stages[3], m->at[ARRIVED], now);
	count(!now ? AWAY : f->local ? ATTRIBUTED : HEARD, 1);
	if (!now || !f->local || bpf_get_prandom_u32() > sampled)
		return 0;
	struct sample *s = bpf_ringbuf_reserve(&samples, sizeof *s, 0);
	if (!s) {
		count(UNSAMPLED, 1);
		return 0;
	}
	for (int i = 0; i < INSTANTS; i++)
		s->at[i] = m->at[i];
	s->read = now;
	s->bytes = m->bytes;
	s->program = f->program;
	s->to_server = to_server(k);
	s->unused = 0;
	bpf_ringbuf_submit(s, BPF_RB_NO_WAKEUP);
	return 0;
}

// room returns where a new message goes, or 0. A message that another host has gives way.
INLINE struct message *room(struct key *k, struct flow *f)
{
	u32 head = f->head, read = f->read;
	if (head - read >= RING) {
		struct message *old = &f->ring[read & (RING - 1)];
		if (old->at[ARRIVED] || !old->at[HANDED]) {
			count(FULL, 1);
			return 0;
		}
		finish(k, f, old, 0);
		hold(k, -1);
		f->read = read + 1;
	}
	return &f->ring[head & (RING - 1)];
}

// restart forgets the messages that are on their way. Those that a driver has, and that no one reads here, are on
// another host.
SHARED int restart(struct key *k, struct flow *f, u32 why)
{
	if (!k || !f)
		return 0;
	u32 head = f->head, left = head - f->read, at = f->read;
	if (left && f->local) {
		hold(k, -left);
		for (int i = 0; i < RING; i++) {
			struct message *m = &f->ring[at & (RING - 1)];
			if (at == head)
				break;
			if (!f->net && m->at[HANDED] && !m->at[ARRIVED])
				finish(k, f, m, 0);
			else
				count(why, 1);
			at++;
		}
	}
	f->read = f->cursor[QUEUED] = f->cursor[HANDED] = f->cursor[ARRIVED] = head;
	f->epoch = epoch;
	return 0;
}

SEC("tp_btf/tcp_sendmsg_locked")
int BPF_PROG(sent, const struct sock *sk, const struct msghdr *msg)
{
	struct key k = {};
	struct tcp_sock *tp = bpf_skc_to_tcp_sock((void *)sk);
	if (!tp)
		return 0;
	// All parts of a call have the same end.
	u32 seq = tp->write_seq, left = msg->msg_iter.count, end = seq + left;
	if (!left || !local_key(sk, &k))
		return 0;
	struct flow *f = bpf_map_lookup_elem(&flows, &k);
	bool first = !f || f->epoch != epoch;
	if (!f || !f->local) {
		struct name n = {};
		current_name(&n);
		if (!f) {
			struct key back;
			struct place p = {};
			place_of(&k, &p);
			if (!wanted(&k, &n) && !bpf_map_lookup_elem(&places, &p))
				return 0;
			f = made(&k);
			// What comes back is watched too, whoever sends it.
			reverse(&k, &back);
			if ((by_pid | by_name) && !bpf_map_update_elem(&flows, &back, &no_flow, BPF_NOEXIST))
				hold(&back, 1);
		}
		if (!f)
			return 0;
		restart(&k, f, BROKEN);
		f->program = number(&n);
		f->local = 1;
		hold(&k, -1);
	}
	if (first) {
		restart(&k, f, BROKEN);
		// With data on its way this may be the rest of a call that began before.
		if (seq != tp->snd_una) {
			f->end = end;
			return 0;
		}
		f->end = seq;
	}
	// The rest of a call, or what a program sends again of one that was cut short.
	if (end == f->end)
		return 0;
	if (f->head != f->read && (s32)(seq - f->end) < 0) {
		struct message *last = &f->ring[(f->head - 1) & (RING - 1)];
		if (f->end - seq < last->bytes && last->end == f->end) {
			last->bytes -= f->end - seq;
			last->end = seq;
			count(SHORTENED, 1);
		} else {
			restart(&k, f, REPLACED);
		}
	}
	f->end = end;
	count(STARTED, 1);
	struct message *m = room(&k, f);
	if (!m)
		return 0;
	m->end = end;
	m->bytes = left;
	m->at[QUEUED] = m->at[HANDED] = m->at[ARRIVED] = 0;
	m->at[SENT] = bpf_ktime_get_ns();
	hold(&k, 1);
	f->head++;
	return 0;
}

INLINE void leave(const struct sk_buff *skb, u32 which)
{
	struct key k = {};
	struct sock *sk = skb->sk;
	u32 end;
	if (sk && !busy[slot(sk->__sk_common.skc_num, ntohs(sk->__sk_common.skc_dport))])
		return;
	if (!data(skb, skb->head + skb->network_header, &k, &end))
		return;
	struct flow *f = bpf_map_lookup_elem(&flows, &k);
	if (f && f->epoch == epoch)
		pass(f, which, end);
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(queued, struct sk_buff *skb)
{
	leave(skb, QUEUED);
	return 0;
}

SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(handed, const struct sk_buff *skb)
{
	leave(skb, HANDED);
	return 0;
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(arrived, struct sk_buff *skb)
{
	struct key k = {};
	u32 end, bytes = data(skb, skb->data, &k, &end);
	if (!bytes)
		return 0;
	struct flow *f = bpf_map_lookup_elem(&flows, &k);
	// A bridge has not received it, and neither has a namespace on the way.
	if (!f || skb->dev->rx_handler || (f->net && f->net != skb->dev->nd_net.net->ns.inum))
		return 0;
	if (f->local) {
		if (f->epoch == epoch)
			pass(f, ARRIVED, end);
		return 0;
	}
	// Of a sender that is here no message was seen yet.
	if (k.net)
		return 0;
	if (f->epoch != epoch)
		restart(&k, f, BROKEN);
	// The sender is on another host: packets count as messages.
	if (f->head - f->read >= RING)
		f->read++;
	struct message *m = &f->ring[f->head & (RING - 1)];
	m->end = end;
	m->bytes = bytes;
	m->at[ARRIVED] = bpf_ktime_get_ns();
	f->head++;
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(received, struct sock *sk, int ret, int flags)
{
	struct key own = {}, k = {};
	if (ret <= 0 || (flags & MSG_PEEK))
		return 0;
	u32 at_slot = slot(ntohs(sk->__sk_common.skc_dport), sk->__sk_common.skc_num);
	// Two flows may have one slot: once in a while they are looked up.
	if (!busy[at_slot] && known[at_slot] && (bpf_get_prandom_u32() & 15))
		return 0;
	if (!local_key(sk, &own))
		return 0;
	known[at_slot] = 1;
	reverse(&own, &k);
	struct flow *f = bpf_map_lookup_elem(&flows, &k);
	if (!f) {
		struct name n = {};
		current_name(&n);
		if (!wanted(&k, &n))
			return 0;
		if (by_pid | by_name) {
			struct place p = {};
			u8 yes = 1;
			place_of(&k, &p);
			bpf_map_update_elem(&places, &p, &yes, BPF_ANY);
		}
		f = made(&k);
		if (f && !f->local)
			f->program = number(&n);
	}
	struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);
	if (!f || !tp)
		return 0;
	if (f->epoch != epoch)
		restart(&k, f, BROKEN);
	if (!f->net)
		f->net = sk->__sk_common.skc_net.net->ns.inum;
	u32 end = tp->copied_seq, begin = end - ret, at = f->read, head = f->head;
	u64 now = at == head ? 0 : bpf_ktime_get_ns();
	for (int i = 0; i < RING; i++) {
		struct message *m = &f->ring[at & (RING - 1)];
		if (at == head || (s32)(end - m->end) < 0)
			break;
		if ((s32)(m->end - begin) <= 0)
			count(UNSEEN, 1);
		else
			finish(&k, f, m, now);
		at++;
	}
	if (f->local && at != f->read)
		hold(&k, f->read - at);
	f->read = at;
	return 0;
}

// Children of processes that were asked for are watched too.
SEC("tp_btf/sched_process_fork")
int BPF_PROG(forked, struct task_struct *parent, struct task_struct *child)
{
	u32 from = parent->tgid, to = child->tgid;
	u8 yes = 1;
	if (by_pid && from != to && bpf_map_lookup_elem(&pids, &from))
		bpf_map_update_elem(&pids, &to, &yes, BPF_ANY);
	return 0;
}
