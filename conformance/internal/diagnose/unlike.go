package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/limits"
)

// settle holds each refusal of a valid request against all that the target accepted: where a like
// request was accepted, the values of this one are not the reason. Where a stated value and others may
// still be the reason, it finds out which.
func (d *Diagnosis) settle(ctx context.Context) {
	d.judge.Taken.Settle()
	d.judgeAgain()
	if d.blame(ctx) {
		d.judgeAgain()
	}
	if d.accompany(ctx) {
		d.judgeAgain()
	}
}

// Compare settles the refusals of a run that is not diagnosed otherwise.
func Compare(ctx context.Context, run *execute.Run) {
	d := &Diagnosis{target: run.Target, judge: run.Judge, run: run}
	d.settle(ctx)
}

// judgeAgain asks the rules again about each failure that depends on what else was accepted.
func (d *Diagnosis) judgeAgain() {
	for c, r := range d.run.Records() {
		for i := range r.Failures {
			f := r.Failures[i]
			again, changed := d.judge.Again(c, &f)
			if !changed {
				continue
			}
			r.Failures = slices.DeleteFunc(r.Failures, func(old judge.Failure) bool { return old.Step == f.Step })
			for _, found := range again {
				f.Finding = found
				r.Failures = append(r.Failures, f)
			}
			r.Ruled.Union(f.Steps[f.Step].Checked.Ruled)
			break // the steps behind one that failed are not judged
		}
	}
}

// blame looks, in requests that may be refused for any of their values, for stated values that are
// the reason: the same request with another value in that place alone is accepted, or nothing beside the
// value can be the reason. It reports whether there are any.
func (d *Diagnosis) blame(ctx context.Context) (found bool) {
	type place struct {
		op *openapi.Operation
		at string
	}
	asked, vain := map[place]map[string]bool{}, map[place]int{}
	for c, r := range d.run.Records() {
		p := d.refusedAlone(r, requirement.RoleOpen, requirement.RoleAcceptance)
		if p == nil || !d.open(r.Failures[0].At) {
			continue
		}
		for _, one := range d.judge.Stated(c, p) {
			in := place{c.Op.First(), one.Place}
			name := one.Named()[1]
			if asked[in][name] || vain[in] == vainTries || ctx.Err() != nil || d.run.Lost() {
				continue
			}
			if asked[in] == nil {
				asked[in] = map[string]bool{}
			}
			asked[in][name] = true
			decides := func(s series) bool { return d.decides(ctx, c, &one, s) }
			if !d.alone(ctx, c, &one) && (d.judge.Taken.Wavers(c.Op) || !slices.ContainsFunc(d.instead(c.Op, &one), decides)) {
				vain[in]++
				continue
			}
			d.judge.Taken.Blame(c.Op, &one)
			found = true
		}
	}
	return found
}

// refusedAlone returns the only request of a record if it was refused although it is valid, not as a
// repeat, and not because of something that is missing, and if a rule of one of the roles says so.
func (d *Diagnosis) refusedAlone(r *judge.Record, roles ...requirement.Role) *judge.Played {
	if r == nil || r.State != judge.Tried || len(r.Failures) != 1 || len(r.Failures[0].Steps) != 1 {
		return nil
	}
	p, role := &r.Failures[0].Steps[0], d.judge.Bound[r.Failures[0].At].Rule.Role
	if p.Repeated || p.Answer == nil || p.Answer.Missing() || !slices.Contains(roles, role) {
		return nil
	}
	return p
}

// decides reports whether a value alone decides that a request is refused: with it the case is refused,
// and with each of the others in its place it is accepted. A value that stands twice among the others
// shows that no repeat was refused, and that it does not just happen to name something. The numbers
// beside it are drawn, then the least, then the greatest: a rule may relate the value to one of them.
func (d *Diagnosis) decides(ctx context.Context, c *plan.Case, one *openapi.Choice, others series) bool {
	own := d.target.Client.Session()
	defer own.Close()
	ordered := one.Value.Kind != jsontree.Number
	for i, other := range others {
		b := d.sendBoth(ctx, own, c, one, extremes[i%len(extremes)], other)
		if b.refused && !b.accepted && i > 0 {
			b = d.sendBoth(ctx, own, c, one, asDrawn, other)
		}
		if !b.refused || !b.accepted {
			return false
		}
		ordered = ordered || b.ordered
	}
	return ordered
}

// extreme says which numbers stand beside a value.
type extreme int

const (
	asDrawn extreme = iota
	least
	greatest
)

var extremes = []extreme{asDrawn, least, greatest}

// both says what became of a request with a stated value, of the same one with another value, and
// whether the numbers and moments of both stand in the same orders.
type both struct{ refused, accepted, ordered bool }

