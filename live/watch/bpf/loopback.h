// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Instants of packets of TCP on their way over loopback. A packet stays where it is in memory, unless it is cut into
// segments, so that they are kept under its address. They are entered together when it arrives or is dropped: its headers
// are read and its flow is found once.

enum { KEPT = 512 }; // packets at a time; a power of two. Instants of others are entered at once

struct kept {
	u64 owner; // the packet and the epoch; 0: free, as in another epoch
	u64 at[INSTANTS];
	u64 unused[3];
} kept[KEPT] __attribute__((aligned(64)));

enum { EPOCH_BITS = 7 }; // which addresses leave: they take 57 bits

// owner is a number for a packet in this epoch.
INLINE u64 owner(const struct sk_buff *skb)
{
	// The difference of two pointers is a number, of which the kernel lets any be made.
	u64 distance = (u64)skb - (u64)kept;
	barrier_var(distance);
	return distance << EPOCH_BITS | (epoch & ((1 << EPOCH_BITS) - 1));
}

INLINE bool of_now(u64 owner) { return owner && !((owner ^ epoch) & ((1 << EPOCH_BITS) - 1)); }

INLINE struct kept *kept_of(u64 owner) { return &kept[mixed(owner >> (6 + EPOCH_BITS)) & (KEPT - 1)]; }

INLINE bool loops(const struct sk_buff *skb) { return skb->dev->flags & IFF_LOOPBACK; }

INLINE bool segmented(const struct sk_buff *skb)
{
	struct skb_shared_info *shared = (void *)(skb->head + skb->end);
	return BPF_CORE_READ(shared, gso_size);
}

// keep keeps when a packet was queued or handed over. It returns false if it has no room.
INLINE bool keep(const struct sk_buff *skb, u32 which)
{
	u64 this = owner(skb);
	struct kept *k = kept_of(this);
	u64 before = k->owner;
	if (!loops(skb))
		return false;
	if (which == HANDED) {
		if (before != this)
			return false;
	} else {
		// If it is there, one with its address was not seen to end.
		if (segmented(skb) || (before != this && (of_now(before) || __sync_val_compare_and_swap(&k->owner, before, this) != before)))
			return false;
		k->at[HANDED] = 0;
	}
	k->at[which & 3] = bpf_ktime_get_ns();
	return true;
}

// taken puts what was kept of a packet into at, and forgets it. It returns whether there was something.
INLINE bool taken(const struct sk_buff *skb, u64 *at)
{
	u64 this = owner(skb);
	struct kept *k = kept_of(this);
	if (k->owner != this)
		return false;
	at[QUEUED] = k->at[QUEUED];
	at[HANDED] = k->at[HANDED];
	k->owner = 0;
	return true;
}
