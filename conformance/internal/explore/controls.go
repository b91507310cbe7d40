package explore

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// Off says that after an operation others are refused that worked before.
type Off struct {
	// Sentence says which ones, and how they are answered. Undone says how they were turned on
	// again; it is empty if they were not.
	Sentence, Undone string
	undo             []*message.Message // what is sent after each success of the operation
}

// String says both.
func (o *Off) String() string {
	if o.Undone == "" {
		return o.Sentence
	}
	return o.Sentence + "; undone by " + o.Undone
}

// control is an operation that worked. A read has the message that was accepted: the resource that
// it is about must stay. A write gets a new message each time.
type control struct {
	op      *openapi.Operation
	message *message.Message
}

// maxSaid is how many operations a sentence names.
const maxSaid = 3

// maxControls is how many operations are asked once one is refused.
const maxControls = 6

// reads reports whether an operation changes nothing.
func reads(op *openapi.Operation) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY"}, op.Method)
}

// harmless looks at other operations after the first success of one that changes something. It
// returns false if that turned them off, and nothing turns them on again.
func (p *preflight) harmless(ctx context.Context) bool {
	t, op := p.t, p.op.First()
	if slices.ContainsFunc(t.controls, func(c *control) bool { return c.op == op }) || t.Facts.Of(op).Off != nil {
		return true // another form of its body was tried before
	}
	if reads(op) {
		t.controls = append(t.controls, &control{op, p.message.Clone()})
		return true
	}
	if !t.controlled(ctx, p.s, p.message) {
		return false
	}
	if t.Facts.Of(op).Off == nil {
		t.changes.settled(p.message)
	}
	if t.lateness(op) > 0 && !p.varied(ctx) {
		return false
	}
	if t.lateness(op) < maxLate && !t.Clears(op) && t.Facts.Of(op).Off == nil {
		t.controls = append(t.controls, &control{op: op})
	}
	return true
}

// controlled sends controls after a request that was accepted. If they are refused, it looks for
// a request that turns them on again. It returns false if there is none.
func (t *Target) controlled(ctx context.Context, s Session, m *message.Message) bool {
	noted := t.broken.noted()
	t.limited = false
	controls := t.controlsFor(m)
	if len(controls) == 0 {
		return true
	}
	refused, seen, sure := t.refusedNow(ctx, s, m, controls)
	if len(refused) == 0 && t.limited && t.lateness(m.Op) > 0 {
		byNeeds(t, controls)
		t.blamed(ctx, s, []change{{message: m}}, controls, noted)
		return t.Ended == ""
	}
	if len(refused) == 0 || ctx.Err() != nil {
		return true
	}
	defer func() { t.broken.forget(noted) }() // this is told as a whole
	op := m.Op.First()
	if silent := t.silent; sure && silent != nil && t.lateness(op) < maxLate {
		// It took the target down, which no request may do.
		t.broken.forget(noted)
		t.broken.note(m, silent, taken)
		noted = t.broken.noted()
		t.gone = true
		return false
	}
	off := &Off{Sentence: fmt.Sprintf("after %s, %s", op.Name(), seen)}
	t.Facts.Of(op).Off = off
	for _, undo := range t.opposites(m) {
		for _, one := range undo {
			t.now(ctx, s, one, t.Timeout)
		}
		s.Fresh()
		if !slices.ContainsFunc(refused, func(c *control) bool { how, _ := t.refuses(ctx, s, c, m); return how != "" }) {
			off.undoneBy(undo)
			return true
		}
	}
	if !sure {
		t.Facts.Of(op).Off = nil
		return true
	}
	t.Ended = off.Sentence + ", and no request that the document has turns that back: put the target right, and leave it out with --exclude " + op.Name()
	t.Reasons = slices.Insert(t.Reasons, 0, t.Ended)
	return false
}

