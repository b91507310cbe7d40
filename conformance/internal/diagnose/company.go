package diagnose

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// maxCompany is how many requests look for what the refused values of one operation need, maxBeside how
// many members are tried one by one, and how many values of each.
const (
	maxCompany = 120
	maxBeside  = 8
)

// beside is what a request gets: a member that it lacks, or another value of one that it has.
type beside struct {
	openapi.Member
	value *jsontree.Value // nil for a usual one
	was   *openapi.Choice // nil for a member that it lacks
}

// accompany finds valid requests that are refused because of values that go together: the same request is
// accepted with another optional member, or with another listed value or number in another place. No
// schema says which values go together. A value that is refused beside all others is refused for itself.
func (d *Diagnosis) accompany(ctx context.Context) (found bool) {
	// An answer is nil if nothing helps, and empty if the state of a thing decides.
	answers, helped, left := map[string][]beside{}, map[string][]beside{}, map[*openapi.Operation]int{}
	for c, r := range d.run.Records() {
		p := d.refusedAlone(r, requirement.RoleAcceptance, requirement.RoleOmission)
		if p == nil {
			continue
		}
		missing, b := "", d.judge.Bound[r.Failures[0].At]
		if b.Rule.Role == requirement.RoleOmission {
			missing = b.Args.Key.Path
		}
		x, op := d.judge.Company(c, p, missing), c.Op.First()
		if x == nil {
			continue
		}
		if _, begun := left[op]; !begun {
			left[op] = maxCompany
		}
		about := fmt.Sprint(op.Slug, missing, x.Places)
		exact := fmt.Sprint(about, x.Values)
		with, known := answers[exact]
		if !known {
			tries := inCompany(x)
			if helped[about] != nil {
				tries = slices.Insert(tries, 0, helped[about])
			}
			goOn := func() bool {
				left[op]--
				return left[op] >= 0 && ctx.Err() == nil && !d.run.Lost()
			}
			var others []beside
			if len(x.About) == 1 && x.About[0].Basis == openapi.Listed {
				others = otherwise(&x.About[0])
			}
			if with = d.needed(ctx, c, x, tries, others, goOn); with != nil {
				helped[about] = with
			} else if d.stateful(ctx, c, x, others, goOn) {
				with = []beside{}
			}
			answers[exact] = with
		}
		if with == nil {
			continue
		}
		found = true
		d.judge.Taken.Excuse(c.Op, together(x, with))
	}
	return found
}

// together says beside which others the values are accepted, or that another state decides if there are none.
func together(x *judge.Company, with []beside) *judge.Together {
	out := x.Together
	lacks := slices.Clone(out.Lacks)
	names := slices.DeleteFunc(slices.Clone(x.Places), func(outer string) bool {
		return slices.ContainsFunc(x.Places, func(inner string) bool { return strings.HasPrefix(inner, outer+"/") })
	})
	var others []string
	for _, one := range with {
		if one.was == nil {
			lacks = append(lacks, one.Path)
		} else {
			out.Values, others = append(out.Values, one.was.Named()), append(others, one.was.Place)
		}
	}
	out.Lacks = lacks
	if len(names) == 0 {
		names, others = others, nil
	}
	out.Says = strings.Join(names, ", ")
	if lacks != nil {
		out.Says += " without " + strings.Join(lacks, ", ")
	}
	if others != nil {
		out.Says += " beside this " + strings.Join(others, ", ")
	}
	if len(with) == 0 {
		out.Says += " in this state"
	}
	return &out
}

