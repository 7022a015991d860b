// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Messages of unmodified programs over TCP and UDP, from call to read, counted in histograms in the kernel.
//
// A message is what one call of send gives to a socket. It has five instants, all by the monotonic clock:
// the call has the socket (SENT; over UDP: the call begins), the packet with its last byte enters the queueing
// discipline (QUEUED), the driver takes that (HANDED), it arrives at the receiving host (ARRIVED), and a program
// has read the byte. Only headers and lengths are read.
#include "kernel.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { SENT, QUEUED, HANDED, ARRIVED, INSTANTS };
enum { STAGES = 4 };
// Messages of a flow on their way that its ring holds, a power of two; and blocks of more that it may have.
enum { RING = 32, BLOCKS = 256 };
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
	UNSTARTED,  // datagrams of calls that were not seen to begin, or that they did not give to a queueing discipline
	FRAGMENTED, // datagrams in several packets
	MANY,       // datagrams to several receivers
	DROPPED,    // datagrams that the kernel dropped; drops has why
	TOLD,       // packets of senders on the other host that were read: that host counts their messages
	UNTOLD,     // halves for which the ring had no room
	OVER,       // messages of AWAY that are on the other host
	UNLOOKED,   // datagrams that were sent while calls were not looked at
	COUNTERS,
};

const volatile u32 by_pid, by_name, by_group, by_port; // whether these are asked for
const volatile u32 controller;                         // of the groups, in version 1 of control groups; 16: version 2
const volatile u32 sampled;                  // a message is a sample if a random number is not above
volatile u64 slow = ~0ull;                   // ns: a message that took longer from call to read is a sample too
const volatile s64 calls[5];                 // numbers of the system calls that send; the first one sends many
// Number of the time in which the programs run without a break. What a flow has of another one is out of date.
volatile u32 epoch = 1;
volatile u32 opened; // messages begin to be followed
// Number of the time in which calls that send datagrams are looked at, or of one in which they are not, which is even.
volatile u32 looking;
u32 datagrams_seen; // it changes when one is sent or has arrived that is watched

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
	u64 served;       // ns since the sender has read what came last on the connection, 0: not known
	u32 why;
	u32 deferred; // ns that it has waited for the kernel to receive packets
	u32 number;   // of the message, from 1 on, once it is on its way
	u32 unused;   // it takes one line of the cache
};

// What is known of a message when it is given to the socket.
enum {
	SAMPLED = 1,
	NAGLE = 2,      // Nagle's algorithm holds a last segment that is not full until one before is acknowledged
	WINDOW = 4,     // the receiver's window has no room for all of it
	CONGESTION = 8, // the window of congestion is full
	CORK = 16,      // the program wants only full segments sent
	MOVED = 32,     // known when it is read: its reader was given another processor since it arrived
};

// A datagram on its way. Its packet keeps its buffer from the sender to the reader on this host.
struct datagram {
	u64 head, skb; // addresses of the buffer and of the packet
	struct key k;
	struct message m;
	u64 sk;   // the receiving socket, 0: not known
	u64 gone; // ns: another packet has its buffer; 0: none has
	u32 seq;  // 0: nothing is on its way here
	u32 who, epoch, left, net;
	bool segments; // bytes left are read in several calls
	bool unsure;   // it may not be the first at its socket
};

#define IN_BLOCKS (1ull << 32)

// Cursors count messages. Messages read to head are on their way, in order of their bytes.
//
// The sender's processor and the reader's write to different lines of the cache, of 64 bytes: the map has 56 bytes before
// a flow.
struct flow {
	u64 from_blocks; // IN_BLOCKS and the first message that is in a block, 0: none is
	// Written seldom.
	struct key key; // of port 0: it was just made
	u32 program;    // of the sender; of the receiver if the sender is not here
	u32 local;      // the sender is on this host
	u32 net;        // inode of the reader's network namespace, 0: not known
	u32 home;       // inode of the sender's network namespace, 0: it is not here
	u32 epoch;
	u32 joined; // its other end is on the host that is watched too
	// Of the sender.
	u32 head;
	u32 cursor[INSTANTS]; // the next message to be queued, handed over, received
	u32 end;              // sequence number after the last message
	u32 asked;            // bytes that the last call was asked to send
	u32 read_known;       // what read was at least
	u32 watched, away;    // it is one of these
	u64 of_sender[3];
	u32 blocks[BLOCKS];
	// Of the reader. Lines come in pairs: this one is apart from the sender's.
	u32 read;
	u64 last_read; // ns
	u64 reader;    // process and thread that has read last
	u64 of_reader[5];
	struct message ring[RING];
};

struct stage {
	u64 sum; // ns
	u32 bins[BINS];
};

struct histogram {
	u64 bytes;
	struct stage stages[STAGES];
	u64 busy; // BUSY: one counts in it, who need not be atomic
};

// A message with all its instants. If it went to another host it was acknowledged when it should have arrived, and
// read is 0.
struct sample {
	u64 at[INSTANTS], read;
	u64 served;
	u64 woken;  // when its reader was woken last
	u64 waited; // ns that its reader has waited for a processor since it arrived
	u32 bytes, program, to_server, udp;
	u32 why, deferred;
};

// Times in which a thread that reads waited for a processor: the last ones.
enum { WAITS = 4 };

struct reader {
	u64 woken, since; // ns; since 0: it does not wait
	u64 moved;        // ns: when it was given another processor last
	u64 from[WAITS], to[WAITS];
	u32 waits, unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct reader);
} readers SEC(".maps");

// A queueing discipline that packets have entered while it had others.
struct discipline {
	u32 net, device, handle;
};

struct load {
	u64 packets;
	u32 most, dropped_before, dropped; // most packets at a time
	u32 stopped;                       // packets that came when the driver had stopped its queue
	char kind[16], name[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct discipline);
	__type(value, struct load);
} disciplines SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 64);
	__type(key, u32);
	__type(value, u64);
} again SEC(".maps"); // segments that TCP has sent again, by program

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, u64);
	__type(value, struct flow);
} flows SEC(".maps"); // by their identity

// By program << 8 | over UDP << 7 | bits of its size << 1 | whether it goes to the server.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, u32);
	__type(value, struct histogram);
} histograms SEC(".maps");

// The same of all processors, until the kernel has found memory for each.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, u32);
	__type(value, struct histogram);
} early SEC(".maps");

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
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, u64);
	__type(value, u8);
} groups SEC(".maps"); // control groups asked for, by their inodes

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
// By a number mixed of the ports of a flow: flows that are watched, and those of them whose receiver is not known to be here. A flow that is
// evicted stays in them: then its packets are looked at for nothing.
u32 watched[1 << 14], away[1 << 14];
// Whether a flow with this number was looked up at a read.
u8 known[1 << 14];
static struct flow no_flow;
static struct histogram no_histogram;

#define INLINE static __attribute__((always_inline))
// The kernel checks a shared function once, by itself: its pointers may be 0.
#define SHARED __attribute__((noinline))
#define STATIC static __attribute__((noinline))
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
STATIC u32 number(struct name *n)
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
STATIC void current_name(struct name *n)
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

INLINE bool chosen() { return by_pid | by_name | by_group; }

// grouped reports whether the running process is in a group that was asked for, or in one below.
STATIC bool grouped(void)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	struct css_set *all = t->cgroups;
	struct cgroup *g;
	struct cgroup_subsys_state *s = 0;
	if (controller > 15) {
		g = all->dfl_cgrp;
		s = BPF_CORE_READ(g, self.parent);
	} else {
		bpf_probe_read_kernel(&s, sizeof s, &all->subsys[controller]);
		g = BPF_CORE_READ(s, cgroup);
		s = BPF_CORE_READ(g, self.parent);
	}
	for (int level = 0; g && level < 32; level++) {
		u64 id = BPF_CORE_READ(g, kn, id);
		if (bpf_map_lookup_elem(&groups, &id))
			return true;
		if (!s)
			break;
		g = BPF_CORE_READ(s, cgroup);
		s = BPF_CORE_READ(s, parent);
	}
	return false;
}

INLINE u32 mixed(u32 x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	x ^= x >> 15;
	x *= 0x846ca68b;
	return x ^ x >> 16;
}