// controlsFor returns the controls of a request, the nearest first. Those about the resource that
// it names are none: it may have deleted that.
func (t *Target) controlsFor(m *message.Message) []*control {
	var out []*control
	for _, c := range t.controls {
		same := func(v *jsontree.Value) bool { return c.message != nil && holds(c.message, v) }
		if c.op != m.Op.First() && !slices.ContainsFunc(openapi.Expressions(m.Op.Path), func(name string) bool { return same(m.At(openapi.PathPlace(name))) }) {
			out = append(out, c)
		}
	}
	near := func(c *control) int {
		n, a, b := 0, strings.Split(c.op.Path, "/"), strings.Split(m.Op.Path, "/")
		for n < len(a) && n < len(b) && a[n] == b[n] {
			n++
		}
		return -n
	}
	slices.SortStableFunc(out, func(a, b *control) int {
		needs := cmp.Compare(len(a.op.Bind), len(b.op.Bind))
		if !reads(a.op) && !reads(b.op) {
			return cmp.Or(cmp.Compare(t.lateness(a.op), t.lateness(b.op)), needs, cmp.Compare(near(a), near(b)))
		}
		return cmp.Or(cmp.Compare(near(a), near(b)), needs)
	})
	return out
}

// holds reports whether a message has a value in its path.
func holds(m *message.Message, v *jsontree.Value) bool {
	return v != nil && slices.ContainsFunc(openapi.Expressions(m.Op.Path), func(name string) bool {
		own := m.At(openapi.PathPlace(name))
		return own != nil && own.Text == v.Text
	})
}

// refusedNow sends a read and a write, and more of them if one is refused, again and again. It
// returns those that are refused, if nothing of their kind works any more, and how they are
// answered. It is sure that this is no matter of the state of a resource if several are refused, or
// one with a status that says nothing of such a state.
func (t *Target) refusedNow(ctx context.Context, s Session, m *message.Message, list []*control) (refused []*control, seen string, sure bool) {
	reading := func(c *control) bool { return reads(c.op) }
	t.silent = nil
	first := t.firstControls(m, list)
	suspicious := func() bool {
		return slices.ContainsFunc(first, func(c *control) bool { how, _ := t.refuses(ctx, s, c, m); return how != "" })
	}
	found := suspicious()
	if m != nil && t.lateness(m.Op) == maxLate {
		// What is called so may take a moment to show.
		for wait := client.NewRetry(); !found && wait.Within(limits.ControlTime) && wait.Pause(ctx); {
			s.Fresh()
			found = suspicious()
		}
	}
	for range limits.ControlTries {
		if !found {
			return nil, "", false
		}
		client.Pause(ctx, limits.RevivalPause)
		s.Fresh()
		found = suspicious()
	}
	if m != nil && t.limited {
		return nil, "", false // controlled looks for a limit itself
	}
	answers := map[string][]string{}
	harsh := false
	for _, kind := range []bool{true, false} {
		works, asked := 0, []*control(nil)
		for _, c := range list {
			if reading(c) != kind || len(asked) == maxControls {
				continue
			}
			switch how, known := t.refuses(ctx, s, c, m); {
			case known && how == "":
				works++
			case known:
				asked = append(asked, c)
				answers[how] = append(answers[how], c.op.Name())
				harsh = harsh || !slices.Contains([]string{answeredPlainly(400), answeredPlainly(404), answeredPlainly(409), answeredPlainly(410), answeredPlainly(422)}, how)
			}
		}
		if works == 0 {
			refused = append(refused, asked...)
		}
	}
	var said []string
	for how, ops := range answers {
		more := ""
		if n := len(ops) - maxSaid; n > 0 {
			ops, more = ops[:maxSaid], fmt.Sprintf(" and %d more", n)
		}
		said = append(said, strings.Join(ops, ", ")+more+" "+how)
	}
	slices.Sort(said)
	return refused, strings.Join(said, ", "), harsh || len(refused) > 1
}

// firstControls are a read, if possible about a resource that was made, which may be gone, and a write.
// After a request that may harm all others they are reads about several resources. At the end of a
// stage, where there is no message, they are the first read and the first write.
func (t *Target) firstControls(m *message.Message, list []*control) []*control {
	if m == nil {
		var out []*control
		for _, kind := range []bool{true, false} {
			if i := slices.IndexFunc(list, func(c *control) bool { return reads(c.op) == kind }); i >= 0 {
				out = append(out, list[i])
			}
		}
		return out
	}
	about := slices.DeleteFunc(slices.Clone(list), func(c *control) bool { return c.message == nil || len(c.message.Bound) == 0 })
	if len(about) == 0 {
		about = slices.DeleteFunc(slices.Clone(list), func(c *control) bool { return c.message == nil })
	}
	maximum := 1
	if t.lateness(m.Op) > 0 {
		maximum = maxControls
	}
	out := about[:min(maximum, len(about))]
	if i := slices.IndexFunc(list, func(c *control) bool { return c.message == nil }); i >= 0 {
		out = append(out, list[i])
	}
	return out
}

