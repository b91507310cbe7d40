package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/internal/limits"
)

// inReachOrder sorts operations so that those which make a resource come before those
// that need it: by how many values they need, and what deletes last. A PUT that creates
// needs no key from elsewhere.
func inReachOrder(list []*openapi.Operation) []*openapi.Operation {
	out := slices.Clone(list)
	rank := func(op *openapi.Operation) int {
		n := 4 * len(op.Bind)
		if resource.Creates(op) {
			n -= 4
		}
		switch op.Method {
		case http.MethodPost:
		case http.MethodDelete:
			n += 3
		default:
			n++
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b *openapi.Operation) int { return rank(a) - rank(b) })
	return out
}

// makersFirst puts before each operation those that make what it needs, and keeps the order of
// the others.
func (t *Target) makersFirst(list []*openapi.Operation) []*openapi.Operation {
	var out []*openapi.Operation
	seen := map[*openapi.Operation]bool{}
	var add func(op *openapi.Operation)
	add = func(op *openapi.Operation) {
		if seen[op] {
			return
		}
		seen[op] = true
		for _, n := range t.Reach.Of(op) {
			for _, w := range n.Dependencies {
				if w.Makes() && slices.Contains(list, w.From) {
					add(w.From)
				}
			}
		}
		out = append(out, op)
	}
	for _, op := range list {
		add(op)
	}
	return out
}

// lateLast puts operations last that may do harm to all others.
func (t *Target) lateLast(list []*openapi.Operation) []*openapi.Operation {
	late := map[*openapi.Operation]int{}
	for _, op := range list {
		late[op] = t.lateness(op)
	}
	slices.SortStableFunc(list, func(a, b *openapi.Operation) int { return late[a] - late[b] })
	return list
}

// wayError says that one way to a value leads nowhere.
type wayError struct {
	path string
	err  error
	// without is the operation that was asked, if its answer lacks the value.
	without *openapi.Operation
}

func (e *wayError) Error() string { return e.err.Error() }

// reached tries the ways to the values of the operation until a baseline request is
// accepted. It reports whether one was.
func (p *preflight) reached(ctx context.Context) bool {
	needs := p.t.Reach.Of(p.op)
	dependencies := make([][]resource.Dependency, len(needs))
	for i, n := range needs {
		dependencies[i] = slices.DeleteFunc(slices.Clone(n.Dependencies), func(w resource.Dependency) bool {
			strange := p.t.OnlyOwn[p.op.First()] && strings.HasPrefix(n.Path, "path/") && !w.Makes()
			return strange || !mayUse(p.op, w) || p.t.borrowed(w) || !p.lastResort && p.usesUp(n, w)
		})
		dependencies[i] = append(dependencies[i], p.furtherWays(n, dependencies[i])...)
	}
	at, own := make([]int, len(needs)), needsOwn(p.t.Contract, p.op)
	p.vain = map[string][]string{}
	tries := limits.ReachTries
	if p.op.Alternative != "" {
		tries *= 2 // there are two operations for each that makes what it needs
	}
	for range tries {
		r := &Reached{Ways: map[string]resource.Dependency{}, Own: own}
		for i, n := range needs {
			switch {
			case n.Optional:
				r.Ways[n.Path] = resource.Dependency{Kind: resource.Unknown}
			case at[i] >= len(dependencies[i]):
				p.facts.Reached = nil // the last way led nowhere
				return false
			default:
				r.Ways[n.Path] = dependencies[i][at[i]]
			}
		}
		p.facts.Reached = r
		err := p.attempt(ctx)
		if p.facts.Accepted || err == nil && p.shows(ctx, r.Ways) {
			p.keepItems(r)
			p.keepsChosen(ctx)
			p.optional(ctx, r, dependencies)
			p.inTurn(ctx, p.steadied)
			return true
		}
		if ctx.Err() != nil || p.over() {
			return false
		}
		var dead *wayError
		if errors.As(err, &dead) {
			p.why, p.without = dead.Error(), cmp.Or(dead.without, p.without)
			i := slices.IndexFunc(needs, func(n resource.Need) bool { return n.Path == dead.path })
			p.vain[dead.path] = append(p.vain[dead.path], dependencies[i][at[i]].String())
			dependencies[i] = slices.Delete(dependencies[i], at[i], at[i]+1)
			continue
		}
		if p.last == nil || p.last.Failure != nil || !next(at, needs, dependencies) {
			break
		}
	}
	if p.stateful() && p.repeated(ctx) || p.exampled(ctx, needs, dependencies) {
		return true
	}
	p.facts.Reached = nil
	return false
}

