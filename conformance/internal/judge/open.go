package judge

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// Taken remembers which values of valid requests the target accepted. It is read when the run is
// over: until then a refusal of a value that the document does not list may have any reason.
type Taken struct {
	mu sync.Mutex
	// settled says that the run is over. Insisted is the role of the rule whose failure is looked for again:
	// for acceptance no value explains a refusal, for undocumented rules one explains each.
	settled  bool
	insisted requirement.Role
	of       map[*openapi.Operation]*takenBy
	// wavers are the operations of which baseline requests were refused.
	wavers map[*openapi.Operation]bool
}

// takenBy is what one operation accepted.
type takenBy struct {
	// ordinary are the places where a text was accepted as baseline requests have it, made
	// those where any value but null was that the run made up.
	ordinary, made map[string]bool
	// values are those that were accepted, each with its place, days the first and the last day.
	values map[[2]string]bool
	days   map[string][2]string
	// orders are those in which the moments and the numbers of one object were accepted.
	orders map[order]bool
	// sets are the optional members that one accepted request had together.
	sets map[string]bool
	// blamed are the values without which the same request was accepted.
	blamed map[[2]string]bool
	// together are values that are accepted only together with others.
	together []Together
}

// Together says that valid requests are refused as they are, and accepted with other members or values.
type Together struct {
	// class is that of the requests; empty if the document lists the values that decide.
	class string
	// Values are those that decide, with their places, and Lacks the members without which they are
	// refused.
	Values [][2]string
	Lacks  []string
	// Says is what an undocumented rule is about.
	Says string
}

// Settle says that the run is over: refusals can now be held against all that was accepted.
func (t *Taken) Settle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settled = true
}

// Wavers reports whether baseline requests of an operation were refused.
func (t *Taken) Wavers(op *openapi.Operation) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wavers[op]
}

// Took reports whether an operation accepted a value, named with its place, other than a usual one.
func (t *Taken) Took(op *openapi.Operation, named [2]string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.in(op).values[named]
}

// Blame says that a value is why the operation refuses requests: whatever else they have was accepted.
func (t *Taken) Blame(op *openapi.Operation, c *openapi.Choice) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in(op).blamed[c.Named()] = true
}

// Excuse says that an operation refuses values because they go together with others.
func (t *Taken) Excuse(op *openapi.Operation, x *Together) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in(op).together = append(t.in(op).together, *x)
}

// Insist says that a failure of a requirement is looked for which a run has found: what that run
// accepted is not known any more.
func (j *Judge) Insist(id string) {
	j.Taken = &Taken{}
	if at := slices.IndexFunc(j.Bound, func(b Bound) bool { return b.ID == id }); at >= 0 {
		j.Taken.insisted = j.Bound[at].Rule.Role
	}
}

// Again asks the rules about a step again when the run is over, if its failure may depend on what
// else was accepted. The findings replace those that the step had.
func (j *Judge) Again(c *plan.Case, f *Failure) (again []Finding, changed bool) {
	if p := &f.Steps[f.Step]; p.Answer != nil && j.Bound[f.At].Rule.Role.ValidRefused() {
		got := j.check(j.subject(c, p), j.Covers(c))
		p.Checked = &got
		return got.Failed(), true
	}
	return nil, false
}

// Failed returns the findings that are failures, those of a MUST first.
func (c *Checked) Failed() []Finding { return append(c.reasons(), c.Warnings...) }

func (t *Taken) in(op *openapi.Operation) *takenBy {
	op = op.First() // what one media type takes is a value of all
	if t.of == nil {
		t.of, t.wavers = map[*openapi.Operation]*takenBy{}, map[*openapi.Operation]bool{}
	}
	if t.of[op] == nil {
		t.of[op] = &takenBy{map[string]bool{}, map[string]bool{}, map[[2]string]bool{}, map[string][2]string{}, map[order]bool{}, map[string]bool{}, map[[2]string]bool{}, nil}
	}
	return t.of[op]
}

// note remembers the values of an accepted request.
func (t *Taken) note(op *openapi.Operation, list []openapi.Choice, added []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := t.in(op)
	o.sets[setOf(added)] = true
	for i := range list {
		for _, r := range ordersOf(&list[i], list) {
			o.orders[r] = true
		}
	}
	for _, c := range list {
		exact, ordinary := c.Exact(), c.Ordinary && !c.Guessed
		o.made[c.Place] = o.made[c.Place] || !c.Guessed && c.Value.Kind != jsontree.Null
		o.ordinary[c.Place] = o.ordinary[c.Place] || ordinary
		if !ordinary && len(exact[1]) <= longestUsed {
			o.values[exact] = true
		}
		if named := c.Named(); c.Stated || named != exact {
			o.values[named] = true
		}
		if c.Day {
			day := c.Value.Text
			days, known := o.days[c.Place]
			if !known {
				days = [2]string{day, day}
			}
			o.days[c.Place] = [2]string{min(days[0], day), max(days[1], day)}
		}
	}
}