func answeredPlainly(status int) string { return fmt.Sprintf("got %d", status) }

// refuses sends a control and returns how it is refused; empty if it works. Known is false if the
// answer proves nothing: a 429 may have nothing to do with the request before. If the resource of the
// control is gone, it gets another one, and the request before it, if that is known, counts as one
// that deletes the resources of others.
func (t *Target) refuses(ctx context.Context, s Session, c *control, after *message.Message) (how string, known bool) {
	m := c.message
	if m == nil {
		m = t.Baseline(t.Fresh(c.op))
		if t.Bind(ctx, s, m) != nil {
			return "", false
		}
	}
	e := t.now(ctx, s, m, t.Timeout)
	if e.Status() == http.StatusUnauthorized && t.Renew != nil {
		e = t.Send(ctx, s, m, "control", "control") // the credential may have expired
	}
	switch {
	case e == nil || ctx.Err() != nil:
		return "", false
	case e.Status() == http.StatusTooManyRequests:
		t.limited = true
		return answeredPlainly(e.Status()), after == nil
	case Accepted(c.op, e):
		t.silent = nil
		return "", true
	case e.Failure != nil:
		t.silent = e
		return "got no answer", true
	}
	t.silent = nil
	status := e.Status()
	if t.RefusedValid(c.op, status); c.message == nil && t.MakeRoom(ctx, s) {
		return "", true
	}
	if c.message != nil && status/100 == 4 && len(c.message.Bound) > 0 {
		t.shared.forget(c.op)
		another := t.Baseline(t.Fresh(c.op))
		if t.Bind(ctx, s, another) == nil && Accepted(c.op, t.now(ctx, s, another, t.Timeout)) {
			c.message = another
			if after != nil {
				t.Facts.Of(after.Op.First()).Clears = true
				t.shared.forgetAll()
			}
			return "", true
		}
	}
	return answeredPlainly(status), true
}

// lateAnswers reports whether connections that were opened together were answered so late
// that the target may have closed others first.
func (t *Target) lateAnswers(took time.Duration) bool {
	return took > limits.LateAnswers && took > limits.LateFactor*limits.Probed*t.pace.Median()
}

// servedBeside returns how many connections a target serves that may close idle ones to
// serve others. It takes the best of several tries, because a busy machine may leave a
// connection idle so long that it is closed.
func (t *Target) servedBeside(ctx context.Context, op *openapi.Operation) int {
	maximum := 1
	for range limits.IdleTries {
		maximum = max(maximum, t.keptOpen(ctx, op))
		if maximum == limits.Probed {
			break
		}
	}
	return maximum
}

// keptOpen opens one connection after the other until the target has to close one to serve
// the next. It returns how many stay open, or limits.Probed if the target closes every
// connection after an answer, which tells nothing.
func (t *Target) keptOpen(ctx context.Context, op *openapi.Operation) int {
	var sessions []Session
	defer func() {
		for _, s := range sessions {
			s.Close()
		}
	}()
	ask := func(s Session) (kept, ok bool) {
		e := t.sendNow(ctx, s, t.Baseline(t.Fresh(op)), "preflight", t.Timeout)
		return !e.Fresh, e.Failure == nil
	}
	for n := range limits.Probed {
		s := t.Client.Session()
		sessions = append(sessions, s)
		if _, ok := ask(s); !ok {
			return max(n, 1)
		}
		if n == 0 {
			if kept, ok := ask(s); !kept || !ok {
				return limits.Probed
			}
		}
		for _, before := range sessions[:n] {
			if kept, ok := ask(before); !kept || !ok {
				return n
			}
		}
	}
	return limits.Probed
}
