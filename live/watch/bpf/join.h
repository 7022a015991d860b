// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Messages whose other end is on another host that is watched too. Each host tells its half of each: the sender when
// it was sent, queued and handed over, the receiver when each packet has arrived and when each call has read.
// Who has both halves joins them by the flow and by sequence numbers, or by the identification of a datagram.

enum { ONLY = 2 }; // of joins: nothing else is watched here

const volatile u32 joins;    // 0: no other host is watched
const volatile u32 every;    // of blocks of a flow one in so many is joined
const volatile u32 only;     // inode of the network namespace outside of which nothing is watched; 0: all are
const volatile u32 apart[2]; // ports of the watch's own connections between the hosts, over TCP and UDP

volatile u32 alone; // the watch of the other host has ended

enum { BLOCK_BITS = 12 }; // bytes of a block, by sequence numbers

enum { TELLS_SENT, TELLS_ARRIVED, TELLS_READ, TELLS_DATAGRAM = 4 };

struct half {
	u64 flow;
	u32 end, bytes; // of a message, a packet, what a call has read; of a datagram its identification and bytes
	u32 kind, program, why, to_server;
	u64 at[3];  // SENT, QUEUED, HANDED; of others the first one only; of a datagram when it was read and has arrived
	u64 served; // of a message as there; of a read when its reader was woken last
	u64 waited; // of a read for a processor, of a packet for the kernel to receive it, ns
};

struct address {
	u64 of[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, struct address);
	__type(value, u8);
} peers SEC(".maps"); // addresses of the other host

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} halves SEC(".maps");

INLINE bool peer(const u64 *of)
{
	struct address a = {{of[0], of[1]}};
	return bpf_map_lookup_elem(&peers, &a);
}

// own reports whether a flow is one of the watch's own.
INLINE bool own(const struct key *k, bool udp)
{
	u32 port = udp ? apart[1] : apart[0];
	return port && (k->from_port == port || k->to_port == port);
}

// joined reports whether a flow has its other end on the other host.
STATIC bool joined(const struct key *k) { return joins && !k->net && (peer(k->from) || peer(k->to)); }

// outside reports whether a network namespace is not watched.
INLINE bool outside(const struct net *n) { return only && n->ns.inum != only; }

INLINE u64 folded(u64 x) { return x ^ x >> 32; }

// identity is a number of a flow. Both hosts have the same one.
INLINE u64 identity(const struct key *k)
{
	u64 rest = (u64)k->net << 32 | (u32)k->from_port << 16 | k->to_port;
	return folded(folded(k->from[0]) * 0x9e3779b97f4a7c15 + folded(k->from[1]) * 0xd6e8feb86659fd93 +
		folded(k->to[0]) * 0xa0761d6478bd642f + folded(k->to[1]) * 0xe7037ed1a0b428db + rest * 0x8ebc6af09c88c6e3);
}

// drawn_block reports whether bytes up to end touch a block that is joined: of each row of blocks one is.
INLINE bool drawn_block(u64 flow, u32 end, u32 bytes)
{
	u32 n = every, last = (end - 1) >> BLOCK_BITS, first = (end - bytes) >> BLOCK_BITS;
	if (n < 2 || last - first >= n)
		return true;
	for (int i = 0; i < 2; i++) {
		u32 row = (i ? last : first) / n, drawn = row * n + mixed(row ^ (u32)flow) % n;
		if (drawn - first <= last - first)
			return true;
	}
	return false;
}

// drawn_datagram reports whether one with an identification is joined.
INLINE bool drawn_datagram(u64 flow, u32 id) { return every < 2 || mixed(id ^ (u32)flow) % every == 0; }

// told returns room for a half, or 0.
INLINE struct half *told(const struct key *k, u32 kind, u32 end, u32 bytes)
{
	u64 flow = identity(k);
	// Of a message the last byte counts.
	if (kind & TELLS_DATAGRAM ? !drawn_datagram(flow, end) : !bytes || !drawn_block(flow, end, kind == TELLS_SENT ? 1 : bytes))
		return 0;
	struct half *h = bpf_ringbuf_reserve(&halves, sizeof *h, 0);
	if (!h) {
		count(UNTOLD, 1);
		return 0;
	}
	h->flow = flow;
	h->end = end;
	h->bytes = bytes;
	h->kind = kind;
	h->program = h->why = 0;
	h->to_server = to_server(k);
	h->at[0] = h->at[1] = h->at[2] = 0;
	h->served = h->waited = 0;
	return h;
}

STATIC void tell_sent(const struct key *k, const struct message *m, u32 who)
{
	count(OVER, 1);
	struct half *h = told(k, TELLS_SENT | (who & UDP ? TELLS_DATAGRAM : 0), m->end, m->bytes);
	if (!h)
		return;
	for (int i = 0; i < 3; i++)
		h->at[i] = m->at[i];
	h->program = who & 255;
	h->why = m->why;
	h->served = m->served;
	bpf_ringbuf_submit(h, BPF_RB_NO_WAKEUP);
}

STATIC void tell_arrived(const struct key *k, u32 end, u32 bytes, u64 now, u32 deferred)
{
	struct half *h = told(k, TELLS_ARRIVED, end, bytes);
	if (!h)
		return;
	h->at[0] = now;
	h->waited = deferred;
	bpf_ringbuf_submit(h, BPF_RB_NO_WAKEUP);
}

STATIC void tell_read(const struct key *k, u32 end, u32 bytes, struct half *times, u32 who)
{
	struct half *h = told(k, TELLS_READ | (who & UDP ? TELLS_DATAGRAM : 0), end, bytes);
	if (!h)
		return;
	h->at[0] = times->at[0];
	h->at[1] = times->at[1];
	h->served = times->served;
	h->waited = times->waited;
	h->why = times->why;
	bpf_ringbuf_submit(h, BPF_RB_NO_WAKEUP);
}
