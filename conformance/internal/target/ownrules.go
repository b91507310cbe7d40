package target

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

// OwnRules is what was learned of the rules of a target that no schema states, such as that
// a payment may not be larger than the debt. All that a document shows of them are the
// statuses that it lists.
type OwnRules struct {
	// violations are the statuses with which requests that violate a schema were refused.
	violations map[int]bool
	// lists are the members that accept only the values in the document.
	lists map[string]list
	// large is the status of the refusal of numbers that are not small, 0 if they are accepted.
	large int
	// wavers is the status with which some baseline requests are refused and others are not,
	// where the document names it for rules of the operation; 0 if there is none.
	wavers int
}

// list is the values that the document gives for a member, and the status of the refusal
// of any other. If things is set, there are no such values: the member has UUIDs that may name
// things, and the target took none.
type list struct {
	values []*jsontree.Value
	status int
	things bool
}

// refuses reports whether a value is one that the rule is about.
func (l *list) refuses(v *jsontree.Value) bool {
	if l.things {
		return v.Kind == jsontree.String || len(v.Items)+len(v.Members) > 0
	}
	return v.Kind == jsontree.String && !l.has(v)
}

func (l *list) has(v *jsontree.Value) bool {
	return slices.ContainsFunc(l.values, func(one *jsontree.Value) bool { return jsontree.Equal(one, v) })
}

// Explain reports whether a valid request may have been refused because of such a rule:
//   - with 409 or 423, which are about the state of a thing (RFC 9110, 15.5.10; RFC 4918, 11.3);
//   - with 402, 422 or 424, if the target refuses violations of the schema otherwise;
//   - with 428, which asks for If-Match or the like (RFC 6585, 3);
//   - because of a value that is none of those in the document, if no other one is accepted;
//   - because of a UUID in an optional member, if none is accepted: it may name something;
//   - because of a number that is not small, if only small ones are accepted;
//   - with a status that the document names for rules of the operation, if some baseline
//     requests are refused with it.
//
// The document has to list the status, or its range; for 409 and 423, the response default is
// enough. The body has to have a value that the rule may be about, except with 428.
func (r *OwnRules) Explain(op *contract.Operation, sent *contract.Reading, status int) bool {
	if r.wavers != 0 && r.wavers == status {
		return true
	}
	root := sent.Root()
	if status == http.StatusPreconditionRequired {
		return op.Lists(status) != nil
	}
	if root == nil || len(root.Members)+len(root.Items) == 0 {
		return false
	}
	switch {
	case op.Conflict(status):
		return true
	case !documents(op, status):
		return false
	case r.large == status && generate.HasLarge(op, root):
		return true
	}
	if slices.Contains(ofRules, status) && len(r.violations) > 0 && !r.violations[status] {
		return true
	}
	for path, l := range r.lists {
		if v := sent.At(path); l.status == status && v != nil && l.refuses(v) {
			return true
		}
	}
	return false
}

// ofRules are the statuses that may be about a rule which no schema states, besides those about
// the state of a thing.
var ofRules = []int{http.StatusPaymentRequired, http.StatusUnprocessableEntity, http.StatusFailedDependency}

// documents reports whether the document has a response for a status or its range.
func documents(op *contract.Operation, status int) bool {
	r := op.Response(status)
	return r != nil && r.Status != "default"
}

// rulesAsked is how many violations are sent to an operation, and for how many members
// values are tried that the document does not give.
const rulesAsked = 6

// LearnRules finds out which rules the target has that no schema states.
// The cases are those of the whole plan, so that each shard learns the same.
func (t *Target) LearnRules(ctx context.Context, cases []*plan.Case) {
	s := t.Client.Session()
	defer s.Close()
	of := map[*contract.Operation][]*plan.Case{}
	for _, c := range cases {
		of[c.Op] = append(of[c.Op], c)
	}
	for _, op := range t.tried() {
		if p := (&preflight{t: t, s: s, op: op, facts: t.Facts.ops[op]}); p.facts.Accepted {
			p.violations(ctx, of[op])
			p.wavering(ctx)
			p.listed(ctx)
			p.known(ctx)
		}
	}
}