// Who sent a message, or read it if the sender is on another host: the number of the program, and these.
enum { LOCAL = 1 << 8, UDP = 1 << 9, JOINED = 1 << 10, ACKNOWLEDGED = 1 << 11 };

#include "join.h"
#include "deferred.h"

INLINE bool same(const struct key *a, const struct key *b)
{
	return a->from[0] == b->from[0] && a->from[1] == b->from[1] && a->to[0] == b->to[0] && a->to[1] == b->to[1] &&
	       a->from_port == b->from_port && a->to_port == b->to_port;
}

// flow_of returns what is known of a flow, or 0.
STATIC struct flow *flow_of(const struct key *k)
{
	u64 id = identity(k);
	struct flow *f = bpf_map_lookup_elem(&flows, &id);
	return f && same(&f->key, k) && f->key.net == k->net ? f : 0;
}

// wanted reports whether the process that runs now, or the ports, are to be watched.
STATIC bool wanted(struct key *k, struct name *n, bool udp)
{
	u32 pid = bpf_get_current_pid_tgid() >> 32;
	if (own(k, udp))
		return false;
	if (by_port && !bpf_map_lookup_elem(&ports, &k->from_port) && !bpf_map_lookup_elem(&ports, &k->to_port))
		return false;
	if (!chosen())
		return true;
	return (by_pid && bpf_map_lookup_elem(&pids, &pid)) || (by_name && bpf_map_lookup_elem(&names, n)) || (by_group && grouped());
}

// slot is where watched, away and known have a flow.
INLINE u32 slot(u16 from, u16 to) { return mixed((u32)from << 16 | to) & ((1 << 14) - 1); }

// Of several who mark a flow at a time, or take its mark away, one counts it.
INLINE void mark(u32 *all, u32 *mine, const struct key *k)
{
	if (!*mine && !__sync_lock_test_and_set(mine, 1))
		__sync_fetch_and_add(&all[slot(k->from_port, k->to_port)], 1);
}

INLINE void unmark(u32 *all, u32 *mine, const struct key *k)
{
	if (*mine && __sync_lock_test_and_set(mine, 0))
		__sync_fetch_and_add(&all[slot(k->from_port, k->to_port)], -1);
}

INLINE u64 mapped(u32 v4) { return 0xffff0000ull | (u64)v4 << 32; }

INLINE bool loopback(struct key *k)
{
	// 127.0.0.0/8, or ::1. Addresses are in the order of the network.
	return k->to[0] == 0 && ((k->to[1] & 0xffffffffffull) == 0x7fffff0000ull || k->to[1] == 1ull << 56);
}

// local_key is the flow of what a socket sends. It returns false unless the socket is one of a protocol of IP.
STATIC bool local_key(const struct sock *sk, u32 protocol, struct key *k)
{
	u16 family = sk->__sk_common.skc_family;
	if (sk->sk_protocol != protocol)
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

// port_of returns a socket's own port. One whose connection has ended has given it back, and has only its copy.
INLINE u16 port_of(const struct sock *sk)
{
	u16 port = sk->__sk_common.skc_num;
	return port ? port : ntohs(BPF_CORE_READ((const struct inet_sock *)sk, inet_sport));
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

// What the headers of a packet say.
struct packet {
	struct key k;
	u32 bytes; // of data
	u32 end;   // sequence number after them; of UDP the identification in the header of IPv4
	u32 ack;
	bool udp, fragment, acks; // the other direction
};

// parse reads the headers of a packet of which that of IP is at a place. It returns false unless it has data of a
// flow of TCP of which something is followed, acknowledges some, or is the first packet of a datagram of UDP.
STATIC bool parse(const struct sk_buff *skb, const unsigned char *at, struct packet *p)
{
	struct key *k = &p->k;
	struct tcp t;
	u32 bytes, headers;
	u8 protocol;
	if (skb->protocol == ntohs(0x0800)) {
		struct { struct ip4 ip; struct tcp tcp; } h;
		if (bpf_probe_read_kernel(&h, sizeof h, at))
			return false;
		protocol = h.ip.protocol;
		if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP)
			return false;
		headers = (h.ip.version & 15) * 4;
		t = h.tcp;
		if (headers != sizeof h.ip && bpf_probe_read_kernel(&t, sizeof t, at + headers))
			return false;
		bytes = ntohs(h.ip.bytes);
		k->from[0] = k->to[0] = 0;
		k->from[1] = mapped(h.ip.from);
		k->to[1] = mapped(h.ip.to);
		p->fragment = ntohs(h.ip.fragment) & 0x3fff;
		p->end = ntohs(h.ip.id);
		if (ntohs(h.ip.fragment) & 0x1fff)
			return false;
	} else if (skb->protocol == ntohs(0x86dd)) {
		struct { struct ip6 ip; struct tcp tcp; } h;
		struct { u8 protocol, unused; u16 offset; u32 id; } f;
		if (bpf_probe_read_kernel(&h, sizeof h, at))
			return false;
		protocol = h.ip.protocol;
		headers = sizeof h.ip;
		t = h.tcp;
		p->fragment = protocol == 44;
		if (p->fragment) {
			if (bpf_probe_read_kernel(&f, sizeof f, at + headers) || ntohs(f.offset) & ~7 ||
			    bpf_probe_read_kernel(&t, sizeof t, at + headers + sizeof f))
				return false;
			protocol = f.protocol;
		}
		if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP)
			return false;
		bytes = ntohs(h.ip.bytes);
		if (bytes)
			bytes += headers;
		k->from[0] = h.ip.from[0], k->from[1] = h.ip.from[1];
		k->to[0] = h.ip.to[0], k->to[1] = h.ip.to[1];
	} else {
		return false;
	}
	k->from_port = ntohs(t.from);
	k->to_port = ntohs(t.to);
	p->udp = protocol == IPPROTO_UDP;
	if (p->udp) {
		// The length is where TCP has the first half of the sequence number.
		p->bytes = (u16)((ntohl(t.seq) >> 16) - 8);
	} else {
		bool follows = watched[slot(k->from_port, k->to_port)] || (joins && peer(k->from));
		p->acks = t.flags & 16 && away[slot(k->to_port, k->from_port)];
		if (!follows && !p->acks)
			return false;
		// Of a packet beyond 64 KB the header has no length.
		if (!bytes)
			bytes = skb->len - (u32)(at - skb->data);
		headers += (t.offset >> 4) * 4;
		p->bytes = follows && bytes > headers ? bytes - headers : 0;
		if (!p->bytes && !p->acks)
			return false;
		p->end = ntohl(t.seq) + p->bytes;
		p->ack = ntohl(t.ack);
	}
	k->net = loopback(k) ? skb->dev->nd_net.net->ns.inum : 0;
	return true;
}

#include "blocks.h"
#include "loopback.h"

enum { ON = 0, STOP = 1 };

struct passing {
	struct flow *f;
	u64 at[INSTANTS]; // 0: it does not pass there
	u32 end, n, head;
};

STATIC long pass_one(u32 n, struct passing *p)
{
	struct message *m = p->n == p->head ? 0 : message(p->f, p->n);
	if (p->n == p->head || (m && (s32)(p->end - m->end) < 0))
		return STOP;
	for (int i = QUEUED; m && i < INSTANTS; i++)
		if (p->at[i] && (!m->at[i] || p->at[i] < m->at[i]))
			m->at[i] = p->at[i];
	if (m && m->why & SAMPLED && p->at[ARRIVED] && m->at[ARRIVED] == p->at[ARRIVED])
		m->deferred = deferred_since(m->at[HANDED]);
	p->n++;
	return ON;
}

