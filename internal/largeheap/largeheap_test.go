package largeheap

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestRegions(t *testing.T) {
	const maps = `00400000-02400000 rw-p 00000000 fe:00 1234                               /usr/bin/sigview
c000000000-c004000000 rw-p 00000000 00:00 0                              [anon: Go: heap]
c004000000-c008000000 ---p 00000000 00:00 0                              [anon: Go: heap reservation]
7f0000100000-7f0000700000 rw-p 00000000 00:00 0
7f0001000000-7f0001100000 rw-p 00000000 00:00 0
7f0002000000-7f0002400000 rw-s 00000000 00:01 77                         /dev/zero (deleted)
7ffc00000000-7ffc00400000 rw-p 00000000 00:00 0                          [stack]
no line of this file
`
	require.Equal(t, []region{{0xc000000000, 0xc004000000}, {0x7f0000200000, 0x7f0000600000}}, regions(maps))
}

// TestFollow: a program may ask at any time, and stop twice.
func TestFollow(t *testing.T) {
	stop := Follow()
	stop()
	stop()
}

// TestMachine: the least limit counts.
func TestMachine(t *testing.T) {
	files := func(more map[string]string) fstest.MapFS {
		out := fstest.MapFS{"proc/meminfo": {Data: []byte("MemTotal:       24683520 kB\nMemFree: 1 kB\n")}}
		for name, text := range more {
			out[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return out
	}
	for _, c := range []struct {
		files     map[string]string
		addresses int64
		want      int64
		whose     string
	}{
		{nil, 0, 24683520 << 10, "the machine's"},
		{nil, 1 << 30, 1 << 30, "the limit of its addresses (ulimit -v)"},
		{map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "2147483648\n"}, 0, 2 << 30, "its cgroup's"},
		{map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096\n"}, 0, 4096, "its cgroup's"},
		{map[string]string{"proc/self/cgroup": "5:cpu,memory:/job\n4:io:/x\n", "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "8192\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0, 8192, "its cgroup's"},
	} {
		got, whose := machine(files(c.files), c.addresses)
		require.Equal(t, c.want, got)
		require.Equal(t, c.whose, whose)
	}
	got, _ := machine(fstest.MapFS{}, 0)
	require.Zero(t, got)
}

// TestWithin: a program that takes more than it may is told so, and why.
func TestWithin(t *testing.T) {
	limit := Limit{taken() + 64<<20, "--memory"}
	ctx, stop := Within(context.Background(), limit)
	defer stop()
	got, ok := LimitOf(ctx)
	require.True(t, ok)
	require.Equal(t, limit, got)
	var kept [][]byte
	for ctx.Err() == nil {
		kept = append(kept, make([]byte, 1<<20))
		runtime.Gosched()
	}
	runtime.KeepAlive(kept)
	var passed *Passed
	require.True(t, errors.As(context.Cause(ctx), &passed))
	require.Greater(t, passed.Taken, limit.Bytes)
	require.Regexp(t, `^\d+ MiB of memory were taken, want at most \d+ MiB \(--memory\)$`, passed.Error())

	enough, stop := Within(context.Background(), Limit{1 << 50, "--memory"})
	stop()
	stop()
	require.ErrorIs(t, context.Cause(enough), context.Canceled)
	_, ok = LimitOf(context.Background())
	require.False(t, ok)
}

func TestSize(t *testing.T) {
	require.Equal(t, "200 MiB", Size(200<<20))
	require.Equal(t, "1.5 GiB", Size(3<<29))
}
