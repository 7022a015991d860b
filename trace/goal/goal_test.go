package goal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

const example = `// a comment
num_ranks 3 /* of which
one does nothing */
rank 0 {
l1: calc 100 cpu 1
l2 : send 10b to 1 tag 5 cpu 0 nic 1
	l2 requires l1
send 0 b to 1
l3:calc 7//at the end
l3 irequires l2
}
rank 1 {
a: recv 10b from 0 tag 5
b_2: recv 10b from -1 tag -1 /* any */
b_2 requires a
}
rank 2 {
}
`

func TestRead(t *testing.T) {
	s, err := Read(strings.NewReader(strings.ReplaceAll(example, "\n", "\r\n")))
	require.NoError(t, err)
	require.Equal(t, [][]Op{
		{
			{Kind: Calc, Size: 100, CPU: 1, Line: 5},
			{Kind: Send, Size: 10, Peer: 1, Tag: 5, NIC: 1, Requires: []int32{0}, Line: 6},
			{Kind: Send, Peer: 1, Line: 8},
			{Kind: Calc, Size: 7, Begun: []int32{1}, Line: 9},
		},
		{
			{Kind: Recv, Size: 10, Peer: 0, Tag: 5, Line: 13},
			{Kind: Recv, Size: 10, Peer: Any, Tag: Any, Requires: []int32{0}, Line: 14},
		},
		nil,
	}, s.Ranks)
	require.NoError(t, s.Check())
}

