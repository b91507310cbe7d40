package execute

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// Play sends the steps of a case, in sequence or in parallel, on the connections
// they name; connection 0 is own. How long it waits for each answer depends on try.
// The error says why not all steps were sent: what the case needs could not be made,
// it could change what is not its own, the run ended, or the target asked for a longer
// wait than a case may take.
func (run *Run) Play(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, own explore.Session, try Timeout) ([]judge.Played, error) {
	lines := connections{own: own, try: try}
	defer lines.close()
	if c.Class.Phase == plan.Scenarios {
		return run.playScenario(ctx, c, id, steps, &lines)
	}
	kept := own.Kept()
	noting, before := explore.Noting(ctx)
	if err := run.Target.Bind(noting, own, messagesOf(steps)...); err != nil {
		return nil, fmt.Errorf("what it needs could not be made: %w", err)
	}
	if !kept && own.Kept() {
		own.Fresh() // the requests before it on a connection may be why a case fails
	}
	if others(c.Op, steps) {
		return nil, errOthers
	}
	out := make([]judge.Played, len(steps))
	began := time.Now()
	used := reuse{op: c.Op, refused: run.Target.Facts.Of(c.Op).Repeats, seen: map[string]bool{}, count: map[string]int{}}
	failed := false
	for from := 0; from < len(steps); {
		to := from + atOnce(steps[from:])
		for i := from; i < to; i++ {
			out[i] = judge.Played{Step: piped(steps, i), Sender: senderOf(c, id, i), Before: run.Judge.Before(before.Take())}
			if i > 0 {
				out[i].Step = run.asTaken(out[i].Step, &out[i-1])
			}
		}
		client.Pause(ctx, steps[from].Idle)
		if !run.playTogether(ctx, c, out[from:to], &lines) {
			return nil, errStopped
		}
		if len(steps) > 1 {
			used.mark(out[from:to])
		}
		for i := from; i < to; i++ {
			if !run.weigh(ctx, c, id, &out[i], &failed) {
				return nil, errStopped
			}
		}
		slow := to >= limits.SequenceMin && time.Since(began) > limits.SequenceTime && (c.Draw > 0 || past(run.longEnd.Load()))
		if slow || transport(out[to-1].Exchange) && len(steps) > 1 {
			out = out[:to]
			break
		}
		from = to
	}
	return out, nil
}

// atOnce counts the steps at the beginning of a list that are sent at the same time.
// Two steps on one connection never are. If shrinking removed what separated two
// groups, the second waits for the first.
func atOnce(steps []plan.Step) int {
	n := 1
	for steps[0].Parallel && n < len(steps) && steps[n].Parallel &&
		!slices.ContainsFunc(steps[:n], func(s plan.Step) bool { return s.Connection == steps[n].Connection }) {
		n++
	}
	return n
}

// piped returns a step whose message knows what travels with it.
func piped(steps []plan.Step, i int) plan.Step {
	behind := i > 0 && steps[i].Behind
	var followed []*message.Message
	for k := i + 1; !behind && k < len(steps) && steps[k].Behind; k++ {
		followed = append(followed, steps[k].Message)
	}
	if !behind && len(followed) == 0 {
		return steps[i]
	}
	out := steps[i]
	m := *out.Message
	m.Behind, m.Followed = behind, followed
	out.Message = &m
	return out
}

// playTogether sends steps at the same time, and reports whether all were answered or
// failed.
func (run *Run) playTogether(ctx context.Context, c *plan.Case, list []judge.Played, lines *connections) bool {
	for i := range list {
		s := lines.session(run.Target.Client, list[i].Step.Connection)
		if list[i].Step.Fresh {
			s.Fresh()
		}
	}
	run.playAround(ctx, c, list, lines)
	for i := range list {
		if list[i].Exchange == nil {
			return false
		}
	}
	for i := range list {
		list[i].Sent = run.Target.Endpoint.Classify(list[i].Step.Message, list[i].Exchange.Request)
	}
	return true
}

// playStep sends one step on its connection. A gate holds back the last piece of a message.
func (run *Run) playStep(ctx context.Context, c *plan.Case, p *judge.Played, lines *connections, gate *exchange.Gate) {
	s := lines.session(run.Target.Client, p.Step.Connection)
	m := p.Step.Message
	if gate != nil {
		held := *m
		held.Gate = gate
		m = &held
	}
	p.Began = int(run.begun.Add(1))
	defer func() { run.dropped.note(c, p.Exchange) }()
	switch lines.try {
	case Whole:
		p.Exchange = run.Target.Send(ctx, s, m, c.ID, p.Sender)
		return
	case Doubtful:
		wait := min(run.Target.Timeout, max(limits.DoubtfulWait, run.Target.Justified()))
		p.Exchange = run.Target.SendWithin(ctx, s, m, c.ID, p.Sender, wait)
		return
	}
	wait := run.timeouts.timeout(c, run.Target.Timeout, run.Target.Justified())
	if p.Exchange = run.Target.SendWithin(ctx, s, m, c.ID, p.Sender, wait); Hung(p.Exchange) {
		run.timeouts.timedOut(c, wait, int(lines.try))
	}
}

// Timeout says how long a case waits for an answer. Whole is the full --timeout,
// Doubtful is for what is known to get none. Any other value is the number of workers, and
// the case waits as long as the pace of the target justifies.
type Timeout int

