package ablate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// Spec asks why programs wait.
type Spec struct {
	Run   experiment.RunSpec // its seed does not count
	Seeds experiment.Seeds
	// Shares asks for shares that sum to the whole, of the resources that take most.
	Shares bool
	// At are the nodes at which resources are free; none: at all. There they are never faster, and those of the network
	// are left out.
	At []int
	// Port is the only port that is free; "": none. Program is the only program that is absent, or computes twice as
	// fast; "": resources are free and faster instead. Of At, Port and Program at most one is given.
	Port, Program string
	Cache         Cache
	// KeptOnly makes Explain return errNotKept instead of running anything.
	KeptOnly bool
	// Digest, if not empty, is the event digest that the run with seed DigestSeed had.
	Digest     string
	DigestSeed uint64
}

// errNotKept says that the outcome of a run is not in the cache.
var errNotKept = errors.New("not all runs are kept")

// DefaultSeeds is the number of seeds of a study unless another is asked for.
const DefaultSeeds = 5

// maxShared is the largest number of resources with shares of their own: with the others as
// one player, 2^4 sets.
const maxShared = 3

// Validate checks the specification.
func (s Spec) Validate(known experiment.Catalogue) error {
	if err := s.Run.Validate(known); err != nil {
		return err
	}
	switch {
	case s.Run.Build != experiment.BuildFull:
		return bounds.Wrong("monitor", s.Run.Build, "full: latencies are what is to be explained")
	case s.Run.Detail != "" && s.Run.Detail != experiment.DetailFull:
		return bounds.Wrong("detail", s.Run.Detail, "%s: only the full model has resources to be free", experiment.DetailFull)
	case s.Seeds.N < 1:
		return bounds.Wrong("seeds", s.Seeds.N, "at least 1")
	case len(s.Run.FreeAt) > 0:
		return bounds.Wrong("free_at", s.Run.FreeAt, "none: what is free in all runs is so at all nodes")
	case slices.ContainsFunc(s.At, func(n int) bool { return n < 0 || s.Run.Nodes > 0 && n >= s.Run.Nodes }):
		return bounds.Wrong("node", s.At, "nodes from 0 to %d", cmp.Or(s.Run.Nodes, experiment.MaxNodes)-1)
	case s.given() > 1:
		return bounds.Wrong("node", s.At, "one of node, port and program: each is tested alone")
	case s.Shares && s.given() > 0 && len(s.At) == 0:
		return bounds.Wrong("shares", s.Shares, "none with a port or program: there is only one")
	case s.Port != "" && (s.Run.FreePort != "" || slices.Contains(s.Run.Uncontended, trace.Ports)):
		return bounds.Wrong("port", s.Port, "no port that is free in all runs")
	case s.Program != "" && s.Run.Quick != "":
		return bounds.Wrong("program", s.Program, "no program that is faster in all runs, as %s", s.Run.Quick)
	case s.Program != "" && len(s.Run.Programs()) == 1:
		return bounds.Wrong("program", s.Program, "none: %s runs alone", s.Run.Workload)
	case len(s.At) > 0 && len(s.Run.Uncontended) > 0:
		return bounds.Wrong("node", s.At, "nothing uncontended beside it: that would be so at other nodes too")
	}
	if s.Program != "" {
		return names.Check("program of this run", s.Program, s.Run.Programs())
	}
	return nil
}

// given counts how many of At, Port and Program are given.
func (s Spec) given() (n int) {
	for _, is := range []bool{len(s.At) > 0, s.Port != "", s.Program != ""} {
		if is {
			n++
		}
	}
	return n
}

// Explain runs the programs with every change and each seed, and explains what they wait
// for.
func Explain(ctx context.Context, spec Spec, watch experiment.Watch) (x why.Explanation, err error) {
	if err := spec.Validate(experiment.Known()); err != nil {
		return x, err
	}
	if spec.Run, err = spec.Run.Pinned(); err != nil {
		return x, err
	}
	s := study{spec: spec}
	if err := s.prepare(); err != nil {
		return x, err
	}
	if err := s.run(ctx, s.variants(), watch); err != nil {
		return x, err
	}
	if x = why.Explain(s.Study); !spec.Shares {
		return x, nil
	}
	s.Shared = x.Leading(maxShared)
	var variants []why.Variant
	for set := range why.First(len(s.Shared)+1) + 1 {
		variants = append(variants, why.Variant{Free: s.Union(set)})
	}
	if err := s.run(ctx, variants, watch); err != nil {
		return x, err
	}
	return why.Explain(s.Study), nil
}

// variants returns the changes that are run unless shares are asked for.
func (s *study) variants() []why.Variant {
	if s.spec.Program != "" {
		i := slices.Index(s.Programs, s.spec.Program)
		return []why.Variant{{}, why.Gone(i), why.Quick(i)}
	}
	n := len(s.Parts)
	list := []why.Variant{{}, {Free: why.First(n)}}
	for i := range s.Parts {
		list = append(list, why.Alone(i), why.Last(i, n))
		if s.faster[i] != nil {
			list = append(list, why.Fast(i))
		}
	}
	if len(s.Programs) > 1 && s.spec.Port == "" {
		for i := range s.Programs {
			list = append(list, why.Gone(i))
		}
	}
	return list
}

