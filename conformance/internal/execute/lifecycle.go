package execute

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// scenario is what is known of the resources that a case makes, by their number, and of its
// requests.
type scenario struct {
	resources map[int]*explore.Resource
	past      []requirement.TraceStep
}

// playScenario sends the steps of a case about one thing, one after the other. The first one
// makes it, and the others name it, or what a step among them makes below it. Those of
// other operations than the case's own are not judged here, but each must be accepted
// before the next one is sent, unless it is sent by the other principal.
func (run *Run) playScenario(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, lines *connections) ([]judge.Played, error) {
	out := make([]judge.Played, len(steps))
	of := scenario{resources: map[int]*explore.Resource{}}
	retry := client.NewRetry()
	for i := 0; i < len(steps); i++ {
		m := steps[i].Message
		client.Pause(ctx, steps[i].Idle)
		out[i] = judge.Played{Step: steps[i], Sender: senderOf(c, id, i), History: slices.Clip(of.past), Last: i == len(steps)-1}
		noting, before := explore.Noting(ctx)
		err := run.bind(noting, lines.own, steps, i, &of)
		out[i].Before = run.Judge.Before(before.Take())
		if err == nil {
			err = run.take(steps, i, &of)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNoScenario, err)
		}
		if !run.playSettled(ctx, c, id, out[i:i+1], lines, &of) {
			return nil, errStopped
		}
		e := out[i].Exchange
		switch {
		case transport(e):
			return out[:i+1], nil
		case m.Other && i < len(steps)-1:
			if changes(steps[i+1:]) && of.another() {
				return nil, errOthers
			}
		case i < len(steps)-1 && !steps[i].Open && !m.Reading().Unpaired() && !explore.Accepted(m.Op, e):
			got := strconv.Itoa(e.Status())
			if e.Failure != nil {
				got = e.Failure.Error()
			}
			return nil, fmt.Errorf("%w: %s was answered with %s", errNoScenario, m.Op.Name(), got)
		}
		if from, late := run.again(c, &out[i]); late != nil {
			if !retry.Within(run.settle(late)) {
				run.waits.noted(late)
			} else if !run.shows(ctx, retry) {
				return nil, errStopped
			} else {
				of.past, i = of.past[:from:from], from-1
			}
		}
	}
	return out, nil
}

// bind gives the request of a step the resources that it names.
func (run *Run) bind(ctx context.Context, own explore.Session, steps []plan.Step, i int, of *scenario) error {
	m, res := steps[i].Message, of.resources[steps[i].Resource]
	switch kind := steps[i].Kind; kind {
	case plan.Own:
		return run.Target.BindOwn(ctx, own, m)
	case plan.Repeats:
		*m = *steps[max(i-1, 0)].Message.Clone()
		return nil
	case plan.Refers:
		return run.Target.BindBeside(ctx, own, m, of.resources[0])
	case plan.About, plan.Ready, plan.Below:
		if res == nil && kind == plan.Below {
			res = of.resources[0] // another one in its collection is bound like the first
		}
		if err := run.Target.BindTo(ctx, own, m, res); err != nil || kind == plan.About {
			return err
		}
		return run.Target.Ready(ctx, own, m, res)
	}
	return run.Target.Bind(ctx, own, m)
}

// take puts into the request of a step what it takes from the steps before it.
func (run *Run) take(steps []plan.Step, i int, of *scenario) error {
	m := steps[i].Message
	switch from := steps[i].From.(type) {
	case plan.Above:
		below(m, steps[from].Message)
	case plan.Located:
		m.Address = run.Target.Located(of.resources[steps[i].Resource], m)
	case plan.Condition:
		return of.condition(m, from)
	case plan.Follow:
		of.follow(m, from)
	case plan.Alike:
		return likeKey(m, from)
	}
	return nil
}