// inCompany lists what may be tried beside the values that a request is about: first the members that
// their object lacks, then listed values, then the least and the greatest of numbers beside listed values.
func inCompany(x *judge.Company) (out [][]beside) {
	near := func(one beside) bool {
		return slices.ContainsFunc(x.About, func(c openapi.Choice) bool { return path.Dir(c.At) == path.Dir(one.Path) }) ||
			slices.ContainsFunc(x.Places, func(place string) bool { return strings.HasPrefix(one.Path, place+"/") })
	}
	var lacking, values []beside
	for _, m := range x.Absent {
		lacking = append(lacking, beside{Member: m})
	}
	slices.SortStableFunc(lacking, func(a, b beside) int {
		switch {
		case near(a) == near(b):
			return 0
		case near(a):
			return -1
		}
		return 1
	})
	own := slices.DeleteFunc(slices.Clone(lacking), func(one beside) bool { return !near(one) })
	for _, one := range lacking[:min(len(lacking), maxBeside)] {
		out = append(out, []beside{one})
		for _, v := range listed(one.Schema, nil) {
			values = append(values, beside{Member: one.Member, value: v})
		}
	}
	out = append(out, own, lacking)
	for i := range x.Others {
		values = append(values, otherwise(&x.Others[i])...)
	}
	free := slices.ContainsFunc(x.About, func(c openapi.Choice) bool { return c.Basis != openapi.Listed })
	for i := range x.Others {
		c := &x.Others[i]
		if free || c.Value.Kind != jsontree.Number || c.Basis == openapi.Listed {
			continue
		}
		for _, e := range []extreme{least, greatest} {
			if v := extremeOf(c.Schema, e); v != nil {
				values = append(values, instead(c, v))
			}
		}
	}
	for _, one := range values {
		out = append(out, []beside{one})
	}
	return slices.DeleteFunc(out, func(with []beside) bool { return len(with) == 0 })
}

// listed returns the values that a schema lists, without one of them.
func listed(s *schema.Schema, but *jsontree.Value) (out []*jsontree.Value) {
	if s == nil {
		return nil
	}
	list := s.Enum
	if list == nil && s.Type() == "boolean" {
		list = []*jsontree.Value{jsontree.NewBool(false), jsontree.NewBool(true)}
	}
	for _, v := range list {
		if len(out) < maxBeside && (but == nil || !jsontree.Equal(v, but)) {
			out = append(out, v)
		}
	}
	return out
}

// otherwise lists the other values for a listed one.
func otherwise(c *openapi.Choice) (out []beside) {
	for _, v := range listed(c.Schema, c.Value) {
		out = append(out, instead(c, v))
	}
	return out
}

// instead is another value for one that a request has.
func instead(c *openapi.Choice, v *jsontree.Value) beside {
	return beside{openapi.Member{Property: &schema.Property{Schema: c.Schema}, Path: c.At}, v, c}
}

// needed returns the least that a refused request of a case needs to be accepted. It is nil if the request is
// refused beside all that was tried, or is not always refused as it is. A member with which the target
// refuses the request in other words is needed too, if one of the others is accepted with it: a grant type
// wants a token, and the target knows no token that the run makes up.
func (d *Diagnosis) needed(ctx context.Context, c *plan.Case, x *judge.Company, tries [][]beside, others []beside, left func() bool) []beside {
	own := d.target.Client.Session()
	defer own.Close()
	send := func(with ...beside) (accepted bool, refusal string) {
		m := d.prepared(ctx, own, c, x, with)
		if m == nil {
			return false, ""
		}
		e := d.target.Send(ctx, own, m, c.ID, "control")
		if e.Status()/100 == 4 {
			refusal = fmt.Sprint(e.Status(), " ", requirement.Words(requirement.Said(e.Response.Content), d.classified(c, m)))
		}
		return explore.Accepted(c.Op, e), refusal
	}
	takes := func(with ...beside) bool { accepted, _ := send(with...); return accepted }
	_, was := send()
	if len(tries) == 0 || was == "" {
		return nil
	}
	helps := func(with []beside) bool {
		accepted, now := send(with...)
		return accepted || len(with) == 1 && now != "" && now != was && slices.ContainsFunc(others, func(other beside) bool {
			return left() && takes(with[0], other)
		})
	}
	i := slices.IndexFunc(tries, func(with []beside) bool { return left() && helps(with) })
	if i < 0 {
		return nil
	}
	with := tries[i]
	for k := 0; k < len(with) && len(with) > 1; {
		if less := slices.Delete(slices.Clone(with), k, k+1); left() && takes(less...) {
			with = less
		} else {
			k++
		}
	}
	if _, again := send(); again != was || !helps(with) {
		return nil
	}
	return with
}

