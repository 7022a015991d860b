package experiment

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/allreduce"
	"github.com/sigview/sigview/workloads/blocks"
	"github.com/sigview/sigview/workloads/kv"
	"github.com/sigview/sigview/workloads/paramserver"
)

// jobWorkloads are the jobs of data centres.
var jobWorkloads = map[string]workload{
	"allreduce": {
		summary: "sums of vectors of all nodes, in a ring or a tree",
		detail: "A vector of size numbers of four bytes (262144 by default) on each node; --steps sums (4), one after another,\n" +
			"of which every node gets all elements. --algorithm ring (the default) sends each part of the vector around\n" +
			"twice, tree up and down a binary tree, trees up and down two of them with half of the vector each.\n" +
			"--chunk is the longest message (16K), --compute what a node computes before each sum. After it every\n" +
			"parameter is updated. Any number of nodes. Every node compares every element of every sum.\n",
		size: allreduce.DefaultElements, phases: allreduce.Phases(),
		memory: func(s RunSpec, nodes int64, _ *comm.Traits) int64 {
			return nodes * chunksOfNode * int64(cmp.Or(s.Job.ChunkBytes, allreduce.DefaultChunk))
		},
		make: newJob("allreduce", allreduce.Kinds(), func(s RunSpec, nodes int, o allreduce.Options) (job, error) {
			return allreduce.New(allreduce.Spec{Nodes: nodes, Elements: int(s.Size), Seed: s.Seed, Options: o})
		}),
	},
	"paramserver": {
		summary: "gradients of workers to servers, and parameters back",
		detail: "Size parameters of four bytes (65536 by default) in shards on the first nodes (--servers, 1). In each of\n" +
			"--steps (4) every other node computes (--compute), and sends every server its gradient in messages of at\n" +
			"most --chunk bytes (16K). A server adds the gradients of all, and sends the parameters to all. Every worker\n" +
			"compares every parameter after every step.\n",
		size: paramserver.DefaultParameters, phases: paramserver.Phases(),
		memory: func(s RunSpec, nodes int64, _ *comm.Traits) int64 {
			lanes := nodes * int64(cmp.Or(s.Job.Servers, 1)+chunksOfNode/2)
			return 4*s.Size + 2*paramserver.Slots*lanes*int64(cmp.Or(s.Job.ChunkBytes, paramserver.DefaultChunk))
		},
		make: newJob("paramserver", paramserver.Kinds(), func(s RunSpec, nodes int, o paramserver.Options) (job, error) {
			return paramserver.New(paramserver.Spec{Nodes: nodes, Parameters: int(s.Size), Seed: s.Seed, Options: o})
		}),
	},
	"kv": {
		summary: "key-value store: gets, puts and additions to counters",
		detail: "Size operations (10000 by default) of clients on --items keys (1000), which the first nodes hold (--servers, 1):\n" +
			"--reads gets, --writes puts and --atomics additions (90, 5 and 5) of values of --item-size bytes (128), on keys\n" +
			"drawn evenly or, with --zipf, by that exponent. A client computes for --compute before each. Where the layer's\n" +
			"interfaces read and change the memory of other nodes, clients do all of it themselves (--access one-sided); else,\n" +
			"or with --access requests, they ask the server's process. Every byte got is compared, and there has to be an\n" +
			"order of the operations on each key that explains what each one returned (linearizability).\n",
		size: kv.DefaultOps, phases: kv.Phases(),
		memory: func(s RunSpec, _ int64, _ *comm.Traits) int64 { // of operations, and of items that may take twice as much as their bytes
			return 200*s.Size + 2*int64(cmp.Or(s.Job.Items, kv.DefaultKeys))*int64(64+cmp.Or(s.Job.ItemBytes, kv.DefaultBytes))
		},
		make: newJob("kv", kv.Kinds(), func(s RunSpec, nodes int, o kv.Options) (job, error) {
			return kv.New(kv.Spec{Nodes: nodes, Ops: int(s.Size), Seed: s.Seed, Options: o})
		}),
	},
	"blocks": {
		summary: "storage blocks over the network: commands, data, completions",
		detail: "Size commands (4000 by default), --reads of them reads to --writes writes (70 and 30), of blocks of --item-size\n" +
			"bytes (4096). Each node but the first ones (--servers, 1) has --items blocks of its own (256) on the devices of these\n" +
			"and --depth commands under way (8). A device takes --device-latency (80us) for each, several side by side, and\n" +
			"moves blocks at --device-rate (3000 MB/s). Every byte that is read is compared, and every block at the end.\n",
		size: blocks.DefaultCommands, phases: blocks.Phases(),
		memory: func(s RunSpec, nodes int64, _ *comm.Traits) int64 {
			written := min(s.Size, nodes*int64(cmp.Or(s.Job.Items, blocks.DefaultBlocks)))
			under := 2 * nodes * int64(cmp.Or(s.Job.Servers, 1)*cmp.Or(s.Job.Depth, blocks.DefaultDepth))
			return (written + under) * int64(cmp.Or(s.Job.ItemBytes, blocks.DefaultBytes))
		},
		make: newJob("blocks", blocks.Kinds(), func(s RunSpec, nodes int, o blocks.Options) (job, error) {
			return blocks.New(blocks.Spec{Nodes: nodes, Commands: int(s.Size), Seed: s.Seed, Options: o})
		}),
	},
}