// below makes a request name its resource below those that another one names.
func below(m, other *message.Message) {
	own := openapi.Expressions(m.Op.Path)
	for i, name := range openapi.Expressions(other.Op.Path) {
		if v := other.At(openapi.PathPlace(name)); v != nil {
			m.Set(openapi.PathPlace(own[i]), v.Clone())
		}
	}
}

// changes reports whether another principal asks for more than reading in some steps.
func changes(steps []plan.Step) bool {
	return slices.ContainsFunc(steps, func(s plan.Step) bool {
		method := s.Message.Op.Method
		return s.Message.Other && method != http.MethodGet && method != http.MethodHead
	})
}

// another reports whether the last two requests, of two principals, read different
// resources: each has one of that key. A change would be of a resource that the run did not
// make.
func (of *scenario) another() bool {
	n := len(of.past)
	is, was := of.past[n-1].Got, of.past[n-2].Got
	return is.Success() && !jsontree.Equal(is.Reading.Root(), was.Reading.Root())
}

// condition puts the entity tag of an earlier answer, or the time of its last change, into a
// request.
func (of *scenario) condition(m *message.Message, c plan.Condition) error {
	from := &of.past[c.Step]
	value := from.Tag
	switch {
	case c.Dated():
		value = from.Modified
	case value != "":
		value = c.As.Value(value)
	}
	if value == "" {
		return fmt.Errorf("%s gave no value for %s", from.Op.Name(), c.Field)
	}
	if c.Older {
		at, err := http.ParseTime(value)
		if err != nil {
			return fmt.Errorf("%s gave no time for %s", from.Op.Name(), c.Field)
		}
		value = at.Add(-24 * time.Hour).UTC().Format(http.TimeFormat)
	}
	m.SetHeader(c.Field, value)
	return nil
}

// playSettled sends one step and judges it, if it is one of the case's own operation. A
// request whose answer does not fit what happened before is sent again for as long as a
// target may take to show it. The list has one step.
func (run *Run) playSettled(ctx context.Context, c *plan.Case, id plan.Identity, list []judge.Played, lines *connections, of *scenario) bool {
	p := &list[0]
	m := p.Step.Message
	retry := client.NewRetry()
	for {
		if !run.playTogether(ctx, c, list, lines) {
			return false
		}
		leave, ok := run.Target.Room(ctx, p.Exchange)
		if !ok {
			return false
		}
		_, alike := p.Step.From.(plan.Alike)
		p.Sent.About = p.Step.Kind.Names() && (!alike || p.Sent.Body == nil || p.Sent.Body.Kind != schema.Invalid)
		p.Sent.Reused = p.Sent.Reused || p.Step.Kind == plan.Repeats
		whole := requirement.Read(m.Op, p.Exchange) // a step keeps what a report shows of it
		now := requirement.TraceStep{Op: m.Op, Sent: p.Sent, Got: whole, Key: m.Key(), Aside: p.Step.Aside}
		if r := p.Exchange.Response; r != nil {
			now.Tag, now.Modified, now.Type = strings.Clone(r.Get("ETag")), strings.Clone(r.Get("Last-Modified")), strings.Clone(r.Get("Content-Type"))
			now.Coding, now.Body, now.Cached = r.Coding, r.Body, r.Get("Age") != ""
			now.Repeated = requirement.Repeated(r)
		}
		if p.Answer = whole; (of.resources[p.Step.Resource] == nil || p.Step.Kind == plan.Below) && p.Exchange.Failure == nil {
			of.resources[p.Step.Resource] = explore.MadeBy(m, p.Exchange)
		}
		if m.Op == c.Op {
			run.Judge.Check(c, id, p)
		} else {
			run.Judge.Note(c, p)
		}
		leave()
		fails := run.Judge.History(p.Checked)
		if p.Step.Again > 0 {
			fails = nil // see again
		}
		if m.Op != c.Op || fails == nil || !repeatable(m.Op, fails.Rule) || !retry.Within(run.settle(fails)) {
			if fails != nil {
				run.waits.noted(fails)
			}
			of.past = append(of.past, now)
			return true
		}
		if !run.shows(ctx, retry) {
			return false
		}
	}
}