// prepared returns the request of a case with fresh values and with others beside them. The listed values
// that were refused stay, also where other ones are usual by now. It is nil if that is no valid request.
func (d *Diagnosis) prepared(ctx context.Context, own explore.Session, c *plan.Case, x *judge.Company, with []beside) *message.Message {
	id := d.target.Identity(d.target.RetryOf(c))
	steps := d.run.Build(c, id)
	m, g := steps[0].Message, d.target.FreshAs(c.Op, id)
	for _, one := range x.About {
		if now := m.At(one.At); one.Basis == openapi.Listed && now != nil && !jsontree.Equal(now, one.Value) && !m.Set(one.At, one.Value.Clone()) {
			return nil
		}
	}
	for _, one := range with {
		if one.was == nil && !g.Give(m, []openapi.Member{one.Member}) || one.value != nil && !m.Set(one.Path, one.value.Clone()) {
			return nil
		}
	}
	if d.target.Bind(ctx, own, m) != nil || d.classified(c, m).Expectation() != message.Accept {
		return nil
	}
	return m
}

// stateful reports whether a listed value is refused only in some states of the thing that the request is
// about: it is accepted after others of its list were.
func (d *Diagnosis) stateful(ctx context.Context, c *plan.Case, x *judge.Company, others []beside, left func() bool) bool {
	if len(c.Op.Bind) == 0 {
		return false
	}
	own := d.target.Client.Session()
	defer own.Close()
	takes := func(m *message.Message) bool {
		return left() && explore.Accepted(c.Op, d.target.Send(ctx, own, m, c.ID, "control"))
	}
	for range 2 {
		m := d.prepared(ctx, own, c, x, nil)
		if m == nil || takes(m) {
			return false
		}
		for range 2 {
			for _, other := range others {
				before := m.Clone()
				if before.Set(other.Path, other.value.Clone()) && takes(before) && takes(m) {
					return true
				}
			}
		}
		slices.Reverse(others) // the last state may have no way out
	}
	return false
}

// alone reports whether only a listed value can be why requests are refused, where no other value can take
// its place because each has other members beside it. Requests with other values of the list were accepted.
// This one is refused, always in the same words, without all members that it can do without too, and the
// document says what the rest may be.
func (d *Diagnosis) alone(ctx context.Context, c *plan.Case, one *openapi.Choice) bool {
	others := otherwise(one)
	if !slices.ContainsFunc(others, func(o beside) bool {
		other := *one
		other.Value = o.value
		return d.judge.Taken.Took(c.Op, other.Named())
	}) {
		return false
	}
	own := d.target.Client.Session()
	defer own.Close()
	send := func(m *message.Message) (p judge.Played, words string) {
		p.Step.Message, p.Exchange = m, d.target.Send(ctx, own, m, c.ID, "control")
		if e := p.Exchange; e.Status()/100 == 4 {
			p.Sent, p.Answer = d.classified(c, m), requirement.Read(c.Op, e)
			if !p.Answer.Missing() {
				words = fmt.Sprint(e.Status(), " ", requirement.Words(requirement.Said(e.Response.Content), p.Sent))
			}
		}
		return p, words
	}
	// bare returns a request of the case, and the same without the members that it can do without.
	bare := func() (m, less *message.Message) {
		id := d.target.Identity(d.target.RetryOf(c))
		steps := d.run.Build(c, id)
		if m = steps[0].Message; d.target.Bind(ctx, own, m) != nil || !jsontree.Equal(one.Value, m.At(one.At)) {
			return nil, nil
		}
		_, added := d.judge.Unproven(c.Op, &judge.Played{Step: steps[0], Sent: d.classified(c, m)})
		less = m.Clone()
		for _, path := range added {
			if !one.Under(path) && !less.Remove(path) {
				return nil, nil
			}
		}
		valid := func(m *message.Message) bool { return d.classified(c, m).Expectation() == message.Accept }
		if !valid(less) || slices.ContainsFunc(others, func(o beside) bool {
			swapped := less.Clone()
			return swapped.Set(one.At, o.value.Clone()) && valid(swapped)
		}) {
			return nil, nil
		}
		return m, less
	}
	var open []openapi.Choice
	for range 3 {
		m, less := bare()
		if m == nil {
			return false
		}
		_, was := send(m)
		left, now := send(less)
		if was == "" || now != was {
			return false
		}
		open, _ = d.judge.Unproven(c.Op, &left)
		usual := d.target.Baseline(d.target.Fresh(c.Op)) // a quota refuses this one too
		if d.target.Bind(ctx, own, usual) != nil || !explore.Accepted(c.Op, d.target.Send(ctx, own, usual, c.ID, "control")) {
			return false
		}
	}
	return !slices.ContainsFunc(open, func(o openapi.Choice) bool {
		return o.Schema == nil || o.Schema.Pattern == "" // the document does not say what it may be
	})
}
