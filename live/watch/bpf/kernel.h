// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// What of the kernel's structures the watch reads. Their places are filled in when the program is loaded,
// from the type information (BTF) of the kernel that runs.
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
#define true 1
#define false 0

enum { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2, BPF_MAP_TYPE_PERCPU_HASH = 5, BPF_MAP_TYPE_PERCPU_ARRAY = 6, BPF_MAP_TYPE_LRU_HASH = 9, BPF_MAP_TYPE_STACK = 23, BPF_MAP_TYPE_RINGBUF = 27, BPF_MAP_TYPE_TASK_STORAGE = 29 };
enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_F_NO_PREALLOC = 1, BPF_RB_NO_WAKEUP = 1, BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };
enum { AF_INET = 2, AF_INET6 = 10, IPPROTO_TCP = 6, IPPROTO_UDP = 17, SOCK_DGRAM = 2, MSG_PEEK = 2, MSG_ERRQUEUE = 0x2000, S_IFMT = 0170000, S_IFSOCK = 0140000, RCV_SHUTDOWN = 1, IFF_LOOPBACK = 8 };

#define KERNEL __attribute__((preserve_access_index))

struct ns_common {
	unsigned int inum;
} KERNEL;

struct net {
	struct ns_common ns;
} KERNEL;

typedef struct {
	struct net *net;
} KERNEL possible_net_t;

struct in6_addr {
	union {
		u32 u6_addr32[4];
	} in6_u;
} KERNEL;

struct sock_common {
	u32 skc_daddr, skc_rcv_saddr;
	u16 skc_dport, skc_num;
	unsigned short skc_family;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
} KERNEL;

struct sk_buff;

struct sk_buff_head {
	struct sk_buff *next;
	u32 qlen;
} KERNEL;

struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_receive_queue;
	u16 sk_type, sk_protocol;
	u8 sk_shutdown;
} KERNEL;

struct inet_sock {
	__be16 inet_sport;
} KERNEL;

struct udp_sock {
	struct sk_buff_head reader_queue;
} KERNEL;

struct tcp_sock {
	u32 write_seq, snd_una, copied_seq, rcv_nxt, snd_sml, snd_wnd, snd_cwnd, packets_out;
	u8 nonagle : 4;
} KERNEL;

struct iov_iter {
	unsigned long count;
} KERNEL;

struct msghdr {
	struct iov_iter msg_iter;
} KERNEL;

struct net_device {
	char name[16];
	int ifindex;
	unsigned int flags;
	void *rx_handler;
	possible_net_t nd_net;
} KERNEL;

struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	unsigned int len;
	unsigned int end;
	u16 protocol, network_header;
	unsigned char *head, *data;
} KERNEL;

struct Qdisc_ops {
	char id[16];
} KERNEL;

struct qdisc_skb_head {
	u32 qlen;
} KERNEL;

struct gnet_stats_queue {
	u32 drops;
} KERNEL;

struct Qdisc {
	const struct Qdisc_ops *ops;
	u32 handle;
	struct qdisc_skb_head q;
	struct gnet_stats_queue qstats;
} KERNEL;

struct netdev_queue {
	struct net_device *dev;
	unsigned long state;
} KERNEL;

enum { DRIVER_STOPPED = 1 }; // of its state: __QUEUE_STATE_DRV_XOFF

struct skb_shared_info {
	unsigned short gso_size;
} KERNEL;

struct inode {
	unsigned short i_mode;
} KERNEL;

struct file {
	struct inode *f_inode;
	void *private_data;
} KERNEL;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} KERNEL;

struct files_struct {
	struct fdtable *fdt;
} KERNEL;

struct socket {
	struct sock *sk;
} KERNEL;

// Registers of amd64, and of arm64: the kernel has one of the two.
struct pt_regs {
	unsigned long di;
} KERNEL;

struct pt_regs___arm64 {
	u64 regs[31];
} KERNEL;

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
} KERNEL;

struct kernfs_node {
	u64 id;
} KERNEL;

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
} KERNEL;

struct css_set {
	struct cgroup_subsys_state *subsys[16];
	struct cgroup *dfl_cgrp;
} KERNEL;

struct task_struct {
	int tgid;
	struct css_set *cgroups;
	struct files_struct *files;
	struct task_struct *group_leader;
	char comm[16];
} KERNEL;