func TestReadRefuses(t *testing.T) {
	in := func(ops string) string { return "num_ranks 2\nrank 0 {\n" + ops + "\n}\n" }
	for text, want := range map[string]string{
		"":                               "no num_ranks",
		"rank 0 {":                       `line 1: "rank", wanted num_ranks`,
		"num_ranks 0":                    `line 1: "0", wanted a number of ranks, 1 to 65536`,
		"num_ranks 2 3":                  `line 1: "3", wanted the end of the line`,
		"num_ranks 2\nrank 2 {\n}\n":     `line 2: "2", wanted a rank, 0 to 1`,
		"num_ranks 2\nrank 1\n":          "line 2: the end of the line, wanted {",
		"num_ranks 2\ncalc 3\n":          `line 2: "calc", wanted rank`,
		"num_ranks 2\nrank 1 {\n":        "line 2: rank 1 does not end, wanted }",
		in("calc 5") + "\n/* rank 1 {\n": "line 6: a comment does not end",
		in("calc 5") + "rank 0 {\n}\n":   `line 5: "0", wanted a rank that has not been before`,
		in("snd 5b to 1"):                `line 3: "snd", wanted send, recv, calc, a label or }`,
		in("calc x"):                     `line 3: "x", wanted a time in ns`,
		in("calc 999999999999999\n" + strings.Repeat("calc 999999999999999\n", 9)): "line 12: \"999999999999999\", wanted computations of a rank that take at most 9223372036854775 ns together",
		in("send 5 to 1"):                        `line 3: "to", wanted b, for bytes`,
		in("send 5b from 1"):                     `line 3: "from", wanted to`,
		in("recv 5b to 1"):                       `line 3: "to", wanted from`,
		in("send 5b to 0"):                       `line 3: "0", wanted another rank`,
		in("send 5b to -1"):                      `line 3: "-1", wanted a rank, 0 to 1`,
		in("send 5b to 1 tag 4294967295"):        `wanted a tag, 0 to 4294967294`,
		in("send 99999999999999999999b to 1"):    "wanted a size",
		in("send 5b to 1 cpu 300"):               `line 3: "300", wanted a number of the cpu, 0 to 255`,
		in("send 5b to 1 nic 1 cpu 1"):           `line 3: "cpu", wanted the end of the line`,
		in("a: calc 5\na: calc 6"):               `line 4: "a", wanted a label that the rank has not yet`,
		in("a: calc 5\na requires b"):            `line 4: "b", wanted a label of an operation of the rank, above`,
		in("b requires a\na: calc 5\nb: calc 6"): `line 3: "b", wanted a label of an operation`,
		in("a: calc 5\na requires"):              "line 4: the end of the line, wanted a label",
		in("calc " + strings.Repeat("9", 70000)): "line 3: longer than 65536 bytes",
	} {
		_, err := Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestCheckTakesMessagesInTheOrderOfTime: which of two messages a receive of any takes decides
// whether the schedule ends.
func TestCheckTakesMessagesInTheOrderOfTime(t *testing.T) {
	for _, late := range []string{"1", "2"} {
		text := "num_ranks 3\nrank 0 {\na: recv 8b from -1\nb: recv 8b from 2\nb requires a\n}\n"
		for _, rank := range []string{"1", "2"} {
			text += "rank " + rank + " {\na: calc " + map[bool]string{true: "1000", false: "10"}[rank == late] + "\nb: send 8b to 0\nb requires a\n}\n"
		}
		s, err := Read(strings.NewReader(text))
		require.NoError(t, err)
		err = s.Check()
		require.Equal(t, late == "2", err == nil)
		if err != nil {
			require.EqualError(t, err, "rank 0, line 4: recv of 8 B from rank 2 tag 0: no send is left for it, because the recv from any rank tag 0, line 3 takes the one of rank 2, line 14")
		}
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	s, err := Read(strings.NewReader("\ufeffnum_ranks 1\nrank 0 {\ncalc 5\n}\n"))
	require.NoError(t, err)
	require.Len(t, s.Ranks, 1)
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"rank 0 {\nrecv 8b from 1 tag 3\n}\nrank 1 {\nsend 8b to 0 tag 4\n}":                                                           "rank 0, line 3: recv of 8 B from rank 1 tag 3: no send comes to it",
		"rank 0 {\n}\nrank 1 {\nsend 8b to 0 tag 4\n}":                                                                                 "rank 1, line 5: send of 8 B to rank 0 tag 4: no receive takes it",
		"rank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}":                                                                "rank 0, line 3: 2 operations require each other",
		"rank 0 {\na: calc 1\na irequires a\n}":                                                                                        "rank 0, line 3: 1 operations require each other",
		"rank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\nrank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}": "rank 0, line 3: recv of 8 B from rank 1 tag 0: no send comes to it",
		"rank 0 {\na: recv 8b from 1\nb: send 8b to 1\n}\nrank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}":               "",
	} {
		s, err := Read(strings.NewReader("num_ranks 2\n" + text))
		require.NoError(t, err, text)
		if err := s.Check(); want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

// schedules draws schedules that end: operations require earlier ones of a common order.
func schedules(t *rapid.T) *Schedule {
	s := &Schedule{Ranks: make([][]Op, rapid.IntRange(2, 4).Draw(t, "ranks"))}
	add := func(rank int, o Op) {
		if n := len(s.Ranks[rank]); n > 0 && rapid.Bool().Draw(t, "dependent") {
			o.Requires = []int32{int32(rapid.IntRange(0, n-1).Draw(t, "on"))}
		}
		s.Ranks[rank] = append(s.Ranks[rank], o)
	}
	for range rapid.IntRange(0, 20).Draw(t, "steps") {
		from := rapid.IntRange(0, len(s.Ranks)-1).Draw(t, "from")
		size := rapid.Int64Range(0, 1000).Draw(t, "size")
		if to := rapid.IntRange(0, len(s.Ranks)-1).Draw(t, "to"); to == from {
			add(from, Op{Size: size, CPU: rapid.IntRange(0, 2).Draw(t, "cpu")})
		} else {
			// With equal tags, which send a receive gets can decide whether the schedule ends.
			tag := int64(len(s.Ranks[to]))
			add(from, Op{Kind: Send, Size: size, Peer: to, Tag: tag})
			add(to, Op{Kind: Recv, Size: size, Peer: from, Tag: tag})
		}
	}
	return s
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := schedules(t)
		require.NoError(t, s.Check())
		var b bytes.Buffer
		require.NoError(t, s.Write(&b, "made by\nhand"))
		got, err := Read(&b)
		require.NoError(t, err)
		for rank := range got.Ranks {
			require.Len(t, got.Ranks[rank], len(s.Ranks[rank]))
			for i, o := range got.Ranks[rank] {
				o.Line = 0
				require.Equal(t, s.Ranks[rank][i], o)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Add("num_ranks 1\nrank 0 {\na: calc 1\na irequires a\n}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		_ = s.Check()
		var first, second bytes.Buffer
		require.NoError(t, s.Write(&first))
		again, err := Read(bytes.NewReader(first.Bytes()))
		require.NoError(t, err, fmt.Sprintf("%q", text))
		require.NoError(t, again.Write(&second))
		require.Equal(t, first.String(), second.String())
	})
}