// pass sets instants of all messages whose last byte is before end; at has those that are not 0, the last one at which
// now, if it is 0. Bytes that are sent again pass no message: the first packet counts.
STATIC void pass(struct flow *f, u32 last, u32 end, const u64 *at)
{
	struct passing p = {f, {0, at[QUEUED], at[HANDED], at[ARRIVED]}, end, f->cursor[last & 3], f->head};
	u32 read = f->from_blocks ? f->read : f->read_known;
	if ((s32)(p.n - read) < 0)
		p.n = read;
	struct message *m = p.n == p.head ? 0 : message(f, p.n);
	if (p.n == p.head || (m && (s32)(end - m->end) < 0))
		return;
	if (!p.at[last & 3])
		p.at[last & 3] = bpf_ktime_get_ns();
	bpf_loop(BLOCK * BLOCKS, pass_one, &p, 0);
	// A processor that took longer with earlier packets does not set it back.
	for (int i = QUEUED; i < INSTANTS; i++)
		if (p.at[i] && (s32)(p.n - f->cursor[i]) > 0)
			f->cursor[i] = p.n;
}

STATIC struct flow *made(struct key *k)
{
	u32 other = joined(k);
	if (own(k, false) || (joins == ONLY && !other))
		return 0;
	u64 id = identity(k);
	bpf_map_update_elem(&flows, &id, &no_flow, BPF_NOEXIST);
	struct flow *f = bpf_map_lookup_elem(&flows, &id);
	if (f && !f->key.from_port)
		f->key = *k;
	f = flow_of(k);
	if (!f) {
		count(NOFLOW, 1);
		return 0;
	}
	mark(watched, &f->watched, k);
	f->joined = other;
	return f;
}

// read_in keeps the namespace of the network in which a flow is read.
INLINE void read_in(const struct key *k, struct flow *f, u32 net)
{
	f->net = net;
	unmark(away, &f->away, k);
}

// Exponents by the upper 5 bits of a product (de Bruijn): latencies differ, and branches would be guessed wrong.
static const u8 exponents[32] = {0, 9, 1, 10, 13, 21, 2, 29, 11, 14, 16, 18, 22, 25, 3, 30, 8, 12, 20, 28, 15, 17, 24, 7, 19, 27, 23, 6, 26, 5, 4, 31};

INLINE u32 log2(u64 x)
{
	u32 more = x >> 32 ? 32 : 0, low = x >> more;
	low |= low >> 1, low |= low >> 2, low |= low >> 4, low |= low >> 8, low |= low >> 16;
	return more + exponents[low * 0x07c4acddu >> 27];
}

INLINE void add(struct stage *s, u64 from, u64 to, bool alone)
{
	u64 ns = to > from ? to - from : 0;
	u32 bin = ns;
	if (ns >= SUB) {
		u32 e = log2(ns);
		bin = e > 36 ? BINS - 1 : SUB + (e - SUB_BITS) * SUB + (u32)(ns >> (e - SUB_BITS)) - SUB;
	}
	barrier_var(bin); // older kernels know the bound of one register, not of a copy
	if (bin >= BINS)
		return;
	if (alone) {
		s->bins[bin]++;
		s->sum += ns;
	} else {
		__sync_fetch_and_add(&s->bins[bin], 1);
		__sync_fetch_and_add(&s->sum, ns);
	}
}

// In a key of histograms: packets whose messages the other host counts, and what is counted while one counts in the other
// histogram.
enum { PACKETS = 1 << 16, MEANWHILE = 1 << 17 };

INLINE u32 who(struct flow *f) { return f->program | (f->local ? LOCAL : 0) | (f->joined && !alone ? JOINED : 0); }

INLINE u32 sort_of(struct key *k, u32 who, u32 bytes)
{
	return (who & 255) << 8 | (who & UDP ? 128 : 0) | log2(bytes) << 1 | to_server(k) | (who & JOINED && !(who & LOCAL) ? PACKETS : 0);
}

enum { BUSY = 1, OF_ALL = 2 };

STATIC struct histogram *histogram(u32 which)
{
	struct histogram *h = bpf_map_lookup_elem(&histograms, &which);
	if (h)
		return h;
	if (!bpf_map_update_elem(&histograms, &which, &no_histogram, BPF_NOEXIST))
		return bpf_map_lookup_elem(&histograms, &which);
	h = bpf_map_lookup_elem(&early, &which);
	if (h)
		return h;
	bpf_map_update_elem(&early, &which, &no_histogram, BPF_NOEXIST);
	h = bpf_map_lookup_elem(&early, &which);
	if (h)
		h->busy = OF_ALL;
	return h;
}

// waited returns how long a reader has waited for a processor in an interval.
INLINE u64 waited(struct reader *r, u64 from, u64 to)
{
	u64 sum = 0;
	for (int i = 0; i < WAITS; i++) {
		u64 a = r->from[i] > from ? r->from[i] : from, b = r->to[i] < to ? r->to[i] : to;
		if (b > a)
			sum += b - a;
	}
	return sum;
}

INLINE u32 moved_since(struct reader *r, u64 at) { return r->moved > at ? MOVED : 0; }