// exampled tries the first example of every value together: the examples of a document are often
// about resources that exist and belong together.
func (p *preflight) exampled(ctx context.Context, needs []resource.Need, dependencies [][]resource.Dependency) bool {
	r := &Reached{Ways: map[string]resource.Dependency{}, Own: needsOwn(p.t.Contract, p.op)}
	given := 0
	for i, n := range needs {
		at := slices.IndexFunc(dependencies[i], func(w resource.Dependency) bool { return w.Kind == resource.Example })
		switch {
		case n.Optional:
			r.Ways[n.Path] = resource.Dependency{Kind: resource.Unknown}
			continue
		case at < 0:
			return false
		}
		r.Ways[n.Path] = dependencies[i][at]
		given++
	}
	if given < 2 || ctx.Err() != nil {
		return false // a single one was tried above
	}
	p.facts.Reached = r
	if p.attempt(ctx) != nil || !p.facts.Accepted {
		return false
	}
	p.keepsChosen(ctx)
	p.optional(ctx, r, dependencies)
	return true
}

// next counts up, the last need fastest. It returns false at the end.
func next(at []int, needs []resource.Need, dependencies [][]resource.Dependency) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if needs[i].Optional {
			continue
		}
		if at[i]++; at[i] < len(dependencies[i]) {
			return true
		}
		at[i] = 0
	}
	return false
}

// optional finds the ways to values that a request may have, each alone beside the
// accepted baseline request. It also drops the shared values of an operation that has
// no such value: what fills its list may be accepted only later in the pre-flight.
func (p *preflight) optional(ctx context.Context, r *Reached, dependencies [][]resource.Dependency) {
	accepted, message := p.last, p.message
	for i, n := range p.t.Reach.Of(p.op) {
		if !n.Optional {
			continue
		}
		for _, w := range dependencies[i] {
			r.Ways[n.Path] = w
			p.t.shared.forget(p.op)
			if w.Kind != resource.Any && p.takes(ctx, n.Path) || ctx.Err() != nil {
				break
			}
			r.Ways[n.Path] = resource.Dependency{Kind: resource.Unknown}
		}
	}
	p.t.shared.forget(p.op)
	p.last, p.message = accepted, message
}

// takes reports whether a baseline request with a value at a place is accepted.
func (p *preflight) takes(ctx context.Context, path string) bool {
	g := p.t.Fresh(p.op)
	m := g.Baseline()
	for _, member := range resource.Places(p.op) {
		if member.Path == path {
			g.Give(m, []openapi.Member{member})
		}
	}
	return p.try(ctx, m)
}

// attempt sends a baseline request with the values of the chosen ways.
func (p *preflight) attempt(ctx context.Context) error {
	m := p.t.Fresh(p.op).Baseline()
	p.t.shared.forget(p.op)
	if err := p.t.Bind(ctx, p.s, m); err != nil {
		return err
	}
	p.message, p.last = m, p.t.Send(ctx, p.s, m, "preflight", "preflight")
	p.facts.Accepted = Accepted(p.op, p.last)
	if p.refused == nil && p.last != nil && !p.facts.Accepted {
		p.refused = &Opening{Op: p.op, Message: m, Exchange: p.last}
	}
	return nil
}

// mayUse reports whether an operation may get its value in this way. What is changed
// or deleted must be the run's own.
func mayUse(op *openapi.Operation, w resource.Dependency) bool {
	switch op.Method {
	case http.MethodDelete:
		return w.Kind != resource.List && w.Kind != resource.Example
	case http.MethodPut, http.MethodPatch:
		return w.Kind != resource.List
	}
	return true
}

// usesUp reports whether an action would change a resource that an example names, although the run can
// make one. Such a resource may take a single request.
func (p *preflight) usesUp(n resource.Need, w resource.Dependency) bool {
	return w.Kind == resource.Example && strings.HasPrefix(n.Path, "path/") && p.op.Method == http.MethodPost && needsOwn(p.t.Contract, p.op) &&
		slices.ContainsFunc(n.Dependencies, resource.Dependency.Makes)
}