func setOf(paths []string) string { return strings.Join(paths, "\x00") }

// aboutRequests are the documented refusals that no value of a valid request explains: they are
// about its credential, its method and its media types, which the document states.
var aboutRequests = []int{http.StatusUnauthorized, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType}

// aboutWho are the documented refusals that are about the sender, and not about the request (RFC 9110,
// 15.5.3 and 15.5.4): a listed value may need a paid plan, or a right.
var aboutWho = []int{http.StatusPaymentRequired, http.StatusForbidden}

// open returns the members whose values may be why a valid request was refused with a status that
// the document lists: it does not say that each of their values is accepted.
func (j *Judge) open(s *subject) []string {
	a := s.Answer
	if !s.refusedValid() || s.op.First().Accepted.Valid || slices.Contains(aboutRequests, a.Status) {
		return nil
	}
	list, added := j.choices(s.op, s.sent.Body, s.bound)
	j.Taken.mu.Lock()
	defer j.Taken.mu.Unlock()
	if j.Taken.insisted == requirement.RoleAcceptance {
		return nil
	}
	o, settled := j.Taken.in(s.op), j.Taken.settled
	places := s.unusual()
	if len(places) == 0 && !s.sent.Body.Respelled {
		j.Taken.wavers[s.op] = true
	}
	var out []string
	like := o.sets[setOf(added)]
	who := slices.Contains(aboutWho, a.Status) && s.op.Lists(a.Status) != nil
	// A listed tenant or language says which things are there (RFC 9110, 15.5.5).
	where := a.Missing() && len(openapi.Expressions(s.op.Path)) > 0
	if !a.Missing() && !who && slices.ContainsFunc(list, func(c openapi.Choice) bool { return o.blamed[c.Named()] }) {
		return nil
	}
	for _, c := range list {
		unproven := settled && !o.made[c.Place] // the tried value may select a branch that asks for it
		about := j.Taken.wavers[s.op] || unproven || slices.ContainsFunc(places, c.Under) || a.Missing() && c.Path[0] != '/'
		if about && !slices.Contains(out, c.Place) && (who || where && c.Path[0] != '/' || o.opens(&c, a.Missing(), settled, like) || settled && o.unseen(&c, list)) {
			out = append(out, c.Place)
		}
	}
	if len(out) == 0 && len(added) > 1 && !(settled && like) {
		return added // only together
	}
	return out
}

// refusedValid reports whether a valid request was refused with a status that the document lists.
func (s *subject) refusedValid() bool {
	a := s.Answer
	return a != nil && a.Status/100 == 4 && a.Documented != nil && s.sent.Body != nil && s.sent.Expectation() == message.Accept
}

// ruled is open, and reports whether values that go together are why the request was refused.
func (j *Judge) ruled(s *subject) (open []string, together bool) {
	open = j.open(s)
	switch insisted := j.Taken.insisted == requirement.RoleOpen; {
	case !s.refusedValid():
		return open, false
	case insisted && open == nil:
		return []string{cmp.Or(s.place, "the request")}, true
	case insisted:
		return open, true
	}
	j.Taken.mu.Lock()
	known := j.Taken.in(s.op).together
	j.Taken.mu.Unlock()
	if known == nil {
		return open, false
	}
	list, _ := j.choices(s.op, s.sent.Body, s.bound)
	for _, x := range known {
		lacks := func(named [2]string) bool {
			return !slices.ContainsFunc(list, func(c openapi.Choice) bool { return c.Named() == named })
		}
		there := func(path string) bool { return s.sent.Body.At(path) != nil }
		if (x.class == "" || x.class == s.class) && !slices.ContainsFunc(x.Lacks, there) && !slices.ContainsFunc(x.Values, lacks) {
			return []string{x.Says}, true
		}
	}
	return open, false
}

// Stated returns the stated values of a refused request at the place that its case is about, without
// those that were accepted before. A count says nothing where items have numbers: their sum may be
// bounded.
func (j *Judge) Stated(c *plan.Case, p *Played) (out []openapi.Choice) {
	list, _ := j.choices(c.Op, p.Sent.Body, p.Step.Message.Bound)
	for _, one := range list {
		free := func(in openapi.Choice) bool {
			return in.Value.Kind == jsontree.Number && in.Basis == openapi.Free && in.Under(one.Path)
		}
		if one.Stated && slices.Contains([]string{one.Path, one.Place}, c.Class.Place.Path) && !j.Taken.Took(c.Op, one.Named()) &&
			(one.Value.Kind != jsontree.Array || !slices.ContainsFunc(list, free)) {
			out = append(out, one)
		}
	}
	return out
}

// Numbers returns the numbers of a valid request that its schema leaves open.
func (j *Judge) Numbers(op *openapi.Operation, sent *schema.Reading, bound map[string]*jsontree.Value) []openapi.Choice {
	list, _ := j.choices(op, sent, bound)
	return slices.DeleteFunc(list, func(c openapi.Choice) bool { return c.Value.Kind != jsontree.Number || c.Basis == openapi.Listed })
}