// reads makes the running thread one whose waits are kept, if it is not the one that has read before.
INLINE void reads(u64 *before)
{
	u64 this = bpf_get_current_pid_tgid();
	if (*before == this)
		return;
	*before = this;
	bpf_task_storage_get(&readers, (void *)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

INLINE u32 drawn(void) { return bpf_get_prandom_u32() <= sampled ? SAMPLED : 0; }

// why_held returns what TCP holds a message for when it gets it.
STATIC u32 why_held(struct tcp_sock *tp, u32 bytes)
{
	u32 why = 0, nonagle = BPF_CORE_READ_BITFIELD_PROBED(tp, nonagle), waits = tp->write_seq - tp->snd_una;
	if (!nonagle && tp->packets_out && (s32)(tp->snd_sml - tp->snd_una) > 0)
		why |= NAGLE;
	if (nonagle & 2)
		why |= CORK;
	if (waits + bytes > tp->snd_wnd)
		why |= WINDOW;
	if (tp->packets_out >= tp->snd_cwnd)
		why |= CONGESTION;
	return why;
}

// finish counts a message that was read at a time; 0: that is not known.
SHARED int finish(struct key *k, struct message *m, u64 now, u32 who)
{
	struct histogram *h;
	bool local = who & LOCAL;
	if (!k || !m)
		return 0;
	if (local && !m->at[QUEUED]) {
		count(UNQUEUED, 1);
		return 0;
	}
	if (local && !m->at[HANDED]) {
		count(UNHANDED, 1);
		return 0;
	}
	if (now && !m->at[ARRIVED]) {
		count(UNARRIVED, 1);
		return 0;
	}
	u32 which = sort_of(k, who, m->bytes);
	h = histogram(which);
	if (!h)
		return 0;
	// One of this processor belongs to who has it first. Who has interrupted that counts in another one.
	bool shared = h->busy == OF_ALL, alone = !shared && !__sync_lock_test_and_set(&h->busy, BUSY);
	if (!shared && !alone)
		h = histogram(which | MEANWHILE);
	if (!h)
		return 0;
	if (alone)
		h->bytes += m->bytes;
	else
		__sync_fetch_and_add(&h->bytes, m->bytes);
	if (local) {
		add(&h->stages[0], m->at[SENT], m->at[QUEUED], alone);
		add(&h->stages[1], m->at[QUEUED], m->at[HANDED], alone);
	}
	if (local && now)
		add(&h->stages[2], m->at[HANDED], m->at[ARRIVED], alone);
	if (now)
		add(&h->stages[3], m->at[ARRIVED], now, alone);
	barrier();
	if (alone)
		h->busy = 0;
	count(!now ? AWAY : local ? ATTRIBUTED : who & JOINED ? TOLD : HEARD, 1);
	if (!now && who & JOINED)
		tell_sent(k, m, who);
	else if (!now && !(who & ACKNOWLEDGED))
		return 0;
	if ((!now && who & JOINED) || !local || !(m->why & SAMPLED || (now && now - m->at[SENT] > slow)))
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
	s->program = who & 255;
	s->to_server = to_server(k);
	s->udp = !!(who & UDP);
	s->why = m->why;
	s->served = m->served;
	s->deferred = m->deferred;
	s->woken = s->waited = 0;
	struct reader *r = now ? bpf_task_storage_get(&readers, (void *)bpf_get_current_task_btf(), 0, 0) : 0;
	if (r) {
		s->woken = r->woken;
		s->waited = waited(r, m->at[ARRIVED], now);
		s->why |= moved_since(r, m->at[ARRIVED]);
	}
	bpf_ringbuf_submit(s, BPF_RB_NO_WAKEUP);
	return 0;
}

// unread counts a message that no receive call has read.
STATIC void unread(struct flow *f, u32 why)
{
	if (!f->local)
		count(STARTED, 1);
	count(why, 1);
}

// What a receiver has not read although it has acknowledged so many bytes after it, it reads in other ways, or is on
// another host.
enum { MOST_UNREAD = 1 << 26, MOST_UNREAD_EVER = 1 << 18 };

// yield ends messages of which it is known by what has been acknowledged that they are not read here.
STATIC void yield(struct key *k, struct flow *f, u32 acked)
{
	bool here = !f->local || f->net || k->net;
	for (int i = 0; i < 2 && f->head - f->read >= RING; i++) {
		struct message *m = message(f, f->read);
		// Its block may have gone back meanwhile.
		if (!m)
			return;
		u32 most = here ? MOST_UNREAD : m->at[ARRIVED] ? MOST_UNREAD_EVER : 0;
		if ((s32)(acked - m->end - most) < 0)
			return;
		if (here)
			unread(f, UNSEEN);
		else
			finish(k, m, 0, who(f));
		pass_on(f);
	}
}

// room returns where a new message goes, or 0.
INLINE struct message *room(struct key *k, struct flow *f, u32 acked)
{
	if (!f->from_blocks && f->head - f->read_known < RING)
		return &f->ring[f->head & (RING - 1)];
	f->read_known = f->read;
	if (!f->from_blocks && f->head - f->read_known < RING)
		return &f->ring[f->head & (RING - 1)];
	yield(k, f, acked);
	struct message *m = more_room(k, f);
	if (!m)
		unread(f, FULL);
	return m;
}

INLINE void begin(struct flow *f, struct message *m) { m->number = ++f->head; }

// begun reports whether a message is on its way. In a flow's ring the message itself tells it, since the sender's line is far
// from the reader.
INLINE bool begun(struct flow *f, u32 i) { return f->from_blocks ? i != f->head : f->ring[i & (RING - 1)].number == i + 1; }

struct restarting {
	struct key *k;
	struct flow *f;
	u32 at, head, why;
};

STATIC long restart_one(u32 n, struct restarting *r)
{
	struct flow *f = r->f;
	if (r->at == r->head)
		return STOP;
	struct message *m = message(f, r->at);
	if (f->local && m && !f->net && !r->k->net && m->at[HANDED] && !m->at[ARRIVED])
		finish(r->k, m, 0, who(f));
	else if (f->local)
		count(r->why, 1);
	r->at++;
	if (r->at % BLOCK == 0)
		give(f, r->at - 1);
	return ON;
}

// restart forgets the messages that are on their way. Those that a driver has, and that no one reads here, are on
// another host.
SHARED int restart(struct key *k, struct flow *f, u32 why)
{
	if (!k || !f)
		return 0;
	u32 head = f->head;
	struct restarting r = {k, f, f->read, head, why};
	if (head != f->read)
		bpf_loop(BLOCK * BLOCKS, restart_one, &r, 0);
	f->read = f->read_known = f->cursor[QUEUED] = f->cursor[HANDED] = f->cursor[ARRIVED] = head;
	f->epoch = epoch;
	f->last_read = 0;
	return 0;
}

// since_read returns how long ago the sender has read what came last on its connection, once for each.
STATIC u64 since_read(struct key *k, u64 now)
{
	struct key back;
	reverse(k, &back);
	struct flow *f = flow_of(&back);
	u64 at = f ? f->last_read : 0;
	if (!at)
		return 0;
	f->last_read = 0;
	return now - at;
}

// met keeps where a sender is, which reads what comes back.
STATIC void met(struct key *k, struct flow *f, u32 net)
{
	struct key back;
	reverse(k, &back);
	struct flow *b = flow_of(&back);
	f->home = net;
	if (!b)
		return;
	read_in(&back, b, net);
	if (b->home)
		read_in(k, f, b->home);
}

// sends begins a message of TCP of which so many bytes are left to a call.
STATIC int sends(const struct sock *sk, u32 left)
{
	struct key k = {};
	struct tcp_sock *tp = bpf_skc_to_tcp_sock((void *)sk);
	if (!tp)
		return 0;
	// All parts of a call have the same end.
	u32 seq = tp->write_seq, end = seq + left;
	if (!left || outside(sk->__sk_common.skc_net.net) || !local_key(sk, IPPROTO_TCP, &k))
		return 0;
	struct flow *f = flow_of(&k);
	bool first = !f || f->epoch != epoch;
	if (!f || !f->local) {
		struct name n = {};
		current_name(&n);
		if (!f) {
			struct key back;
			struct place p = {};
			place_of(&k, &p);
			if (!wanted(&k, &n, false) && !bpf_map_lookup_elem(&places, &p))
				return 0;
			f = made(&k);
			// What comes back is watched too, whoever sends it.
			reverse(&k, &back);
			if (chosen())
				made(&back);
		}
		if (!f)
			return 0;
		restart(&k, f, BROKEN);
		met(&k, f, sk->__sk_common.skc_net.net->ns.inum);
		f->program = number(&n);
		f->local = 1;
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
	struct message *m = 0;
	u32 new = 0;
	if ((s32)(seq - f->end) < 0 && f->head != f->read) {
		struct message *last = message(f, f->head - 1);
		u32 unsent = f->end - seq;
		if (unsent > f->asked) {
			restart(&k, f, REPLACED);
		} else if (last && last->end == f->end) {
			if (unsent == f->asked) {
				m = last; // nothing of it was sent
			} else if (unsent < last->bytes) {
				last->bytes -= unsent;
				last->end = seq;
				count(SHORTENED, 1);
			}
		}
	}
	// Before it writes to the flow: an atomic step waits for what was written.
	if (!m)
		count(STARTED, 1);
	f->end = end;
	f->asked = left;
	if (!m) {
		m = room(&k, f, tp->snd_una);
		if (!m)
			return 0;
		mark(watched, &f->watched, &k); // its last connection may have ended
		if (!f->net && !k.net)
			mark(away, &f->away, &k);
		new = 1;
	}
	m->end = end;
	m->bytes = left;
	m->at[QUEUED] = m->at[HANDED] = m->at[ARRIVED] = 0;
	m->deferred = 0;
	m->at[SENT] = bpf_ktime_get_ns();
	m->why = drawn();
	m->served = 0;
	if (m->why) {
		m->why |= why_held(tp, left);
		m->served = since_read(&k, m->at[SENT]);
	}
	if (new)
		begin(f, m);
	return 0;
}

SEC("tp_btf/tcp_sendmsg_locked")
int BPF_PROG(sent, const struct sock *sk, const struct msghdr *msg) { return sends(sk, msg->msg_iter.count); }

// UDP.
//
// A datagram has no number, but over loopback and between namespaces its packet stays where it is in memory. So it
// is known again by its buffer. A reader's call does not tell which datagram it has read: those of a port are read in
// the order of their arrival.

enum { DATAGRAMS = 1 << 14 }; // on their way; a power of two
enum { QUEUE = 512 };         // that have arrived at a port; a power of two

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DATAGRAMS);
	__type(key, u32);
	__type(value, struct datagram);
} datagrams SEC(".maps"); // by their number

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2 * DATAGRAMS);
	__type(key, u64);
	__type(value, u32);
} heads SEC(".maps"); // numbers of datagrams by the addresses of their buffers

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 256);
	__type(key, u32);
	__type(value, u64);
} drops SEC(".maps"); // dropped datagrams by the kernel's reason

// The way of datagrams between two sockets.
struct way {
	u32 program;
	bool local, watched;
	bool copied; // its packets change their buffers on the way
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct key);
	__type(value, struct way);
} ways SEC(".maps");

struct port {
	u32 number, net; // inode of the network namespace
};

// What has arrived at a port and was not read. A number of 0 is a datagram that is not followed.
struct queue {
	u32 head, tail;
	u32 epoch;
	bool sure; // what is first here is first at the socket
	bool full;
	u64 reader; // as in a flow
	u32 seq[QUEUE];
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048);
	__type(key, struct port);
	__type(value, struct queue);
} queues SEC(".maps");

