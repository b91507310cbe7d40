// Package judge runs a plan against a target and gives a verdict on every
// requirement: facts, exchange, classify, check, control, confirm, shrink,
// observe.
package judge

import (
	"context"
	"io"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// Config is what a run is made of.
type Config struct {
	Contract *contract.Contract
	Set      *requirement.Set
	Rules    []rule.Rule
	Plan     *plan.Plan
	// Cases are those of the plan that the selection kept.
	Cases []*plan.Case
	// Began is when the command did, for the time of the first request.
	Began    time.Time
	Selected func(requirementID string) bool
	Endpoint *request.Endpoint
	Client   *exchange.Client
	// Redactor takes credentials out of what is shown; nil knows the token alone.
	Redactor *redact.Redactor
	Workers  int
	Timeout  time.Duration
	Rate     float64
	Seed     uint64
	Trace    io.Writer
	// Repeat gives the command that replays a case.
	Repeat func(caseID string) string
	// Second makes another reader of the document, once, after the verdicts; nil
	// asks nobody.
	Second func() (Second, error)
	// Ready is called when the epoch is known, Progress after each case.
	Ready    func(epoch int)
	Progress func(done, planned, failed int)
}

// Judge is one run.
type Judge struct {
	Config
	bound    []bound
	byOp     map[*contract.Operation][]int // places in bound
	facts    Facts
	aims     map[*plan.Case]bits
	records  map[*plan.Case]*record
	owners   owners
	pace     pace
	hangs    hangs
	flight   flight
	throttle throttle
	limiter  *rate.Limiter
	twins    atomic.Int64
	sent     atomic.Int64
	trace    *tracer
	answers  answers
	lost     atomic.Bool // the target stopped answering for good
	mu       sync.Mutex
	done     int
	failed   int
	first    time.Time
	out      *Outcome
	openings []openingExchange
	held     int // bytes of them
	// lists says, for each operation, which member may take values of a list that
	// is not known, and how to name one.
	lists map[*contract.Operation]map[string]string
	// settled is whether the pre-flight found a request that is accepted.
	settled bool
	// phaseEnd is when the phase under way tries one case of each class alone; zero
	// where the run has no end.
	phaseEnd time.Time
	// shrinkEnd is when all shrinking of the run stops.
	shrinkEnd time.Time
}

// bound is a requirement with its rule.
type bound struct {
	req  *requirement.Requirement
	rule *rule.Rule
	// opIndex is the place of the requirement in the set.
	index int
}

// New binds the requirements to their rules.
func New(c Config) *Judge {
	if c.Redactor == nil && c.Endpoint != nil {
		c.Redactor = redact.New(redact.Secret{Value: c.Endpoint.Token, Shown: "$CONFORMANCE_TOKEN"})
	}
	j := &Judge{Config: c, records: map[*plan.Case]*record{}, aims: map[*plan.Case]bits{},
		byOp: map[*contract.Operation][]int{}}
	order := map[string]int{}
	for i := range c.Rules {
		order[c.Rules[i].Name] = i
	}
	for i, r := range c.Set.List {
		j.bound = append(j.bound, bound{r, &c.Rules[order[r.Rule]], i})
	}
	sort.SliceStable(j.bound, func(a, b int) bool {
		x, y := j.bound[a], j.bound[b]
		if x.rule.Rank != y.rule.Rank {
			return x.rule.Rank < y.rule.Rank
		}
		return order[x.rule.Name] < order[y.rule.Name]
	})
	for i, b := range j.bound {
		j.byOp[b.req.Op] = append(j.byOp[b.req.Op], i)
	}
	if c.Rate > 0 {
		j.limiter = rate.NewLimiter(rate.Limit(c.Rate), max(1, int(c.Rate/10)))
	}
	j.trace, j.flight = newTracer(c.Trace), newFlight()
	return j
}

// Open makes the pre-flight: what must be known before a case runs. It needs a
// plan without cases only.
func (j *Judge) Open(ctx context.Context) {
	j.out = &Outcome{}
	j.settled = j.preflight(ctx, j.out)
}

// Run tries every case and gives results and observations in the order of the
// requirements; Open comes first. It ends when the context does, with what is
// known by then.
func (j *Judge) Run(ctx context.Context, cases []*plan.Case) *Outcome {
	out := j.out
	j.Cases = cases
	if j.Ready != nil {
		j.Ready(j.facts.Epoch)
	}
	j.aim()
	if j.settled {
		j.phases(ctx, out)
	}
	for _, o := range j.openings {
		j.judgeOpening(o)
	}
	j.conclude(ctx, out)
	out.Second = j.secondOpinion(ctx)
	out.Exchanges = int(j.sent.Load())
	out.Epoch = j.facts.Epoch
	out.Facts = j.facts.list(j)
	out.Median, out.Slowest = j.pace.summary()
	out.Limits = j.throttle.told()
	if !j.first.IsZero() {
		out.First = j.first.Sub(j.Began)
	}
	out.hidden(j.hide)
	return out
}

// Outcome is what a run found.
type Outcome struct {
	Results  []report.Result
	Observed []report.Observe
	Facts    []report.Fact
	// Second is nil where nobody was asked.
	Second *report.SecondOpinion
	// Reasons say why the run is incomplete.
	Reasons   []string
	Exchanges int
	Epoch     int
	First     time.Duration
	Median    time.Duration
	Slowest   time.Duration
	Limits    report.Limits
}

// hidden takes secrets out of the sentences that may hold words of the target.
func (o *Outcome) hidden(hide func(string) string) {
	for i := range o.Facts {
		o.Facts[i].Value = hide(o.Facts[i].Value)
	}
	for i := range o.Reasons {
		o.Reasons[i] = hide(o.Reasons[i])
	}
	for i := range o.Results {
		o.Results[i].Reason = hide(o.Results[i].Reason)
	}
}

func (o *Outcome) because(reason string) {
	for _, r := range o.Reasons {
		if r == reason {
			return
		}
	}
	o.Reasons = append(o.Reasons, reason)
}

// twin gives the place of a repeat of one message.
func (j *Judge) twin() int { return int(j.twins.Add(1)) }

// twinOf gives the first place of a repeat of a case.
func (j *Judge) twinOf(c *plan.Case) int {
	n := int64(c.Twins())
	return int(j.twins.Add(n) - n + 1)
}

// identity is that of this run; n above 0 asks for a twin.
func (j *Judge) identity(twin int) generate.Identity {
	return generate.Identity{Seed: j.Seed, Epoch: j.facts.Epoch, Round: j.facts.Epoch + j.facts.Earlier, Twin: twin}
}
