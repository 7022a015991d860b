// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Instants of packets of TCP on their way over loopback. A packet stays where it is in memory, unless it is cut into
// segments, so that they are kept under its address. They are entered together when it arrives or is dropped: its headers
// are read and its flow is found once.

enum { BEING = 1 };
enum { KEPT = 512 }; // packets at a time; a power of two. Instants of others are entered at once

struct kept {
	u64 skb; // 0: free, as in another epoch; BEING: it is filled
	u64 at[INSTANTS];
	u32 epoch, unused[3];
} kept[KEPT];

INLINE struct kept *kept_of(const struct sk_buff *skb)
{
	// The difference of two pointers is a number, of which the kernel lets any be made.
	u64 distance = (u64)skb - (u64)kept;
	barrier_var(distance);
	return &kept[mixed(distance >> 6) & (KEPT - 1)];
}

INLINE bool loops(const struct sk_buff *skb) { return skb->dev->flags & IFF_LOOPBACK; }

INLINE bool segmented(const struct sk_buff *skb)
{
	struct skb_shared_info *shared = (void *)(skb->head + skb->end);
	return BPF_CORE_READ(shared, gso_size);
}

// keep keeps when a packet was queued or handed over. It returns false if it has no room.
INLINE bool keep(const struct sk_buff *skb, u32 which)
{
	struct kept *k = kept_of(skb);
	u64 this = (u64)skb, before = k->skb;
	if (!loops(skb))
		return false;
	if (which == HANDED) {
		if (before != this || k->epoch != epoch)
			return false;
	} else {
		if (before == this)
			before = k->skb = 0; // one that was there before, and was not seen to end
		if (before == BEING || (before && k->epoch == epoch) || segmented(skb) || __sync_val_compare_and_swap(&k->skb, before, BEING) != before)
			return false;
		k->epoch = epoch;
		k->at[HANDED] = 0;
		__sync_lock_test_and_set(&k->skb, this);
	}
	k->at[which & 3] = bpf_ktime_get_ns();
	return true;
}

// taken puts what was kept of a packet into at, and forgets it. It returns whether there was something.
INLINE bool taken(const struct sk_buff *skb, u64 *at)
{
	struct kept *k = kept_of(skb);
	if (k->skb != (u64)skb || k->epoch != epoch)
		return false;
	at[QUEUED] = k->at[QUEUED];
	at[HANDED] = k->at[HANDED];
	k->skb = 0;
	return true;
}