// violations finds out how violations of a schema are refused, if that may tell them from
// other refusals.
func (p *preflight) violations(ctx context.Context, cases []*plan.Case) {
	if !slices.ContainsFunc(ofRules, func(status int) bool { return documents(p.op, status) }) {
		return
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if c.Class.Expected != plan.ExpectInvalid || c.Class.Phase != plan.Single || seen[c.Class.Mutator] || len(seen) == rulesAsked || ctx.Err() != nil {
			continue
		}
		seen[c.Class.Mutator] = true
		m := p.t.Plan.Build(c, p.t.Identity(p.t.RetryOf(c)))[0].Message
		if p.try(ctx, m) {
			p.facts.Stored = append(p.facts.Stored, m)
			continue
		}
		if !p.clientError() {
			continue
		}
		if p.facts.Rules.violations == nil {
			p.facts.Rules.violations = map[int]bool{}
		}
		p.facts.Rules.violations[p.last.Response.Status] = true
	}
}

// waversAsked is how many baseline requests are sent to find one that a rule in words refuses.
const waversAsked = 24

// wavering finds out whether some baseline requests are refused because of a rule that the
// document states in words: an event may not be published once it has begun, say.
func (p *preflight) wavering(ctx context.Context) {
	if p.op.Rules == "" {
		return
	}
	for range waversAsked {
		if ctx.Err() == nil && !p.try(ctx, p.t.Baseline(p.t.Fresh(p.op))) && p.clientError() && p.op.States(p.last.Response.Status) {
			p.facts.Rules.wavers = p.last.Response.Status
			return
		}
	}
}

// listed finds the members that accept only the values in the document: the name of a
// user, say.
func (p *preflight) listed(ctx context.Context) {
	asked := 0
	for _, m := range p.op.Optional() {
		s := m.Schema
		things := namesThings(s, mostNamed)
		if !strings.HasPrefix(m.Path, "/") || !things && s.Type() != "string" || s.Enum != nil || s.Const != nil || contract.Ordinary(s) || s.Never || slices.Contains(p.op.Bind, m.Path) {
			continue
		}
		values := append(p.t.Contract.Examples(p.op, m), p.t.Contract.Mentioned(p.op, m)...)
		if len(values) == 0 && !things || asked == rulesAsked || ctx.Err() != nil {
			continue
		}
		asked++
		if status := p.refusesAll(ctx, m); status != 0 && (things || p.takesValue(ctx, m.Path, values[0])) {
			if p.facts.Rules.lists == nil {
				p.facts.Rules.lists = map[string]list{}
			}
			p.facts.Rules.lists[m.Path] = list{values, status, things}
		}
	}
}

// mostNamed is how deep a member is looked into for UUIDs.
const mostNamed = 3

// namesThings reports whether a schema is of a UUID, of a list of them, or of an object that needs
// one.
func namesThings(s *contract.Schema, depth int) bool {
	switch {
	case s == nil || depth == 0:
		return false
	case s.Type() == "array":
		return namesThings(s.Items, depth-1)
	case s.Type() == "object":
		return slices.ContainsFunc(s.Properties, func(p *contract.Property) bool { return p.Required && namesThings(p.Schema, depth-1) })
	}
	return s.Type() == "string" && s.Format == "uuid"
}

// refusesAll returns the status with which values of a member are refused that are not in
// the document, or 0 if one is accepted.
func (p *preflight) refusesAll(ctx context.Context, m contract.Member) (status int) {
	for range 2 {
		g := p.t.Fresh(p.op)
		message := p.t.Baseline(g)
		if g.Give(message, []contract.Member{m}); p.try(ctx, message) || !p.clientError() {
			return 0
		}
		got := p.last.Response.Status
		if p.op.Lists(got) == nil || status != 0 && status != got {
			return 0
		}
		status = got
	}
	return status
}

// clientError reports whether the last request was answered with a client error.
func (p *preflight) clientError() bool {
	return p.last != nil && p.last.Failure == nil && p.last.Response.Status/100 == 4
}

// takesValue reports whether a baseline request with this value in a place is accepted.
func (p *preflight) takesValue(ctx context.Context, path string, v *jsontree.Value) bool {
	message := p.t.Baseline(p.t.Fresh(p.op))
	return message.Set(path, v.Clone()) && p.try(ctx, message)
}