// into sets the options of a program that are given, by their names.
func (j JobSpec) into(program string, options any) error {
	return bounds.Walk("job", j, func(f bounds.Field) error {
		if f.Value.IsZero() {
			return nil
		}
		known := false
		err := bounds.Walk("job", options, func(to bounds.Field) error {
			if to.Path == f.Path {
				known = true
				to.Value.Set(f.Value)
			}
			return nil
		})
		if !known {
			return wrong(f.Path, f.Value.Interface(), "none: %s has no such option", program)
		}
		return err
	})
}

// refused returns an error for the first option that is given, or nil.
func (j JobSpec) refused(workload string) error {
	return bounds.Walk("job", j, func(f bounds.Field) error {
		if f.Value.IsZero() {
			return nil
		}
		return wrong(f.Path, f.Value.Interface(), "one of %s, not %s", bounds.List(slices.Sorted(maps.Keys(jobWorkloads))), workload)
	})
}

// chunksOfNode is how many messages a node has in its memory at most: slots of lanes, and buffers to send from.
const chunksOfNode = 40

// job is a program of a data centre.
type job interface {
	Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error
	Progress() (done, total int64)
	Err() error
	Elapsed() (sim.Duration, bool)
	Shares(node int) host.Shares
	Verify() (how string, wrong error)
}

// jobProgram runs a job.
type jobProgram struct {
	job
	nodes int
	sent  []trace.Kind
}

// newJob makes programs of a job that has these options and sends these kinds.
func newJob[O any](name string, kinds []trace.Kind, build func(s RunSpec, nodes int, o O) (job, error)) func(RunSpec, *platform.Profile, int) (program, error) {
	return func(s RunSpec, _ *platform.Profile, nodes int) (program, error) {
		var o O
		if err := s.Job.into(name, &o); err != nil {
			return nil, err
		}
		j, err := build(s, nodes, o)
		return &jobProgram{j, nodes, kinds}, err
	}
}

func (p *jobProgram) progress() (done, total int64) { return p.Progress() }

func (p *jobProgram) kinds() []trace.Kind { return p.sent }

// sequences: packets are compared with single messages on idle nodes.
func (p *jobProgram) sequences() []trace.Sequence { return nil }

func (p *jobProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	return p.Start(c.Deposits(), c.Instrument(tag), tag, done)
}

func (p *jobProgram) finish() (outcome, error) { return finish(p, p.nodes, p.Shares, p.Verify) }