// study is a study with what its runs need.
type study struct {
	why.Study
	spec    Spec
	profile *platform.Profile
	faster  []*platform.Profile // by part: with it twice as fast; nil if that cannot be
	change  []platform.Overlay  // that make these
}

func (s *study) prepare() (err error) {
	if s.profile, err = platform.Load(s.spec.Run.Platform); err != nil {
		return err
	}
	at, err := s.profile.At(s.spec.Run.Layer)
	if err != nil {
		return err
	}
	s.Workload, s.Programs = s.spec.Run.Workload, s.spec.Run.Programs()
	s.Platform = trace.Platform{Name: s.profile.Name, Digest: s.profile.Digest(), Borrowed: s.profile.Borrowed[at.Layer]}
	s.Nodes = cmp.Or(s.spec.Run.Nodes, s.profile.Nodes)
	s.Seeds, s.Outcomes = s.spec.Seeds.All(), map[why.Variant][]why.Outcome{}
	s.At, s.Port, s.Program = s.spec.At, s.spec.Port, s.spec.Program
	switch {
	case s.spec.Program != "":
		return nil
	case s.Port != "":
		s.Parts, s.faster, s.change = []why.Part{{trace.Ports}}, make([]*platform.Profile, 1), make([]platform.Overlay, 1)
		network := s.profile.FabricSpec(s.Nodes)
		return names.Check("port", s.Port, network.Ports())
	}
	if s.Parts, s.Warnings = parts(s.spec.Run, at); len(s.Parts) == 0 {
		return bounds.Wrong("uncontended", joined(s.spec.Run.Uncontended), "a resource that is not free: there is nothing to free")
	}
	if len(s.At) > 0 {
		s.Parts = slices.DeleteFunc(s.Parts, func(p why.Part) bool { return slices.Contains(p, trace.Ports) })
		s.faster, s.change = make([]*platform.Profile, len(s.Parts)), make([]platform.Overlay, len(s.Parts))
		return nil
	}
	for _, p := range s.Parts {
		change := twice(p, at)
		faster, err := s.profile.With(change)
		if err != nil {
			s.Warnings = append(s.Warnings, fmt.Sprintf("the %s was never twice as fast: %v", p.Noun(), err))
		}
		s.faster, s.change = append(s.faster, faster), append(s.change, change)
	}
	return nil
}

func joined(list []experiment.Resource) string { return why.Part(list).Name() }

// run adds the outcomes of variants that have not been run: those that are kept, and those
// of new runs, which it keeps.
func (s *study) run(ctx context.Context, variants []why.Variant, watch experiment.Watch) error {
	variants = s.missing(variants)
	seeds := len(s.Seeds)
	outcomes := make([]why.Outcome, len(variants)*seeds)
	var jobs []experiment.Job
	var at []int // of a job's outcome
	var keys []key
	for i := range outcomes {
		job, k := s.job(variants[i/seeds], s.Seeds[i%seeds])
		if kept, ok := s.spec.Cache.kept(k); ok {
			outcomes[i] = kept
			continue
		}
		if s.spec.KeptOnly {
			return errNotKept
		}
		jobs, at, keys = append(jobs, job), append(at, i), append(keys, k)
	}
	err := experiment.RunMany(ctx, jobs, watch, func(j int, run *trace.Run, err error) error {
		if err == nil {
			outcomes[at[j]] = why.OutcomeOf(run)
			s.spec.Cache.keep(keys[j], outcomes[at[j]])
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, v := range variants {
		s.Outcomes[v] = outcomes[i*seeds : (i+1)*seeds : (i+1)*seeds]
	}
	s.compare()
	return nil
}

// missing returns the variants that have not been run, each once.
func (s *study) missing(all []why.Variant) (out []why.Variant) {
	for _, v := range all {
		if s.Outcomes[v] == nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// compare warns if the run that is to be explained has not been repeated exactly.
func (s *study) compare() {
	i := slices.Index(s.Seeds, s.spec.DigestSeed)
	if s.spec.Digest == "" || i < 0 {
		return
	}
	const text = "the run was made by another version of sigview or on a changed platform: repeated with its seed it takes another course"
	if s.Outcomes[why.Variant{}][i].EventDigest != s.spec.Digest && !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// job returns the run of a variant with a seed, and what determines its outcome.
func (s *study) job(v why.Variant, seed uint64) (experiment.Job, key) {
	spec, changed, change := s.spec.Run, s.profile, platform.Overlay{}
	spec.Seed = seed
	spec.Uncontended = slices.Clone(spec.Uncontended)
	for i, p := range s.Parts {
		switch {
		case !v.Free.Has(i):
		case s.Port != "":
			spec.FreePort = s.Port
		default:
			spec.Uncontended, spec.FreeAt = append(spec.Uncontended, p...), s.At
		}
	}
	if v.Faster > 0 {
		changed, change = s.faster[v.Faster-1], s.change[v.Faster-1]
	}
	if v.Absent > 0 {
		spec = spec.Without(v.Absent - 1)
	}
	if v.Quick > 0 {
		spec.Quick = s.Programs[v.Quick-1]
	}
	label := fmt.Sprintf("%s, seed %d", s.Label(v), seed)
	return experiment.Job{Spec: spec, Change: change, Label: label}, key{spec, s.profile.Digest(), changed.Digest()}
}