// sendBoth sends a case with fresh values, and again with another value in the place of a stated one.
func (d *Diagnosis) sendBoth(ctx context.Context, own explore.Session, c *plan.Case, one *openapi.Choice, beside extreme, other func(*openapi.Choice) *jsontree.Value) (out both) {
	id := d.target.Identity(d.target.RetryOf(c))
	steps := d.run.Build(c, id)
	m := steps[0].Message
	for _, n := range d.judge.Numbers(c.Op, d.classified(c, m).Body, m.Bound) {
		if v := extremeOf(n.Schema, beside); v != nil && n.Place != one.Place {
			m.Set(n.At, v)
		}
	}
	r, err := d.run.Insist(ctx, c, id, steps, own, execute.Whole)
	if err != nil {
		return out
	}
	p := d.refusedAlone(r, requirement.RoleOpen, requirement.RoleAcceptance)
	if p == nil {
		return out
	}
	list := d.judge.Stated(c, p)
	at := slices.IndexFunc(list, func(again openapi.Choice) bool { return again.Named() == one.Named() })
	if at < 0 {
		return out
	}
	out.refused, m = true, p.Step.Message.Clone()
	if v := other(&list[at]); v == nil || !m.Set(list[at].At, v) {
		return out
	}
	if sent := d.classified(c, m); sent.Expectation() == message.Accept {
		e := d.target.Send(ctx, own, m, c.ID, "control")
		out.accepted, out.ordered = e != nil && explore.Accepted(c.Op, e), d.judge.Ordered(c.Op, p.Sent.Body, sent.Body)
	}
	return out
}

// classified says what a message is.
func (d *Diagnosis) classified(c *plan.Case, m *message.Message) *message.Sent {
	return d.target.Endpoint.Classify(m, d.target.Endpoint.Wire(m, c.ID))
}

// extremeOf returns the least or the greatest number of a schema; nil for the one that was drawn.
func extremeOf(s *schema.Schema, e extreme) *jsontree.Value {
	switch {
	case e == asDrawn || s == nil || s.Multiple != "":
		return nil
	case e == least && s.Above == "":
		return jsontree.NewNumber(cmp.Or(s.Minimum, "1"))
	case e == greatest && s.Below == "":
		return jsontree.NewNumber(cmp.Or(s.Maximum, "1000000"))
	}
	return nil
}

// series are ways to another value than a stated one, in the order in which they are tried.
type series []func(c *openapi.Choice) *jsontree.Value

// thrice is a series of the same value.
func thrice(v *jsontree.Value) series {
	same := func(*openapi.Choice) *jsontree.Value { return v.Clone() }
	return series{same, same, same}
}

// maxOthers bounds how many members of a list are tried in the place of another one.
const maxOthers = 3

// instead returns what may stand in the place of a stated value: other members of its list, and
// values beside a bound.
func (d *Diagnosis) instead(op *openapi.Operation, c *openapi.Choice) (out []series) {
	s := c.Schema
	usual := func(c *openapi.Choice) *jsontree.Value { return d.target.Fresh(op).BaselineAt(c.Path, s) }
	switch {
	case s.Enum != nil:
		for _, v := range s.Enum {
			if !jsontree.Equal(v, c.Value) && len(out) < maxOthers {
				out = append(out, thrice(v))
			}
		}
		return out
	case c.Value.Kind == jsontree.Bool:
		return []series{thrice(jsontree.NewBool(!c.Value.Bool))}
	case c.Value.Kind == jsontree.Array:
		one := func(c *openapi.Choice) *jsontree.Value {
			items := c.Value.Items
			return jsontree.NewArray(append(slices.Clone(items), d.target.Fresh(op).BaselineValue(s.Item(len(items))))...)
		}
		return []series{{inner(0, 1), inner(1, 0)}, {one, one}}
	case c.Value.Kind == jsontree.Number && c.Basis == openapi.Free:
		last := thrice(jsontree.NewNumber(openapi.LastInt32))
		return []series{{last[0], last[1], usual}}
	case c.Value.Kind == jsontree.Number && c.Basis == openapi.Bounding:
		return []series{{stepped(s, 1), stepped(s, 1), usual}, {stepped(s, -1), stepped(s, -1), usual}}
	case c.Value.Kind == jsontree.String && c.Basis != openapi.Listed:
		return []series{{cut, cut}, {grown, grown}}
	}
	return []series{{usual, usual}}
}

// inner are the items of an array without some at its ends. Outside a body an array without items is
// no value: nothing is sent.
func inner(first, last int) func(c *openapi.Choice) *jsontree.Value {
	return func(c *openapi.Choice) *jsontree.Value {
		n := len(c.Value.Items)
		if n == 0 || n == first+last && !strings.HasPrefix(c.Path, "/") {
			return nil
		}
		return jsontree.NewArray(c.Value.Items[first : n-last]...)
	}
}