// repeatable reports whether a request may be sent again where a rule failed: it only
// reads, or it should not have found anything. A write that succeeded would hide itself.
func repeatable(op *openapi.Operation, rule *requirement.Rule) bool {
	return op.Method == http.MethodGet || op.Method == http.MethodHead || rule.Aspect == requirement.AspectDeleted
}

// errNoScenario says that nothing can be said of what follows: a resource cannot be made,
// named or changed in the usual way. Whether it should be is for other cases to judge.
var errNoScenario = errors.New("a step before it was not accepted")

// shows waits before the next look at what a target accepted. It returns false if the run
// ended.
func (run *Run) shows(ctx context.Context, retry *client.Retry) bool {
	defer run.Target.Waits.For("waiting for what was sent to show (--settle)")()
	return retry.Pause(ctx)
}

// likeKey gives a request a key like the one that an answer gave.
func likeKey(m *message.Message, a plan.Alike) error {
	none := errors.New("no other key is like the one that was given")
	names := openapi.Expressions(m.Op.Path)
	path := openapi.PathPlace(names[len(names)-1])
	given := m.Bound[path]
	if given == nil {
		return none
	}
	other := a.Of(given.Text)
	if other == "" || other == given.Text {
		return none
	}
	v := jsontree.NewString(other)
	if given.Kind == jsontree.Number && jsontree.ValidNumber(other) {
		v = jsontree.NewNumber(other)
	}
	m.Set(path, v)
	if r := m.Reading(); r == nil || a.Invalid && r.Kind != schema.Invalid {
		return none
	}
	return nil
}

// follow puts into a request which page it asks for, as the answers before it say. If
// they name none, the request asks for the first page: the rules see that.
func (of *scenario) follow(m *message.Message, f plan.Follow) {
	l := m.Op.Listing
	if l == nil || l.Follows() == nil || len(of.past) == 0 {
		return
	}
	by := l.Follows()
	m.Remove(by.Place())
	if v := of.page(l, f); v != nil && (by == l.Cursor || m.Op.Params.Matches(by.Schema, v)) {
		m.Set(by.Place(), v)
		if by == l.Cursor {
			m.Given(by.Place(), v)
		}
	}
}

// page returns the value that asks for a page, or nil.
func (of *scenario) page(l *openapi.Listing, f plan.Follow) *jsontree.Value {
	before := of.past[len(of.past)-1].Got.Page()
	switch {
	case f.Last:
		total, known := before.Total(l)
		if !known || total < 1 {
			return nil
		}
		first := l.First
		if l.Guessed {
			without, _ := of.past[f.From-1].Got.Page().Items(l)
			one, _ := of.past[f.From].Got.Page().Items(l)
			first = resource.First(l, without, one)
		}
		return jsontree.NewInt(first + total - 1)
	case l.Cursor != nil:
		return before.Next(l)
	case l.Page != nil:
		return jsontree.NewInt(l.First + int64(len(of.past)-f.From))
	}
	n := l.First
	for _, e := range of.past[f.From:] {
		items, _ := e.Got.Page().Items(l)
		n += int64(len(items))
	}
	return jsontree.NewInt(n)
}

// again reports whether the pages of a case have to be read again, from a step on that
// it returns: the last step shows a fault, or nothing of what the case is for. Others
// may change a list, or it may show later what was made.
func (run *Run) again(c *plan.Case, p *judge.Played) (from int, late *judge.Bound) {
	if p.Step.Again == 0 {
		return 0, nil
	}
	if late = run.Judge.History(p.Checked); late == nil {
		late = run.Judge.Undecided(c, p.Checked)
	}
	return p.Step.Again, late
}
