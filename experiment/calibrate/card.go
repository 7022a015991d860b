package calibrate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/parallel"
)

// CardSpec says which card to fit to listings of perftest.
type CardSpec struct {
	Name     string   `json:"name"`     // of the platform
	Listings []string `json:"listings"` // files, of one pair of hosts
	Checks   []string `json:"check"`    // files of the same hosts that are predicted
	Platform string   `json:"platform"` // to start from
}

// CardResult is a platform and how well it meets the listings.
type CardResult struct {
	Fit     *bench.Card
	Profile string // its file
}

// cardFields are the fields that are fitted, in ns, the most important ones first: what nothing published splits, and what
// belongs to the host. A field that the listings do not tell from those before it keeps its value.
var cardFields = []struct {
	name string
	now  func(*platform.Profile) float64
}{
	{"verbs.card.pipeline_ns", func(p *platform.Profile) float64 { return 1000 * p.Verbs.Card.Pipeline.Us() }},
	{"host.pcie.read_ns", func(p *platform.Profile) float64 { return 1000 * p.Host.PCIe.Read.Us() }},
	{"host.pcie.write_ns", func(p *platform.Profile) float64 { return 1000 * p.Host.PCIe.Write.Us() }},
}

const (
	// mostFitted is the largest message that a fit sees: longer ones tell of rates, which are not fitted.
	mostFitted = 1024
	// step is the difference of a field by which its effect is found, in ns.
	step = 50.0
	// alike is the condition of the fields' effects beyond which the last field is not told from the others.
	alike = 30.0
)

// Card fits a card's pipeline and the host's PCIe to listings of latency, and predicts their longer messages and other
// listings of the same hosts.
func Card(ctx context.Context, s CardSpec, watch experiment.Watch) (*CardResult, error) {
	base, err := experiment.WithVerbs(s.Platform)
	if err != nil {
		return nil, err
	}
	out := &bench.Card{Platform: s.Name, Base: base.Name}
	for i, file := range slices.Concat(s.Listings, s.Checks) {
		if err := addListing(out, file, base, i >= len(s.Listings)); err != nil {
			return nil, err
		}
	}
	named, err := base.With(platform.OverlayOf(s.Name, map[string]any{"name": s.Name, "title": base.Title + ", fitted to listings"}))
	if err != nil {
		return nil, err
	}
	f := &cardFit{base: named, watch: watch}
	for _, x := range out.Points {
		if x.Use == bench.Fit {
			f.points = append(f.points, x)
		}
	}
	if len(f.points) == 0 {
		return nil, bounds.Wrong("listing", strings.Join(s.Listings, ", "), "a message of at most %d B", mostFitted)
	}
	if err := f.run(ctx, out); err != nil {
		return nil, err
	}
	if err := modelled(ctx, f.platform, out.Points, watch); err != nil {
		return nil, err
	}
	return &CardResult{out, cardText(out, f.platform)}, nil
}

// addListing adds the figures of a listing, which are fitted or predicted.
func addListing(out *bench.Card, file string, base *platform.Profile, check bool) error {
	l, err := bench.ReadListing(file)
	if err != nil {
		return err
	}
	if l.Operation == "" || l.Measure != perftest.Latency {
		return bounds.Wrong("listing", file, "latencies of a perftest tool such as ib_write_lat, with their header")
	}
	out.Listings = append(out.Listings, l.File)
	out.LeftOut = append(out.LeftOut, l.LeftOut...)
	most, field := experiment.LongestMessage(perftest.Operation(l.Operation), base.Verbs)
	slices.SortFunc(l.Points, func(a, b bench.ListedPoint) int { return cmp.Compare(a.SizeBytes, b.SizeBytes) })
	for _, x := range l.Points {
		p := bench.CardPoint{Operation: l.Operation, SizeBytes: x.SizeBytes, ListedUs: x.Value, Use: bench.Held}
		switch {
		case x.SizeBytes > most:
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("%d B: %s has at most %s = %d", x.SizeBytes, l.Operation, field, most))
			continue
		case check:
			p.Use = bench.OtherListing
		case x.SizeBytes <= mostFitted:
			p.Use = bench.Fit
		}
		out.Points = append(out.Points, p)
	}
	return nil
}

// cardFit is a fit of fields, by the least squares of relative errors.
type cardFit struct {
	base     *platform.Profile // to start from, with the name of the result
	watch    experiment.Watch
	points   []bench.CardPoint
	platform *platform.Profile // fitted
}