// The call of a thread that sends.
struct call {
	u64 at; // 0: it has sent
	u64 sk;
	u32 looking;
	bool many; // datagrams, one after another
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} callers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} arriving SEC(".maps"); // the datagram that a processor takes to its socket

u32 last_datagram;
static struct queue no_queue;

INLINE struct datagram *datagram(u32 seq)
{
	u32 at = seq & (DATAGRAMS - 1);
	struct datagram *d = bpf_map_lookup_elem(&datagrams, &at);
	return d && seq && d->seq == seq ? d : 0;
}

// claim returns true to one of those who end a datagram at the same time.
INLINE bool claim(struct datagram *d, u32 seq) { return seq && __sync_val_compare_and_swap(&d->seq, seq, 0) == seq; }

// lost counts a datagram that was not read, or of which it is not known when.
SHARED int lost(struct datagram *d, u32 why)
{
	if (!d)
		return 0;
	if (!(d->who & LOCAL)) {
		if (d->who & JOINED && !alone)
			return 0; // the other host counts it
		count(STARTED, 1);
	}
	count(why, 1);
	return 0;
}

// leftover counts a datagram of which nothing was seen any more.
SHARED int leftover(struct datagram *d)
{
	if (!d)
		return 0;
	if (d->m.at[ARRIVED])
		return lost(d, d->epoch == epoch ? UNSEEN : BROKEN);
	struct key k = d->k; // older kernels look up what is on the stack
	struct way *w = bpf_map_lookup_elem(&ways, &k);
	if (w && w->copied && d->m.at[HANDED])
		count(UNARRIVED, 1);
	else
		finish(&d->k, &d->m, 0, d->who);
	return 0;
}

// began returns a new datagram whose number is not set yet.
STATIC struct datagram *began(const struct sk_buff *skb, struct packet *p, u32 who, u32 *seq)
{
	u64 head = (u64)skb->head;
	u32 *before = bpf_map_lookup_elem(&heads, &head);
	struct datagram *d = before ? datagram(*before) : 0;
	// Its buffer belongs to another one now. What has arrived was read, and its reader's call ends soon.
	if (d && d->m.at[ARRIVED])
		d->gone = bpf_ktime_get_ns();
	else if (d && claim(d, *before))
		leftover(d);
	*seq = __sync_fetch_and_add(&last_datagram, 1) + 1;
	u32 at = *seq & (DATAGRAMS - 1);
	d = bpf_map_lookup_elem(&datagrams, &at);
	if (!d || !*seq)
		return 0;
	u32 old = d->seq;
	if (claim(d, old))
		leftover(d);
	bpf_map_update_elem(&heads, &head, seq, BPF_ANY);
	d->head = head;
	d->skb = (u64)skb;
	d->k = p->k;
	d->m.bytes = d->left = p->bytes;
	d->m.end = p->end;
	d->m.at[SENT] = d->m.at[QUEUED] = d->m.at[HANDED] = d->m.at[ARRIVED] = 0;
	d->sk = d->gone = d->net = d->segments = d->unsure = 0;
	d->who = who;
	d->epoch = epoch;
	return d;
}

// seen returns the datagram of a packet, if it is followed.
STATIC struct datagram *seen(const struct sk_buff *skb, struct packet *p)
{
	u64 head = (u64)skb->head;
	u32 *seq = bpf_map_lookup_elem(&heads, &head);
	struct datagram *d = seq ? datagram(*seq) : 0;
	return d && d->epoch == epoch && d->m.bytes == p->bytes && d->m.end == p->end && same(&d->k, &p->k) ? d : 0;
}

INLINE bool multicast(const struct key *k)
{
	if (k->to[0] == 0 && (u32)k->to[1] == 0xffff0000)
		return (u8)(k->to[1] >> 32) >= 0xe0;
	return (u8)k->to[0] == 0xff;
}

// Places where datagrams are read are beyond the ports of TCP.
enum { UDP_PORTS = 1 << 16 };

// placed reports whether a process that was asked for has read at the receiving address.
INLINE bool placed(const struct key *k)
{
	struct place p = {{k->to[0], k->to[1]}, k->to_port | UDP_PORTS};
	if (bpf_map_lookup_elem(&places, &p))
		return true;
	p.to[0] = p.to[1] = 0;
	return bpf_map_lookup_elem(&places, &p);
}

// numbered returns JOINED if a datagram goes from or to the other host, and both know it by its identification.
INLINE u32 numbered(struct packet *p) { return joins && p->end && !alone && joined(&p->k) ? JOINED : 0; }

// way_of returns the way of what the running process sends, if it is watched.
INLINE struct way *way_of(struct key *k)
{
	struct way *w = bpf_map_lookup_elem(&ways, k);
	if (w && w->local && w->watched)
		return w;
	struct name n = {};
	current_name(&n);
	if (!(w && w->watched) && !wanted(k, &n, true) && !placed(k))
		return 0;
	struct way new = {.program = number(&n), .local = 1, .watched = 1};
	bpf_map_update_elem(&ways, k, &new, BPF_ANY);
	if (chosen()) {
		// What comes back is watched too, whoever sends it.
		struct key back;
		struct way other = {.program = new.program, .watched = 1};
		reverse(k, &back);
		bpf_map_update_elem(&ways, &back, &other, BPF_NOEXIST);
	}
	return bpf_map_lookup_elem(&ways, k);
}

INLINE bool looked(void) { return looking & 1; }

