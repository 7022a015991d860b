// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Where messages on their way are kept: a ring for each flow, and for those with more on their way blocks of a pool.
//
// A flow whose ring is full takes blocks until it sends and none of its messages is on its way. A block goes back when
// its last message is read.

enum { BLOCK = 512, POOL = 512 }; // messages in a block, and blocks

struct block {
	struct key owner;
	u32 turn;  // another one each time it is taken; 0: it is free
	u32 place; // in its owner's list
	struct message ring[BLOCK];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, POOL + 1);
	__type(key, u32);
	__type(value, struct block);
} blocks SEC(".maps"); // by their number, from 1 on

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, POOL);
	__uint(value_size, sizeof(u32));
} spare SEC(".maps"); // numbers of blocks that were given back

u32 fresh;        // blocks that were taken once
static u32 turns; // times that one was taken
static u32 hand;  // the block that was looked at last whether it can be taken away

INLINE struct block *block(u32 id) { return id ? bpf_map_lookup_elem(&blocks, &id) : 0; }

INLINE u32 *place_in(struct flow *f, u32 i) { return &f->blocks[i / BLOCK % BLOCKS]; }

STATIC struct message *in_block(struct flow *f, u32 i)
{
	struct block *b = block(*place_in(f, i));
	return b ? &b->ring[i % BLOCK] : 0;
}

// message returns one that is on its way, by its number; 0: its block was taken away.
INLINE struct message *message(struct flow *f, u32 i)
{
	u64 from = f->from_blocks;
	if (!from || (s32)(i - (u32)from) < 0)
		return &f->ring[i & (RING - 1)];
	return in_block(f, i);
}

// give gives the block of a message back.
STATIC void give(struct flow *f, u32 i)
{
	u32 *place = place_in(f, i), id = *place;
	struct block *b = block(id);
	if (!b)
		return;
	u32 turn = b->turn;
	// Of several who give it back at a time one does.
	if (__sync_val_compare_and_swap(place, id, 0) == id && __sync_val_compare_and_swap(&b->turn, turn, 0) == turn)
		bpf_map_push_elem(&spare, &id, 0);
}

enum { IDLE = 1000000000 }; // ns

// idle reports whether no flow needs a block: its owner was forgotten, or has nothing on its way and sends no more.
INLINE bool idle(struct block *b, u32 id, u64 now)
{
	struct flow *f = flow_of(&b->owner);
	u32 *place = f ? &f->blocks[b->place % BLOCKS] : 0;
	if (!place || *place != id)
		return true;
	struct message *last = &b->ring[(f->head - 1) % BLOCK];
	return f->head == f->read && now - last->at[SENT] > IDLE && __sync_val_compare_and_swap(place, id, 0) == id;
}

// taken_away returns a block that its flow does not need, or 0. It looks at a few.
STATIC u32 taken_away(void)
{
	u64 now = bpf_ktime_get_ns();
	for (int i = 0; i < 4; i++) {
		u32 id = __sync_fetch_and_add(&hand, 1) % POOL + 1;
		struct block *b = block(id);
		u32 turn = b ? b->turn : 0;
		if (turn && idle(b, id, now) && __sync_val_compare_and_swap(&b->turn, turn, 0) == turn)
			return id;
	}
	return 0;
}

// take gives a flow a block for the message with a number. It returns 0 if there is none.
STATIC u32 take(struct key *k, struct flow *f, u32 i)
{
	u32 id = 0, *place = place_in(f, i);
	if (*place)
		return 0; // as many are on their way as a flow may have
	if (bpf_map_pop_elem(&spare, &id))
		id = fresh < POOL ? __sync_fetch_and_add(&fresh, 1) + 1 : taken_away();
	struct block *b = id > POOL ? 0 : block(id);
	if (!b)
		return 0;
	b->owner = *k;
	b->place = i / BLOCK % BLOCKS;
	*place = id;
	b->turn = (__sync_fetch_and_add(&turns, 1) + 1) | 1;
	return id;
}

// pass_on ends the message that was sent first.
INLINE void pass_on(struct flow *f)
{
	u32 read = f->read;
	f->read = read + 1;
	if ((read + 1) % BLOCK == 0)
		give(f, read);
}

// more_room returns where the next message of a flow goes that has a full ring, or blocks; 0: there is no room.
STATIC struct message *more_room(struct key *k, struct flow *f)
{
	u32 head = f->head, read = f->read;
	if (f->from_blocks && head == read) {
		give(f, head);
		f->from_blocks = 0;
	}
	u64 from = f->from_blocks;
	if (!from && head - read < RING)
		return &f->ring[head & (RING - 1)];
	if ((!from || head % BLOCK == 0) && !take(k, f, head))
		return 0;
	// Numbers are compared by their differences, which are below 2^31.
	if (!from || (s32)(read - (u32)from) > 1 << 30)
		f->from_blocks = IN_BLOCKS | (from ? read : head);
	return in_block(f, head);
}