// needsOwn reports whether each request of an operation needs a resource of its own: it
// changes or deletes it. What adds to a collection leaves the rest of the path as it
// is, unless the path ends with the key of a resource: such a POST changes it.
func needsOwn(c *openapi.Contract, op *openapi.Operation) bool {
	switch op.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY":
		return false
	case http.MethodPost:
		return !slices.ContainsFunc(c.Operations, func(o *openapi.Operation) bool {
			rest, below := strings.CutPrefix(o.Path, strings.TrimSuffix(op.Path, "/")+"/")
			return below && strings.HasPrefix(rest, "{") || o != op.First() && o.Path == op.Path && o.Method == http.MethodGet && !strings.HasSuffix(op.Path, "}")
		})
	}
	return true
}

// fit spells a value as a place takes it: as a number, or as a text.
func fit(op *openapi.Operation, path string, v *jsontree.Value) *jsontree.Value {
	for _, m := range resource.Places(op) {
		if m.Path != path || m.Schema.Types == nil {
			continue
		}
		switch {
		case v.Kind == jsontree.String && !m.Schema.Allows("string") && m.Schema.Allows("number") && jsontree.ValidNumber(v.Text):
			return jsontree.NewNumber(v.Text)
		case v.Kind == jsontree.Number && !m.Schema.Allows("number") && m.Schema.Allows("string"):
			return jsontree.NewString(v.Text)
		}
	}
	return v
}

// plausible reports whether the refusal of the baseline request is documented, so
// that it may have a reason which the document does not tell: a user that is not
// known, a range that ends before it begins. The response default is enough where the
// request is about something that exists, or has a UUID that may name such a resource: an account
// may be empty.
func (p *preflight) plausible() bool {
	if p.t.Stated || len(given(p.op)) > 0 || p.last.Status()/100 != 4 {
		return false
	}
	if p.signsIn() {
		return true
	}
	if p.op.IsAdditional() && p.t.Facts.Of(p.op.First()).Accepted && (p.op.SameSchema() || p.last.Status() == http.StatusUnsupportedMediaType) {
		return false // the same request is accepted with another media type
	}
	r := p.op.Response(p.last.Status())
	uuid := func(m openapi.Member) bool { return m.Required && m.Schema.Format == "uuid" }
	return r != nil && (r.Status != "default" || len(p.op.Bind) > 0 || slices.ContainsFunc(p.op.Members(), uuid)) && p.last.Status() != 401 && p.last.Status() != 403
}

// signsIn reports whether a refusal is about the user that a request names.
func (p *preflight) signsIn() bool {
	return p.op.SignsIn() && slices.Contains([]int{400, 401, 403}, p.last.Status())
}

// NoConnection is why an operation is not reached if nothing is.
const NoConnection = "no connection"

// unreached records that the operation got no accepted request, and what would help.
func (p *preflight) unreached(ctx context.Context) {
	why := p.why
	if p.refused != nil {
		switch e := p.refused.Exchange; {
		case e.Failure == nil && e.Status()/100 == 3 && p.op.Response(e.Status()) == nil:
			p.last, p.message = e, p.refused.Message
			p.facts.refusal(e)
			p.unaccepted(ctx) // no value makes it a documented answer
			return
		case e.Failure == nil:
			p.facts.Status, p.facts.RefusedWith, p.facts.Said = e.Status(), e.Status(), words(e.Response.Content)
			why = answeredWith(p.facts.RefusedWith, p.facts.Said)
		case e.Failure.Unreached():
			p.t.noConnection(e.Failure)
			p.facts.Unreached, p.facts.Help = NoConnection, "start the target"
			return
		case e.Coming:
			why = StillComing
		default:
			why = e.Failure.Error()
		}
	}
	help := p.help()
	if why == StillComing {
		help = waitLonger
	}
	p.facts.Unreached, p.facts.Help = why, help
	if p.refused != nil && (p.refused.Exchange.Failure != nil || p.refused.Exchange.Status() >= 500) {
		p.t.Hold(*p.refused) // no request may be answered so
	}
	p.t.Because(fmt.Sprintf("%s is not reached: %s: %s", p.op.Name(), why, help))
}
