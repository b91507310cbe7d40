package diagnose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// waver finds operations that refuse a valid request now and then: no value explains that, so it is
// no undocumented rule. Only those are looked at that refused baseline requests.
func (d *Diagnosis) waver(ctx context.Context) {
	looked := map[*openapi.Operation]bool{}
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
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
	for _, o := range d.run.Cases {
		if r := d.run.Record(o); r != nil && o.Op == op {
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
			listed = e.Response.Status/100 == 4 && c.Op.Lists(e.Response.Status) != nil
			p.Sent, p.Answer = d.target.Endpoint.Classify(m, e.Request), requirement.Read(c.Op, e)
		}
		return p, explore.Accepted(c.Op, p.Exchange), listed
	}
	before, pending, vain, unlike, alone := false, false, 0, 0, 0
	for sent, began := 0, time.Now(); sent < 2*limits.SteadyMax && vain < vainTries+2*unlike && time.Since(began) < limits.FlakyTime; sent++ {
		m := d.target.Baseline(d.target.Fresh(c.Op))
		if d.target.Bind(ctx, own, m) != nil {
			return nil
		}
		p, taken, refused := send(m)
		switch {
		case taken && pending:
			if alone++; alone == limits.FlakyDrops {
				seen.Outcome = requirement.Failed("flaky", "a success each time", fmt.Sprintf(
					"%d of %d baseline requests, each sent alone, were refused (%d), and accepted when the very same request was sent again", alone, sent+1, seen.Steps[0].Exchange.Response.Status))
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