// The time-out of what is tried apart from the plan.
const (
	Whole    Timeout = 0
	Doubtful Timeout = -1
)

// connections are those of one case. Number 0 belongs to the worker; the others are
// opened when first used.
type connections struct {
	try        Timeout
	own        explore.Session
	additional map[int]explore.Session
}

func (l *connections) session(client explore.Client, n int) explore.Session {
	if n == 0 {
		return l.own
	}
	if l.additional == nil {
		l.additional = map[int]explore.Session{}
	}
	if l.additional[n] == nil {
		l.additional[n] = client.Session()
	}
	return l.additional[n]
}

// close closes the other connections.
func (l *connections) close() {
	for _, s := range l.additional {
		s.Close()
	}
}

// weigh checks an answer while its bytes are in memory, and keeps the part of them
// that a report shows. After a step that failed, nothing is checked. It returns
// false if the run ends first.
func (run *Run) weigh(ctx context.Context, c *plan.Case, id plan.Identity, p *judge.Played, failed *bool) bool {
	if *failed {
		run.Judge.Lighten(p)
		return true
	}
	leave, ok := run.Target.Room(ctx, p.Exchange)
	if !ok {
		return false
	}
	defer leave()
	run.Judge.Check(c, id, p)
	*failed = p.Checked.Reason != nil
	return true
}

// reuse marks requests that repeat a value of an earlier one.
type reuse struct {
	op *openapi.Operation
	// refused are the places of values whose repeats were refused.
	refused []explore.Repeat
	seen    map[string]bool
	count   map[string]int
}

// mark continues with steps that were sent in sequence or in parallel.
func (u *reuse) mark(out []judge.Played) {
	for i := range out {
		if mayStore(&out[i]) {
			for _, v := range identityOf(u.op, u.refused, out[i].Sent) {
				u.count[v.text]++
			}
		}
	}
	for i := range out {
		for _, v := range identityOf(u.op, u.refused, out[i].Sent) {
			// Of parallel requests none is the first.
			switch {
			case out[i].Step.From == plan.Taken{}:
			case u.seen[v.text] || out[i].Step.Parallel && u.count[v.text] > 1:
				out[i].Sent.Reused = true
			case v.key:
				out[i].Sent.OwnKey = true
			}
			u.seen[v.text] = u.seen[v.text] || v.once || mayStore(&out[i])
		}
	}
}

// mayStore reports whether the target may have stored values of a request. A
// request that must be refused leaves its values free.
func mayStore(p *judge.Played) bool {
	d := p.Sent.Expectation()
	return !d.Refuses() && d != message.RefuseCredential || explore.Accepted(p.Step.Message.Op, p.Exchange)
}

// identity is a value that may tell a resource or a request from others: its text with the
// name of the member, whether that is a key, and whether a server may take it only once,
// even in a request that it refuses.
type identity struct {
	text      string
	key, once bool
}

// identityOf returns the identity values of a request. Lists of texts, and the key in a path, are such
// values if their repeats were refused.
func identityOf(op *openapi.Operation, refused []explore.Repeat, s *message.Sent) []identity {
	if s.Body == nil {
		return nil
	}
	var out []identity
	for _, m := range message.Values(op, s.Body.Root()) {
		text := m.Value.Text
		if n, whole := jsontree.Int64(text); whole && m.Value.Kind == jsontree.Number {
			text = string(jsontree.NewInt(n).Emit())
		}
		out = append(out, identity{text: m.Name + "\x00" + text, key: hints.IsKey(m.Name)})
	}
	for _, r := range refused {
		switch v := s.Body.At(r.Path); {
		case r.Status == 0 || v == nil:
		case v.Kind == jsontree.Array:
			for _, item := range v.Items {
				out = append(out, identity{text: r.Path + "\x00" + item.Text})
			}
		case !strings.HasPrefix(r.Path, "/"):
			out = append(out, identity{text: r.Path + "\x00" + v.Text})
		}
	}
	fields := s.Body.Values.Get("header")
	if fields == nil {
		return out
	}
	for _, m := range fields.Members {
		if hints.TakenOnce(m.Name) && m.Value.Kind == jsontree.String {
			out = append(out, identity{text: "header\x00" + m.Name + "\x00" + m.Value.Text, once: true})
		}
	}
	return out
}

// transport reports whether an exchange ended without an answer in a way that
// another request in parallel may have caused.
func transport(e *exchange.Exchange) bool {
	if e == nil || e.Failure == nil || e.Excused() {
		return false
	}
	switch e.Failure.Kind {
	case exchange.Malformed, exchange.TooLarge:
		return false
	}
	return true
}

func senderOf(c *plan.Case, id plan.Identity, step int) string {
	b := make([]byte, 0, 96)
	b = append(b, c.ID...)
	for _, n := range [...]int{id.Retry, id.Neighbour, step} {
		b = strconv.AppendInt(append(b, '#'), int64(n), 10)
	}
	return string(b)
}

// records are the outcomes of the cases that were tried. The zero value has none.
type records struct {
	mu   sync.Mutex
	list map[*plan.Case]*judge.Record
}

// of returns the outcome of a case, or nil if it was not tried.
func (r *records) of(c *plan.Case) *judge.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.list[c]
}

func (r *records) set(c *plan.Case, to *judge.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil {
		r.list = map[*plan.Case]*judge.Record{}
	}
	r.list[c] = to
}