// run fits and notes the result.
func (f *cardFit) run(ctx context.Context, out *bench.Card) error {
	values := make([]float64, len(cardFields))
	for i, field := range cardFields {
		values[i] = field.now(f.base)
	}
	rest, err := f.apart(ctx, values)
	if err != nil {
		return err
	}
	told, why, err := f.told(ctx, values, rest)
	if err != nil {
		return err
	}
	var qr mat.QR
	qr.Factorize(told)
	_, n := told.Dims()
	for range rounds {
		var change mat.VecDense
		if err := qr.SolveVecTo(&change, false, mat.NewVecDense(len(rest), rest)); err != nil {
			return err
		}
		for i := range n {
			values[i] = math.Round(10*(values[i]+change.AtVec(i))) / 10
			if values[i] < 0 {
				return bounds.Wrong("listing", strings.Join(out.Listings, ", "), "latencies that a card in this host can have: they would need %s = %.1f on %s", cardFields[i].name, values[i], out.Base)
			}
		}
		if rest, err = f.apart(ctx, values); err != nil {
			return err
		}
	}
	half := intervals(told, rest)
	for i, field := range cardFields {
		if i < n {
			x := bench.Fitted{Field: field.name, Value: values[i], From: fmt.Sprintf("latencies up to %d B", mostFitted)}
			if half != nil {
				x.Interval = []float64{math.Round(10*max(0, values[i]-half[i])) / 10, math.Round(10*(values[i]+half[i])) / 10}
			}
			out.Parameters = append(out.Parameters, x)
		} else {
			out.NotTold = append(out.NotTold, fmt.Sprintf("%s keeps its %.1f: %s", field.name, values[i], why))
		}
	}
	return nil
}

// told returns the effects of as many fields as the listings tell apart: by how much each latency becomes longer, relative to
// the listed one, for a ns of a field. Before is how far the latencies are apart without a change. It says why the others are
// not among them.
func (f *cardFit) told(ctx context.Context, values, before []float64) (effects *mat.Dense, why string, err error) {
	all := mat.NewDense(len(before), len(values), nil)
	for j := range values {
		moved := slices.Clone(values)
		moved[j] += step
		after, err := f.apart(ctx, moved)
		if err != nil {
			return nil, "", err
		}
		for i := range after {
			all.Set(i, j, (before[i]-after[i])/step)
		}
	}
	for n := len(values); n > 1; n-- {
		some := all.Slice(0, len(before), 0, n).(*mat.Dense)
		switch {
		case len(before) < n:
			why = fmt.Sprintf("%d latencies do not tell %d numbers", len(before), n)
		case mat.Norm(some.ColView(n-1), math.Inf(1)) == 0:
			why = "no latency in the listings depends on it"
		case mat.Cond(some, 2) > alike:
			why = "in these listings it has the same effect as what is fitted; those of another operation, as reads beside writes, would tell it"
		default:
			return some, why, nil
		}
	}
	return all.Slice(0, len(before), 0, 1).(*mat.Dense), why, nil
}

// intervals returns half of the 95 % interval of each field; nil if there are no more latencies than fields.
func intervals(effects *mat.Dense, rest []float64) (half []float64) {
	n, fields := effects.Dims()
	if n <= fields {
		return nil
	}
	var squares, inverse mat.Dense
	squares.Mul(effects.T(), effects)
	if inverse.Inverse(&squares) != nil {
		return nil
	}
	df := float64(n - fields)
	variance := mat.Dot(mat.NewVecDense(n, rest), mat.NewVecDense(n, rest)) / df
	t := distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(0.975)
	for i := range fields {
		half = append(half, float64(t*math.Sqrt(float64(variance*inverse.At(i, i)))))
	}
	return half
}

// apart returns by how much the listed latencies are longer than those of the model with these values, relative to the
// listed ones. It leaves the platform with them.
func (f *cardFit) apart(ctx context.Context, values []float64) ([]float64, error) {
	var numbers []platform.Number
	for i, field := range cardFields {
		numbers = append(numbers, platform.Number{Path: field.name, Value: values[i]})
	}
	p, err := f.base.With(platform.Set(f.base.Name, numbers))
	if err != nil {
		return nil, err
	}
	f.platform = p
	points := slices.Clone(f.points)
	if err := modelled(ctx, p, points, f.watch); err != nil {
		return nil, err
	}
	out := make([]float64, len(points))
	for i, x := range points {
		out[i] = (x.ListedUs - x.ModelledUs) / x.ListedUs
	}
	return out, nil
}

// modelled fills in the latencies of the model, by a cable.
func modelled(ctx context.Context, p *platform.Profile, points []bench.CardPoint, watch experiment.Watch) error {
	done := watch.Counting(len(points), "sizes")
	return parallel.Each(ctx, len(points), func(i int) error {
		x := &points[i]
		r, err := perftest.Testbed{Profile: p, Cable: true, Seed: seed}.Measure(ctx, perftest.Test{
			Operation: perftest.Operation(x.Operation), Measure: perftest.Latency, Bytes: x.SizeBytes, Pairs: 1, Outstanding: 1, Threads: 1, Count: 20,
		})
		x.ModelledUs = r.TypicalUs
		done(fmt.Sprintf("%s of %d B", x.Operation, x.SizeBytes))
		return err
	})
}

// cardText is the profile's file.
func cardText(c *bench.Card, p *platform.Profile) string {
	var fitted []string
	for _, f := range c.Parameters {
		fitted = append(fitted, f.Field)
	}
	return fmt.Sprintf("# A card and a host that sigview calibrate has fitted to %s: %s.\n# Everything else is as in the platform %s. %s\n\n",
		strings.Join(c.Listings, ", "), strings.Join(fitted, ", "), c.Base, c.Summary()) + p.Text()
}
