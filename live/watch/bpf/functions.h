// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// Functions in place of tracepoints that an older kernel does not have. A program is named in_ and the function.

// Before Linux 6.16.
SEC("fentry/tcp_sendmsg_locked")
int BPF_PROG(in_tcp_sendmsg_locked, struct sock *sk, struct msghdr *msg) { return sends(sk, msg->msg_iter.count); }

// Before Linux 6.5: what sendfile gives to a socket.
SEC("fentry/do_tcp_sendpages")
int BPF_PROG(in_do_tcp_sendpages, struct sock *sk, void *page, int offset, u64 bytes) { return sends(sk, bytes); }

// Before Linux 6.3.
SEC("fexit/inet_recvmsg")
int BPF_PROG(in_inet_recvmsg, struct socket *s, void *msg, u64 bytes, int flags, int ret) { return has_read(s->sk, ret, flags); }

SEC("fexit/inet6_recvmsg")
int BPF_PROG(in_inet6_recvmsg, struct socket *s, void *msg, u64 bytes, int flags, int ret) { return has_read(s->sk, ret, flags); }

SEC("fexit/inet_sendmsg")
int BPF_PROG(in_inet_sendmsg, struct socket *s, void *msg, u64 bytes, int ret) { return has_sent(s->sk, ret); }

SEC("fexit/inet6_sendmsg")
int BPF_PROG(in_inet6_sendmsg, struct socket *s, void *msg, u64 bytes, int ret) { return has_sent(s->sk, ret); }

SEC("fentry/sock_def_readable")
int BPF_PROG(in_sock_def_readable, struct sock *sk) { return has_data(sk); }