// stepped is the number so many steps above another one.
func stepped(s *schema.Schema, by int64) func(c *openapi.Choice) *jsontree.Value {
	return func(c *openapi.Choice) *jsontree.Value {
		n, ok := jsontree.Rat(c.Value.Text)
		step, stated := jsontree.Rat(s.Multiple)
		if !stated {
			step = big.NewRat(1, 1)
		}
		if !ok {
			return nil
		}
		text := new(big.Rat).Add(n, step.Mul(step, big.NewRat(by, 1))).FloatString(decimals)
		if strings.Contains(text, ".") {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
		return jsontree.NewNumber(text)
	}
}

// decimals is how many places behind the point the numbers beside a bound may have.
const decimals = 20

// cut is a text without its last character, grown one that has it twice.
func cut(c *openapi.Choice) *jsontree.Value {
	_, n := utf8.DecodeLastRuneInString(c.Value.Text)
	return jsontree.NewString(c.Value.Text[:len(c.Value.Text)-n])
}

func grown(c *openapi.Choice) *jsontree.Value {
	_, n := utf8.DecodeLastRuneInString(c.Value.Text)
	return jsontree.NewString(c.Value.Text + c.Value.Text[len(c.Value.Text)-n:])
}

// waver finds operations that refuse a valid request now and then: no value explains that, so it is
// no undocumented rule. Only those are looked at that refused baseline requests.
func (d *Diagnosis) waver(ctx context.Context) {
	looked := map[*openapi.Operation]bool{}
	for c, r := range d.run.Records() {
		i := slices.IndexFunc(r.Failures, func(f judge.Failure) bool { return d.open(f.At) })
		if i < 0 || looked[c.Op] || !d.judge.Taken.Wavers(c.Op) {
			continue
		}
		looked[c.Op] = true
		at := slices.IndexFunc(d.judge.Bound, func(b judge.Bound) bool {
			return b.Op == c.Op.First() && b.Rule.Role == requirement.RoleAcceptance && b.Args.Key.Path == ""
		})
		if at < 0 {
			continue
		}
		if f := d.unlike(ctx, c, at); f != nil {
			d.settleAs(c.Op, *f, c)
		}
	}
}

// open reports whether a requirement is about undocumented rules.
func (d *Diagnosis) open(at int) bool { return d.judge.Bound[at].Rule.Role == requirement.RoleOpen }

// settleAs puts a failure of a case in the place of all that would be undocumented rules of its operation.
func (d *Diagnosis) settleAs(op *openapi.Operation, f judge.Failure, c *plan.Case) {
	for o, r := range d.run.Records() {
		if o.Op == op {
			r.Failures = slices.DeleteFunc(r.Failures, func(old judge.Failure) bool { return d.open(old.At) })
		}
	}
	r := d.run.Record(c)
	r.Failures = append(r.Failures, f)
}

// unlike sends baseline requests alone, and what is refused once more as it was. If that is accepted,
// and so are the request before and the next one, neither its values, nor anything else that was
// sent, nor a rate that the target allows is the reason. Twice is enough.
func (d *Diagnosis) unlike(ctx context.Context, c *plan.Case, at int) *judge.Failure {
	own := d.target.Client.Session()
	defer own.Close()
	var seen *judge.Failure
	send := func(m *message.Message) (p judge.Played, taken, listed bool) {
		p.Step.Message, p.Exchange = m, d.target.Send(ctx, own, m, c.ID, "control")
		if e := p.Exchange; e != nil && e.Failure == nil {
			listed = e.Status()/100 == 4 && c.Op.Lists(e.Status()) != nil
			p.Sent, p.Answer = d.target.Endpoint.Classify(m, e.Request), requirement.Read(c.Op, e)
		}
		return p, explore.Accepted(c.Op, p.Exchange), listed
	}
	before, pending, vain, unlike, alone := false, false, 0, 0, 0
	for sent := 0; sent < 2*limits.SteadyMax && vain < 2*(vainTries+unlike); sent++ {
		m := d.target.Baseline(d.target.Fresh(c.Op))
		if d.target.Bind(ctx, own, m) != nil {
			return nil
		}
		p, taken, refused := send(m)
		switch {
		case taken && pending:
			if alone++; alone == limits.FlakyDrops {
				seen.Outcome = requirement.Failed("flaky", "a success each time", fmt.Sprintf(
					"%d of %d baseline requests, each sent alone, were refused (%d), and accepted when the very same request was sent again", alone, sent+1, seen.Steps[0].Exchange.Status()))
				return seen
			}
		case taken || refused:
		default:
			return nil
		}
		pending = false
		if !refused {
			before = true
			continue
		}
		_, again, listed := send(m)
		if again {
			unlike++
		}
		switch {
		case again && before:
			pending = true
			seen = &judge.Failure{Finding: judge.Finding{At: at}, Defects: 1, Steps: []judge.Played{p}, Identity: d.target.Identity(0), Beside: true}
		case again:
		case listed:
			vain++
		default:
			return nil
		}
		before = again
	}
	return nil
}
