package rebuild_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// packet returns a packet of 72 B with its instants in ns: T1, taken up, T2 to T6.
func packet(sender, receiver, number int64, at ...int64) trace.PacketRow {
	some := trace.Some[int64]
	return trace.PacketRow{
		Kind: trace.PageRequest.String(), Sender: sender, Receiver: receiver, Number: number, SizeBytes: 72, First: true, Inline: trace.Some(false),
		T1Ns: some(at[0]), TakenNs: some(at[1]), T2Ns: some(at[2]), T3Ns: some(at[3]), T4Ns: some(at[4]), T5Ns: some(at[5]), T6Ns: some(at[6]),
	}
}

func resolved(t require.TestingT, packets ...trace.PacketRow) *account.Account {
	a, err := account.Resolve(rebuild.Log(rebuild.Trace{Packets: packets}))
	require.NoError(t, err)
	return a
}

// waited sums what a packet waits at a resource for another one, or for the note that it has
// left, in ns.
func waited(a *account.Account, id waits.ID, r waits.Resource, holder waits.ID) (ns int64) {
	for _, p := range a.Of(id) {
		h := &a.Actors[p.Holder]
		if p.What == waits.Waiting && p.Resource == r && (p.Holder == holder || h.Type == waits.Task && h.Cause == holder) {
			ns += p.Length() / 1000
		}
	}
	return ns
}

// TestSlot: the second message of a node waits until the first one has left.
func TestSlot(t *testing.T) {
	a := resolved(t,
		packet(0, 1, 0, 0, 0, 5000, 6000, 9000, 12000, 16000),
		packet(0, 1, 1, 1000, 10000, 15000, 16000, 19000, 22000, 26000))
	require.EqualValues(t, 8000, waited(a, 2, waits.Slot, 1), "from T1 to the first one's T4")
	require.EqualValues(t, 1000, waited(a, 2, waits.Processor, 1), "until it is taken up")
	require.Zero(t, waited(a, 1, waits.Slot, 2))
}

// TestHostDMA: a packet that arrives while another one is deposited waits for that.
func TestHostDMA(t *testing.T) {
	a := resolved(t,
		packet(0, 2, 0, 0, 0, 5000, 6000, 9000, 12000, 40000),
		packet(1, 2, 0, 9000, 9000, 14000, 15000, 18000, 21000, 44000))
	require.EqualValues(t, 18400, waited(a, 2, waits.HostDMA, 1), "from the end of the handler of its arrival")
	require.Zero(t, waited(a, 1, waits.HostDMA, 2))
}

// TestRoom: where every second packet comes as soon as the one before has left the receiver's card, that has room for one.
func TestRoom(t *testing.T) {
	var rows []trace.PacketRow
	for i := range int64(20) {
		at := 100000 * i
		rows = append(rows,
			packet(0, 1, 2*i, at, at, at+500, at+1000, at+1100, at+4000, at+11000),
			packet(0, 1, 2*i+1, at+100, at+100, at+600, at+1100, at+1200, at+11050, at+18050))
	}
	a, err := account.Resolve(rebuild.Log(rebuild.Trace{Packets: rows, Cards: true}))
	require.NoError(t, err)
	require.EqualValues(t, 4050, waited(a, 2, waits.Ring, 1), "from when the link is free until it flows for 3 µs")
	require.Zero(t, waited(a, 1, waits.Ring, 2))
}

// TestSlowProcessor: a node whose processor takes longer to start its engine has a slow one, and no slow way to it.
func TestSlowProcessor(t *testing.T) {
	var rows []trace.PacketRow
	for i := range int64(60) {
		from, to := i%3, (i+1)%3
		at, start, notice := 100000*i, int64(500), int64(3000)
		if from == 2 {
			start = 2000
		}
		if to == 2 {
			notice = 12000
		}
		rows = append(rows, packet(from, to, i, at, at, at+5000, at+5000+start, at+9000, at+7000+start+notice, at+20000+start+notice))
	}
	a := resolved(t, rows...)
	flows := map[int32]int64{} // ns, by receiver
	for id := 1; id < len(a.Actors); id++ {
		for _, p := range a.Of(waits.ID(id)) {
			if p.What == waits.Service && p.Resource == waits.Port {
				flows[p.Instance] += p.Length() / 1000
			}
		}
	}
	require.Equal(t, flows[0], flows[2])
}

// TestLost: a packet that was lost waits for its timer from when it was sent, whatever has come to its receiver before it was sent again.
func TestLost(t *testing.T) {
	lost := packet(0, 1, 0, 0, 0, 5000, 6000, 9000, 0, 0)
	lost.T5Ns, lost.T6Ns = trace.Opt[int64]{}, trace.Opt[int64]{}
	a, err := account.Resolve(rebuild.Log(rebuild.Trace{
		Packets: []trace.PacketRow{lost, packet(2, 1, 0, 700_000, 700_000, 705_000, 706_000, 709_000, 712_000, 716_000)}, Repeats: true,
		Steps: []trace.StepRow{{Step: string(trace.StepReply), BeginNs: 0, DurationNs: 900_000}},
	}))
	require.NoError(t, err)
	require.GreaterOrEqual(t, waited(a, 1, waits.Timer, 0), int64(700_000), "how long it then flows is not known of one")
}

// anyRecords draws packets whose instants, and what is recorded of them, may be anything.
func anyRecords(t *rapid.T) (rows []trace.PacketRow, whole int) {
	for i := range rapid.IntRange(0, 30).Draw(t, "packets") {
		at := make([]int64, 7)
		from := rapid.Int64Range(0, 50000).Draw(t, "from")
		for k := range at {
			from += rapid.Int64Range(-500, 9000).Draw(t, "step")
			at[k] = from
		}
		sender := rapid.Int64Range(0, 2).Draw(t, "sender")
		p := packet(sender, (sender+1)%3, int64(i), at...)
		p.First = rapid.Bool().Draw(t, "first")
		p.Inline = trace.Some(rapid.Bool().Draw(t, "inline"))
		p.SizeBytes = rapid.Int64Range(0, 4096).Draw(t, "size")
		if rapid.Bool().Draw(t, "lost") {
			p.T6Ns = trace.Opt[int64]{}
		} else {
			whole++
		}
		rows = append(rows, p)
	}
	return rows, whole
}

// TestAnyRecordsResolve: whatever the instants are, and clocks have errors, the pieces of
// every actor fill its time, and Log forgets no packet that has both records.
func TestAnyRecordsResolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, whole := anyRecords(t)
		require.Len(t, resolved(t, rows...).Actors, 1+2*whole, "packets, and the notes of their insertions")
		require.Equal(t, len(rows)-whole, rebuild.Trace{Packets: rows}.Partial())
	})
}

// TestLearnedRules: what is learned from records makes the same log of them, and some log of any others.
func TestLearnedRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, _ := anyRecords(t)
		of := rebuild.Trace{Packets: rows}
		l := rebuild.NewLearner(nil)
		for i := range rows {
			l.Add(&rows[i])
		}
		rules := l.Rules()
		want := rebuild.Log(of)
		of.Rules = rules
		require.Equal(t, want, rebuild.Log(of))
		others, _ := anyRecords(t)
		_, err := account.Resolve(rebuild.Log(rebuild.Trace{Packets: others, Rules: rules}))
		require.NoError(t, err)
	})
}