// unlooked makes the running call one of which only a packet was seen.
STATIC struct call *unlooked(const struct sock *sk)
{
	struct call *c = bpf_task_storage_get(&callers, (void *)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (c)
		c->at = 1, c->sk = (u64)sk, c->looking = looking, c->many = 0;
	return c;
}

INLINE void datagram_queued(const struct sk_buff *skb, struct packet *p)
{
	u32 seq;
	u64 now = bpf_ktime_get_ns();
	struct sock *sk = skb->sk;
	if (!sk || !opened)
		return;
	struct call *c = bpf_task_storage_get(&callers, (void *)bpf_get_current_task_btf(), 0, 0);
	if (c && (c->sk != (u64)sk || c->looking != looking))
		c = 0;
	// The first packet of a call is new, also where one without an identification had its place in memory before.
	if (!(c && c->at) && seen(skb, p))
		return;
	if (!looked())
		c = unlooked(sk); // where its call has ended is not seen either
	if (!c) {
		// One of the kernel's own, or one that has waited for the address of a neighbour.
		struct way other = {.local = 1};
		bpf_map_update_elem(&ways, &p->k, &other, BPF_NOEXIST);
		return;
	}
	// That of a tunnel, which has the datagram in it, is another packet of the same call.
	struct way *w = c->at && (joins != ONLY || numbered(p)) ? way_of(&p->k) : 0;
	u64 at = c->at;
	c->at = 0;
	if (!w)
		return;
	bool segments = segmented(skb);
	count(STARTED, 1);
	datagrams_seen++;
	if (!looked()) {
		count(UNLOOKED, 1);
		return;
	}
	if (p->fragment || multicast(&p->k)) {
		count(p->fragment ? FRAGMENTED : MANY, 1);
		return;
	}
	struct datagram *d = began(skb, p, w->program | LOCAL | UDP | (segments ? 0 : numbered(p)), &seq);
	if (!d)
		return;
	d->segments = segments;
	d->m.at[SENT] = at;
	d->m.why = drawn();
	d->m.served = 0;
	d->m.at[QUEUED] = now;
	d->seq = seq;
}

INLINE void datagram_handed(const struct sk_buff *skb, struct packet *p)
{
	struct datagram *d = seen(skb, p);
	if (!d || d->m.at[HANDED])
		return;
	d->m.at[HANDED] = bpf_ktime_get_ns();
	// It does not arrive here.
	if (d->who & JOINED && !alone && claim(d, d->seq))
		finish(&d->k, &d->m, 0, d->who);
}

// enqueue puts a datagram in the queue of its port.
STATIC void enqueue(struct port *at, u32 seq, struct datagram *d)
{
	struct queue *q = bpf_map_lookup_elem(&queues, at);
	if (!q) {
		if (!d)
			return;
		bpf_map_update_elem(&queues, at, &no_queue, BPF_NOEXIST);
		q = bpf_map_lookup_elem(&queues, at);
		if (!q)
			return;
	}
	if (q->epoch != epoch) {
		q->tail = q->head;
		q->sure = q->full = 0;
		q->epoch = epoch;
	}
	if (q->full || q->head - q->tail >= QUEUE) {
		q->full = 1;
		if (d && claim(d, seq))
			lost(d, FULL);
		return;
	}
	if (d)
		d->unsure = !q->sure;
	u32 i = __sync_fetch_and_add(&q->head, 1);
	q->seq[i & (QUEUE - 1)] = seq;
}

// datagram_of returns the datagram of a packet that has arrived, or a new one if its sender is on another host.
INLINE struct datagram *datagram_of(const struct sk_buff *skb, struct packet *p, u32 *seq)
{
	u64 head = (u64)skb->head;
	u32 *s = bpf_map_lookup_elem(&heads, &head);
	struct datagram *d = seen(skb, p);
	if (d && s) {
		*seq = *s;
		return d;
	}
	struct way *w = bpf_map_lookup_elem(&ways, &p->k);
	if (w && w->local) {
		w->copied = 1;
		return 0;
	}
	if (!opened || p->k.net || p->fragment || multicast(&p->k) || own(&p->k, true) || (joins == ONLY && !numbered(p)))
		return 0;
	if (w ? !w->watched : chosen() ? !placed(&p->k) : by_port && !bpf_map_lookup_elem(&ports, &p->k.from_port) && !bpf_map_lookup_elem(&ports, &p->k.to_port))
		return 0;
	datagrams_seen++;
	return began(skb, p, UDP | numbered(p), seq);
}

INLINE void datagram_arrived(const struct sk_buff *skb, struct packet *p)
{
	u32 seq = 0, zero = 0, *now = bpf_map_lookup_elem(&arriving, &zero);
	struct port at = {p->k.to_port, skb->dev->nd_net.net->ns.inum};
	// A bridge has not received it.
	if (skb->dev->rx_handler)
		return;
	struct datagram *d = datagram_of(skb, p, &seq);
	if (d) {
		// One that has arrived in a namespace on its way arrives again.
		d->m.at[ARRIVED] = bpf_ktime_get_ns();
		d->m.deferred = deferred_since(d->m.at[HANDED]);
		d->skb = (u64)skb;
		d->net = at.net;
		d->sk = 0;
		d->seq = seq;
	} else {
		seq = 0;
	}
	if (now)
		*now = seq;
	enqueue(&at, seq, d);
}

// tell_datagram_read tells of a datagram that the other host has sent.
STATIC void tell_datagram_read(const struct key *k, struct message *m, u64 now)
{
	struct half h = {.at = {now, m->at[ARRIVED]}};
	struct reader *r = bpf_task_storage_get(&readers, (void *)bpf_get_current_task_btf(), 0, 0);
	if (r) {
		h.served = r->woken;
		h.waited = waited(r, m->at[ARRIVED], now);
		h.why = moved_since(r, m->at[ARRIVED]);
	}
	tell_read(k, m->end, m->bytes, &h, UDP);
}

// fits reports whether a socket may have read so many bytes of a datagram.
INLINE bool fits(struct datagram *d, const struct sock *sk, struct key *own, u32 bytes)
{
	if (d->sk && d->sk != (u64)sk)
		return false;
	if ((own->from[0] | own->from[1]) && own->from[1] != mapped(0) && (own->from[0] != d->k.to[0] || own->from[1] != d->k.to[1]))
		return false;
	return (!own->to_port || own->to_port == d->k.from_port) && bytes <= d->left;
}

// first returns the number of the datagram that a socket has first: 0 if it has none, -1 if that is not known.
INLINE u32 first(struct sock *sk)
{
	struct udp_sock *u = (void *)sk;
	struct sk_buff *skb = 0;
	if (BPF_CORE_READ(u, reader_queue.qlen))
		skb = BPF_CORE_READ(u, reader_queue.next);
	else if (BPF_CORE_READ(sk, sk_receive_queue.qlen))
		skb = BPF_CORE_READ(sk, sk_receive_queue.next);
	if (!skb)
		return 0;
	u64 head = (u64)BPF_CORE_READ(skb, head);
	u32 *seq = bpf_map_lookup_elem(&heads, &head);
	return seq ? *seq : -1;
}

// asked_to_read keeps where processes that were asked for read.
INLINE void asked_to_read(struct sock *sk, struct key *own)
{
	if (!chosen())
		return;
	struct place p = {};
	u8 yes = 1;
	p.port = own->from_port | UDP_PORTS;
	if (own->from[1] != mapped(0))
		p.to[0] = own->from[0], p.to[1] = own->from[1];
	if (bpf_map_lookup_elem(&places, &p))
		return;
	struct name n = {};
	current_name(&n);
	if (wanted(own, &n, true))
		bpf_map_update_elem(&places, &p, &yes, BPF_ANY);
}

// read_one finishes the datagram with a number, and returns true, if a socket has read it.
SHARED int read_one(struct datagram *d, u32 seq, u32 bytes, u64 now)
{
	if (!d)
		return 0;
	if (d->segments && bytes < d->left) {
		d->left -= bytes;
		return 1;
	}
	if (!claim(d, seq))
		return 0;
	if (!(d->who & LOCAL)) {
		struct name n = {};
		current_name(&n);
		d->who |= number(&n);
		if (alone)
			d->who &= ~JOINED;
		if (d->who & JOINED)
			tell_datagram_read(&d->k, &d->m, now);
	}
	finish(&d->k, &d->m, now, d->who);
	return 1;
}

struct reading {
	struct sock *sk;
	struct queue *q;
	struct key own;
	u64 now;
	u32 at, head, bytes, first, net;
};

enum { CALL_ENDS = 100000000 }; // ns, in which a call ends that has read

// read_at looks whether a place of a queue has what was read.
STATIC long read_at(u32 n, struct reading *r)
{
	u32 i = r->at + n, seq;
	struct queue *q = r->q;
	if (i == r->head)
		return STOP;
	seq = q->seq[i & (QUEUE - 1)];
	struct datagram *d = datagram(seq);
	if (d && d->gone && (s64)(r->now - d->gone) > CALL_ENDS) {
		if (claim(d, seq))
			lost(d, UNSEEN);
		d = 0;
	}
	bool live = !seq || (d && d->net == r->net);
	if (live && d && !fits(d, r->sk, &r->own, r->bytes))
		return ON;
	if (live && !q->sure) {
		// Datagrams that arrived before the watch began are read first.
		if (r->first == -1)
			return STOP;
		q->sure = 1;
		if (seq && r->first == seq)
			return STOP;
	}
	bool read = live && (!d || read_one(d, seq, r->bytes, r->now));
	if (read && seq && datagram(seq))
		return STOP;
	q->seq[i & (QUEUE - 1)] = -1;
	__sync_val_compare_and_swap(&q->tail, i, i + 1);
	return read ? STOP : ON;
}

INLINE void datagram_read(struct sock *sk, int bytes, int flags)
{
	struct reading r = {};
	if (bytes < 0 || sk->sk_type != SOCK_DGRAM || flags & (MSG_PEEK | MSG_ERRQUEUE) || !local_key(sk, IPPROTO_UDP, &r.own))
		return;
	struct port at = {r.own.from_port, sk->__sk_common.skc_net.net->ns.inum};
	asked_to_read(sk, &r.own);
	struct queue *q = bpf_map_lookup_elem(&queues, &at);
	if (!q || q->epoch != epoch)
		return;
	reads(&q->reader);
	r.sk = sk, r.q = q, r.bytes = bytes, r.net = at.net;
	r.now = bpf_ktime_get_ns();
	r.at = q->tail, r.head = q->head;
	r.first = q->sure && !q->full ? 0 : first(sk);
	if (r.at == r.head && !r.first)
		q->sure = !q->full, q->full = 0;
	bpf_loop(QUEUE, read_at, &r, 0);
}

STATIC void leave(const struct sk_buff *skb, u32 which)
{
	struct packet p = {};
	u64 none[INSTANTS] = {};
	struct sock *sk = skb->sk;
	if (sk && !watched[slot(sk->__sk_common.skc_num, ntohs(sk->__sk_common.skc_dport))] && sk->sk_protocol != IPPROTO_UDP)
		return;
	if (outside(skb->dev->nd_net.net) || (sk && sk->sk_protocol == IPPROTO_TCP && keep(skb, which)))
		return;
	if (!parse(skb, skb->head + skb->network_header, &p))
		return;
	if (p.udp) {
		if (which == QUEUED)
			datagram_queued(skb, &p);
		else
			datagram_handed(skb, &p);
		return;
	}
	struct flow *f = p.bytes ? flow_of(&p.k) : 0;
	if (f && f->epoch == epoch)
		pass(f, which, p.end, none);
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

struct acknowledging {
	struct key *k;
	struct flow *f;
	u64 now;
	u32 ack;
};

STATIC long acknowledge(u32 n, struct acknowledging *a)
{
	struct flow *f = a->f;
	u32 at = f->read;
	if (at == f->head)
		return STOP;
	struct message *m = message(f, at);
	if (m && ((s32)(a->ack - m->end) < 0 || m->at[ARRIVED]))
		return STOP;
	if (__sync_val_compare_and_swap(&f->read, at, at + 1) != at)
		return STOP;
	if (m) {
		m->at[ARRIVED] = a->now;
		finish(a->k, m, 0, who(f) | ACKNOWLEDGED);
	} else {
		unread(f, FULL);
	}
	if ((at + 1) % BLOCK == 0)
		give(f, at);
	return ON;
}

// acked ends the messages that a packet of the other direction acknowledges, if another host has them.
STATIC void acked(struct packet *p)
{
	struct key k;
	reverse(&p->k, &k);
	struct flow *f = flow_of(&k);
	if (!f || !f->local || f->net || f->epoch != epoch || f->read == f->head)
		return;
	struct acknowledging a = {&k, f, bpf_ktime_get_ns(), p->ack};
	bpf_loop(BLOCK * BLOCKS, acknowledge, &a, 0);
}

// expected returns a new flow of packets from the other host, if they are to be watched.
INLINE struct flow *expected(struct key *k)
{
	struct place to = {};
	if (!joins || !joined(k) || (by_port && !bpf_map_lookup_elem(&ports, &k->from_port) && !bpf_map_lookup_elem(&ports, &k->to_port)))
		return 0;
	place_of(k, &to);
	return !chosen() || bpf_map_lookup_elem(&places, &to) ? made(k) : 0;
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(arrived, struct sk_buff *skb)
{
	struct packet p = {};
	u64 at[INSTANTS] = {};
	if (outside(skb->dev->nd_net.net))
		return 0;
	if (loops(skb))
		taken(skb, at);
	if (!parse(skb, skb->data, &p))
		return 0;
	if (p.udp) {
		datagram_arrived(skb, &p);
		return 0;
	}
	if (p.acks)
		acked(&p);
	if (!p.bytes)
		return 0;
	struct flow *f = flow_of(&p.k);
	if (!f)
		f = expected(&p.k);
	// A bridge has not received it, and neither has a namespace on the way.
	if (!f || skb->dev->rx_handler || (f->net && f->net != skb->dev->nd_net.net->ns.inum))
		return 0;
	if (f->local) {
		if (f->epoch == epoch)
			pass(f, ARRIVED, p.end, at);
		return 0;
	}
	// Of a sender that is here no message was seen yet.
	if (p.k.net)
		return 0;
	if (f->epoch != epoch)
		restart(&p.k, f, BROKEN);
	// The sender is on another host: packets count as messages.
	struct message *m = room(&p.k, f, p.end);
	if (!m)
		return 0;
	m->end = p.end;
	m->bytes = p.bytes;
	m->at[ARRIVED] = bpf_ktime_get_ns();
	if (f->joined && !alone)
		tell_arrived(&p.k, p.end, p.bytes, m->at[ARRIVED], deferred_since(0));
	begin(f, m);
	return 0;
}

// read_here tells what a call has read. The other host has sent it.
STATIC void read_here(struct key *k, struct flow *f, u32 end, u32 bytes, u64 now)
{
	struct half h = {};
	struct message *m = message(f, f->read);
	u64 since = m ? m->at[ARRIVED] : 0;
	struct reader *r = bpf_task_storage_get(&readers, (void *)bpf_get_current_task_btf(), 0, 0);
	h.at[0] = now ? now : bpf_ktime_get_ns();
	if (r && now) {
		h.served = r->woken;
		h.waited = waited(r, since, now);
		h.why = moved_since(r, since);
	}
	tell_read(k, end, bytes, &h, 0);
}

struct read {
	struct key *k;
	struct flow *f;
	u64 now;
	u32 at, begin, end;
};

STATIC long read_message(u32 n, struct read *r)
{
	struct flow *f = r->f;
	if (!begun(f, r->at))
		return STOP;
	struct message *m = message(f, r->at);
	if (!m)
		unread(f, FULL);
	else if ((s32)(r->end - m->end) < 0)
		return STOP;
	else if ((s32)(m->end - r->begin) <= 0)
		unread(f, UNSEEN);
	else
		finish(r->k, m, r->now, who(f));
	r->at++;
	if (r->at % BLOCK == 0)
		give(f, r->at - 1);
	return ON;
}

// has_read ends the messages that a call has read.
STATIC int has_read(struct sock *sk, int ret, int flags)
{
	struct key own = {}, k = {};
	if (outside(sk->__sk_common.skc_net.net))
		return 0;
	if (sk->sk_protocol == IPPROTO_UDP) {
		datagram_read(sk, ret, flags);
		return 0;
	}
	if (ret <= 0 || (flags & MSG_PEEK))
		return 0;
	u16 own_port = port_of(sk);
	u32 at_slot = slot(ntohs(sk->__sk_common.skc_dport), own_port);
	// Two flows may have one slot: once in a while they are looked up.
	if (!watched[at_slot] && known[at_slot] && (bpf_get_prandom_u32() & 15))
		return 0;
	if (!local_key(sk, IPPROTO_TCP, &own))
		return 0;
	if (!known[at_slot])
		known[at_slot] = 1;
	own.from_port = own_port;
	reverse(&own, &k);
	struct flow *f = flow_of(&k);
	if (!f) {
		struct name n = {};
		current_name(&n);
		if (!wanted(&k, &n, false))
			return 0;
		if (chosen()) {
			struct place p = {};
			u8 yes = 1;
			place_of(&k, &p);
			bpf_map_update_elem(&places, &p, &yes, BPF_ANY);
		}
		f = made(&k);
	}
	struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);
	if (!f || !tp)
		return 0;
	if (f->epoch != epoch)
		restart(&k, f, BROKEN);
	if (!f->net) {
		read_in(&k, f, sk->__sk_common.skc_net.net->ns.inum);
		if (!f->local) {
			struct name n = {};
			current_name(&n);
			f->program = number(&n);
		}
	}
	u32 end = tp->copied_seq;
	// The end of the connection has a sequence number too.
	if (sk->sk_shutdown & RCV_SHUTDOWN && end == tp->rcv_nxt)
		end--;
	struct read r = {&k, f, 0, f->read, end - ret, end};
	bool some = begun(f, r.at);
	if (some)
		r.now = f->last_read = bpf_ktime_get_ns(), reads(&f->reader);
	if (f->joined && !alone && !f->local)
		read_here(&k, f, end, ret, r.now);
	if (!some)
		return 0;
	bpf_loop(BLOCK * BLOCKS, read_message, &r, 0);
	f->read = r.at;
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(received, struct sock *sk, int ret, int flags) { return has_read(sk, ret, flags); }

SEC("tp_btf/sys_enter")
int BPF_PROG(called, struct pt_regs *regs, long id)
{
	if (id != calls[0] && id != calls[1] && id != calls[2] && id != calls[3] && id != calls[4])
		return 0;
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	struct fdtable *table = t->files->fdt;
	struct pt_regs___arm64 *arm = (void *)regs;
	u32 fd = bpf_core_field_exists(regs->di) ? BPF_CORE_READ(regs, di) : BPF_CORE_READ(arm, regs[0]);
	struct file *file = 0;
	if (fd >= table->max_fds || bpf_probe_read_kernel(&file, sizeof file, table->fd + fd) || !file)
		return 0;
	// Most are of TCP, or of no socket, which is looked at last.
	struct socket *s = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(s, sk);
	if (BPF_CORE_READ(sk, sk_protocol) != IPPROTO_UDP || BPF_CORE_READ(sk, sk_type) != SOCK_DGRAM)
		return 0;
	u16 family = BPF_CORE_READ(sk, __sk_common.skc_family);
	if ((family != AF_INET && family != AF_INET6) || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return 0;
	struct call *c = bpf_task_storage_get(&callers, t, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c)
		return 0;
	c->at = bpf_ktime_get_ns();
	c->sk = (u64)sk;
	c->looking = looking;
	c->many = id == calls[0];
	return 0;
}

// has_sent ends a call that sends datagrams.
STATIC int has_sent(struct sock *sk, int ret)
{
	if (sk->sk_protocol != IPPROTO_UDP || sk->sk_type != SOCK_DGRAM)
		return 0;
	struct call *c = bpf_task_storage_get(&callers, (void *)bpf_get_current_task_btf(), 0, 0);
	bool known = c && c->sk == (u64)sk && (c->looking == looking || !c->at);
	if (ret >= 0 && opened && (!known || c->at) && !outside(sk->__sk_common.skc_net.net)) {
		struct key k = {};
		struct name n = {};
		current_name(&n);
		if (local_key(sk, IPPROTO_UDP, &k) && wanted(&k, &n, true) && (joins != ONLY || joined(&k))) {
			count(STARTED, 1);
			count(UNSTARTED, 1);
		}
	}
	if (!known)
		return 0;
	// The next one of many begins where the one before has ended.
	c->at = c->many ? bpf_ktime_get_ns() : 0;
	if (!c->many)
		c->sk = 0;
	return 0;
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(given, struct sock *sk, int ret, int flags) { return has_sent(sk, ret); }

SEC("tp_btf/sched_wakeup")
int BPF_PROG(woken, struct task_struct *t)
{
	struct reader *r = bpf_task_storage_get(&readers, t, 0, 0);
	if (r)
		r->woken = r->since = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(moved, struct task_struct *t, int to)
{
	struct reader *r = bpf_task_storage_get(&readers, t, 0, 0);
	if (r)
		r->moved = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempted, struct task_struct *from, struct task_struct *to, u32 state)
{
	struct reader *r = bpf_task_storage_get(&readers, from, 0, 0);
	if (r)
		r->since = state ? 0 : bpf_ktime_get_ns();
	r = bpf_task_storage_get(&readers, to, 0, 0);
	if (!r || !r->since)
		return 0;
	u32 i = r->waits++ & (WAITS - 1);
	r->from[i] = r->since;
	r->to[i] = bpf_ktime_get_ns();
	r->since = 0;
	return 0;
}

SEC("tp_btf/qdisc_enqueue")
int BPF_PROG(disciplined, struct Qdisc *q, const struct netdev_queue *queue, struct sk_buff *skb)
{
	struct discipline key = {queue->dev->nd_net.net->ns.inum, queue->dev->ifindex, q->handle};
	struct load *l = bpf_map_lookup_elem(&disciplines, &key);
	if (!l) {
		struct load new = {.dropped_before = q->qstats.drops};
		bpf_probe_read_kernel(new.kind, sizeof new.kind, q->ops->id);
		bpf_probe_read_kernel(new.name, sizeof new.name, queue->dev->name);
		bpf_map_update_elem(&disciplines, &key, &new, BPF_NOEXIST);
		l = bpf_map_lookup_elem(&disciplines, &key);
		if (!l)
			return 0;
	}
	__sync_fetch_and_add(&l->packets, 1);
	l->dropped = q->qstats.drops;
	if (q->q.qlen > l->most)
		l->most = q->q.qlen;
	if (queue->state & DRIVER_STOPPED)
		__sync_fetch_and_add(&l->stopped, 1);
	return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(sent_again, const struct sock *sk, const struct sk_buff *skb)
{
	struct key k = {};
	if (!local_key(sk, IPPROTO_TCP, &k))
		return 0;
	struct flow *f = flow_of(&k);
	if (!f || !f->local)
		return 0;
	u32 program = f->program;
	u64 *n = bpf_map_lookup_elem(&again, &program);
	if (n)
		__sync_fetch_and_add(n, 1);
	return 0;
}

// has_data keeps to which socket a datagram has come: several may have one port.
STATIC int has_data(const struct sock *sk)
{
	if (sk->sk_protocol != IPPROTO_UDP)
		return 0;
	u32 zero = 0, *seq = bpf_map_lookup_elem(&arriving, &zero);
	struct datagram *d = seq ? datagram(*seq) : 0;
	if (!d || d->sk)
		return 0;
	d->sk = (u64)sk;
	if (d->unsure && sk->sk_receive_queue.qlen + BPF_CORE_READ((struct udp_sock *)sk, reader_queue.qlen) <= 1) {
		struct port at = {d->k.to_port, d->net};
		struct queue *q = bpf_map_lookup_elem(&queues, &at);
		if (q)
			q->sure = 1;
	}
	return 0;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(ready, const struct sock *sk) { return has_data(sk); }

struct dropped_for {
	u32 program, reason;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct dropped_for);
	__type(value, u64);
} segments SEC(".maps"); // of TCP that the kernel has dropped

// segment_dropped counts a segment with data of a flow of which something is followed.
STATIC int segment_dropped(struct sk_buff *skb, u32 reason)
{
	struct packet p = {};
	u64 at[INSTANTS] = {};
	bool passed = taken(skb, at);
	struct dropped_for why = {.reason = reason};
	u64 one = 1;
	if (!parse(skb, skb->head + skb->network_header, &p) || p.udp)
		return 0;
	struct flow *f = flow_of(&p.k);
	if (!f || !f->local || f->epoch != epoch)
		return 0;
	if (passed)
		pass(f, at[HANDED] ? HANDED : QUEUED, p.end, at);
	why.program = f->program;
	u64 *n = bpf_map_lookup_elem(&segments, &why);
	if (n)
		__sync_fetch_and_add(n, 1);
	else
		bpf_map_update_elem(&segments, &why, &one, BPF_ANY);
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(dropped, struct sk_buff *skb, void *location, u32 reason)
{
	struct packet p = {};
	u64 head = (u64)skb->head;
	u32 *seq = bpf_map_lookup_elem(&heads, &head);
	struct datagram *d = seq ? datagram(*seq) : 0;
	if (!d)
		return segment_dropped(skb, reason);
	// A copy that is dropped, as one of a capture, has an address of its own.
	if (!seq || d->skb != (u64)skb || !parse(skb, skb->head + skb->network_header, &p) || !p.udp || !seen(skb, &p) || !claim(d, *seq))
		return 0;
	lost(d, DROPPED);
	u64 *n = bpf_map_lookup_elem(&drops, &reason);
	if (n)
		__sync_fetch_and_add(n, 1);
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

// What a socket has not read when it is gone, nobody reads. What it has sent to another host is acknowledged.
SEC("tp_btf/tcp_destroy_sock")
int BPF_PROG(destroyed, struct sock *sk)
{
	struct key own = {}, k = {};
	if (!local_key(sk, IPPROTO_TCP, &own))
		return 0;
	own.from_port = port_of(sk);
	reverse(&own, &k);
	struct flow *f = flow_of(&k);
	if (f && f->epoch == epoch && f->head != f->read) {
		read_in(&k, f, sk->__sk_common.skc_net.net->ns.inum);
		restart(&k, f, REPLACED);
	}
	if (f && f->local)
		unmark(watched, &f->watched, &k);
	if (f)
		f->last_read = 0; // what the next connection sends answers nothing of this one
	f = flow_of(&own);
	if (f && f->local && f->head == f->read) {
		unmark(away, &f->away, &own);
		unmark(watched, &f->watched, &own);
	}
	return 0;
}

#include "functions.h"