// Ordered reports whether the values of an object stand in the same orders in two valid requests.
func (j *Judge) Ordered(op *openapi.Operation, a, b *schema.Reading) bool {
	one, _ := j.choices(op, a, nil)
	two, _ := j.choices(op, b, nil)
	orders := func(list []openapi.Choice) (out []order) {
		for i := range list {
			out = append(out, ordersOf(&list[i], list)...)
		}
		return out
	}
	return slices.Equal(orders(one), orders(two))
}

// choices returns the values of a request, and the optional members that it has and could do without.
func (j *Judge) choices(op *openapi.Operation, sent *schema.Reading, bound map[string]*jsontree.Value) (list []openapi.Choice, added []string) {
	list, added = j.Plan.Contract.Choices(op, sent, bound)
	if j.Facts.Identity(0).Small.Has(op) {
		for i := range list {
			if c := &list[i]; c.Value.Kind == jsontree.Number && c.Basis == openapi.Bounding {
				c.Basis, c.Stated = openapi.Free, false // the target refuses what is not small: no bound is the reason
			}
		}
	}
	needs := j.Facts.Of(op).Needs
	return list, slices.DeleteFunc(added, func(path string) bool { return needs[path] })
}

// opens reports whether a value may be why a request was refused. Missing says that the refusal is
// about something that is not there, like that a request with the same optional members was
// accepted.
//
// A bound or an example that is refused like all other values of its member is open: an id has
// bounds and examples too, and a member may need another one.
func (o *takenBy) opens(c *openapi.Choice, missing, settled, like bool) bool {
	switch {
	case c.Basis == openapi.Listed, c.Value.Kind == jsontree.Array:
		return false
	case !settled:
		return missing || c.Basis != openapi.Formed || c.Day
	case o.values[c.Exact()], c.Ordinary && o.ordinary[c.Place]:
		return false // a value like this one was accepted
	case missing:
		return true // what the value names, it may be
	case c.Day:
		days, known := o.days[c.Place]
		return !known || c.Value.Text < days[0] || c.Value.Text > days[1]
	case c.Basis == openapi.Bounding:
		return !o.made[c.Place] || !like
	}
	return c.Basis == openapi.Free
}

// unusual returns the places that a request is about: those whose values are not baseline, or the
// one that its class names.
func (s *subject) unusual() []string {
	if b := s.sent.Body; len(b.Unusual) > 0 {
		return b.Unusual
	}
	if s.op.HasMember(s.place) {
		return []string{s.place}
	}
	return nil
}

// order says that the first of two places of an object had the lower value, the higher one or the
// same one.
type order struct {
	first, second string
	sign          int
}

// ordersOf returns the orders of a value and of the others of its object, if these are moments or
// numbers as it is.
func ordersOf(c *openapi.Choice, list []openapi.Choice) []order {
	number := c.Value.Kind == jsontree.Number
	if !number && !c.Day {
		return nil
	}
	var out []order
	for i := range list {
		d := &list[i]
		if d.Place == c.Place || d.Value.Kind != c.Value.Kind || d.Day != c.Day || within(d.At) != within(c.At) {
			continue
		}
		sign := strings.Compare(c.Value.Text, d.Value.Text)
		if number {
			sign = jsontree.Compare(c.Value.Text, d.Value.Text)
		}
		out = append(out, order{c.Place, d.Place, sign})
	}
	return out
}

// within is the place of the object that has a member.
func within(at string) string { return at[:strings.LastIndexByte(at, '/')+1] }

// unseen reports whether a value stands to another one of its object as no accepted request had it:
// an end before its start, say.
func (o *takenBy) unseen(c *openapi.Choice, list []openapi.Choice) bool {
	return c.Basis != openapi.Listed && slices.ContainsFunc(ordersOf(c, list), func(r order) bool { return !o.orders[r] })
}

// elsewhere reports whether a request names another listed value in its path than the baseline, and was
// refused for a reason other than its form: only the target knows what is there.
func (s *subject) elsewhere() bool {
	status := s.Answer.Status
	return status != http.StatusBadRequest && status != http.StatusUnprocessableEntity && status/100 == 4 && s.op.Response(status) != nil && s.sent.Body != nil &&
		slices.ContainsFunc(s.sent.Body.Unusual, func(path string) bool { return strings.HasPrefix(path, "path/") })
}

// late reports whether a request that took long was refused because of the state of what its path names,
// which time may have changed.
func (s *subject) late() bool {
	r, status := s.Exchange.Request, s.Answer.Status
	return r != nil && r.Slow && len(openapi.Expressions(s.op.Path)) > 0 && s.op.Response(status) != nil &&
		slices.Contains([]int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusLocked}, status)
}

// selected reports whether an answer is one that only a condition or a range in the request selects.
func (s *subject) selected() bool {
	status := s.Exchange.Status()
	return status == http.StatusPartialContent || status == http.StatusNotModified
}
