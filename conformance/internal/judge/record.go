package judge

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// State is what became of a case.
type State uint8

const (
	untried      State = iota // never sent, or no answer that could be judged
	Tried                     // judged
	ToRetry                   // dropped or timed out: judged later, alone
	Inapplicable              // this target cannot be asked
)

// Record is the outcome of a case.
type Record struct {
	State        State
	Why          string // of untried and inapplicable
	Hung         bool   // of a case to retry: no answer came in time
	Kept         bool   // of a hung case: on a connection that had carried other requests
	SuppressedBy string // the requirement that suppressed the others, if no failure says so
	Passed       Set
	Suppressed   Set
	// Ruled is what failed, but may have been refused by a rule outside the schema.
	Ruled    Set
	Failures []Failure
	Observed []Finding
	// Provisional are failures of rules for which one passing exchange is enough.
	Provisional []Failure
	OwnFault    string // an error in this suite
	// Sent is how many requests of the run had been sent when the case was judged, and
	// Refused how many of them the target had refused.
	Sent, Refused int
	// Began and Ended are how many requests had begun when the last one of the case did, and
	// when its answer came or was known to be missing. Missed is the step without one.
	Began, Ended, Missed int
}

// TriedRecord returns an empty record of a case that was judged.
func (j *Judge) TriedRecord(op *openapi.Operation) *Record {
	return &Record{State: Tried, Passed: j.NewSet(op), Suppressed: j.NewSet(op), Ruled: j.NewSet(op)}
}

// Failure is a failed requirement with the exchanges that show it.
type Failure struct {
	Finding
	Step     int
	Defects  int // how many things the request breaks or tries at once
	Steps    []Played
	Identity plan.Identity
	// Beside says that the request is not one of the case: the pre-flight, a set-up, a control
	// or the clean-up sent it.
	Beside bool
}

// Shows returns the step that fails.
func (f *Failure) Shows() *Played { return &f.Steps[min(f.Step, len(f.Steps)-1)] }

// Played is a step that was sent, with its answer.
type Played struct {
	Step     plan.Step
	Sender   string // names the request for belonging
	Sent     *message.Sent
	Exchange *exchange.Exchange
	Answer   *requirement.Answer
	// History are the steps before this one, in a case about one thing. Last says that all
	// of them led to this one, which is judged by what they say together.
	History []requirement.TraceStep
	Last    bool
	Left    int // bytes of the answer's body that were not kept
	// Before are the requests of the set-up that this one, or a later one, needs.
	Before []Played
	Began  int // how many requests of the run had begun, this one included
	// Checked is what the rules say of it; nil if nothing was checked yet.
	Checked *Checked
	// Repeated reports whether the step failed and its answer looks like the
	// refusal of a repeated value.
	Repeated bool
}

// trim keeps the part of an answer that a report shows, and after it as many bytes
// as a secret may take in its longest form, because secrets are removed later.
func (j *Judge) trim(p *Played) {
	r := p.Exchange.Response
	if r == nil {
		return
	}
	maximum := j.Reach()
	if len(r.Head) > maximum {
		r.Head = slices.Clone(r.Head[:maximum])
		room := maximum
		for i, f := range r.Fields {
			if room -= len(f.Name) + len(f.Value); room < 0 {
				r.Fields = r.Fields[:i]
				break
			}
			r.Fields[i] = exchange.Field{Name: strings.Clone(f.Name), Value: strings.Clone(f.Value)}
		}
		r.Fields = slices.Clone(r.Fields)
		// These share memory with the head too.
		r.Proto, r.Coding = strings.Clone(r.Proto), strings.Clone(r.Coding)
		r.Reason = strings.Clone(r.Reason[:min(len(r.Reason), maximum)])
		r.Trailers = nil
		if p.Answer != nil {
			p.Answer.Media = strings.Clone(p.Answer.Media)
			p.Answer.Headers = nil
		}
	}
	if len(r.Body) > maximum {
		shared := len(r.Content) > 0 && &r.Content[0] == &r.Body[0]
		p.Left += len(r.Body) - maximum
		r.Body = append([]byte(nil), r.Body[:maximum]...)
		if shared {
			r.Content = r.Body
		}
	}
	if len(r.Content) > maximum {
		r.Content = append([]byte(nil), r.Content[:maximum]...)
	}
}

// largeTree is the size of an answer's body, in bytes, above which its tree is
// dropped after the rules have seen it: a tree takes 50 times as much.
const largeTree = 16 << 10

// Lighten keeps the parts of a step that a report and a recheck need. A target may
// send a megabyte in every answer, and there are thousands.
func (j *Judge) Lighten(p *Played) {
	if g := p.Answer; g != nil && g.Reading != nil && p.Exchange.Response != nil && len(p.Exchange.Response.Content) > largeTree {
		small, read := *g, *g.Reading
		read.Document, read.Violations = nil, nil
		small.Reading = &read
		p.Answer = &small
	}
	if e := p.Exchange; len(e.Interim) > 0 {
		e.Interim = nil
	}
	j.trim(p)
}

// Before turns the requests of a set-up into steps that keep only what a report needs. It copies them,
// because others use the originals.
func (j *Judge) Before(list []explore.SetUp) []Played {
	out := make([]Played, len(list))
	for i, s := range list {
		e := *s.Exchange
		r := *e.Response
		e.Response = &r
		out[i] = Played{Step: plan.Step{Message: s.Message}, Exchange: &e}
		j.Lighten(&out[i])
	}
	return out
}

// Unusual counts the differences of a request from the baseline request.
func Unusual(s *message.Sent) int {
	n := len(s.Transport)
	if b := s.Body; b != nil {
		n += len(b.Violations) + len(b.Unusual) + len(b.Reasons)
		if b.Respelled {
			n++
		}
	}
	return n
}

// IsBaseline reports whether a request does not differ from the baseline request.
func (j *Judge) IsBaseline(p *Played) bool {
	m, s := p.Step.Message, p.Sent
	head := m.Unusual() == 0 && !m.Other && (m.Credentials == nil || j.Endpoint.Auth(m.Op) == nil)
	return head && (s.Body == nil || !s.Body.Empty && s.Body.Syntax == nil && Unusual(s) == len(s.Transport))
}

// Defects counts the things that a request violates or tries at the same time.
func Defects(s *message.Sent) int {
	if s.Body == nil {
		return 1
	}
	n := max(len(s.Body.Violations), len(s.Body.Unusual), 1)
	if s.Body.Respelled && len(s.Body.Unusual) > 0 {
		n++
	}
	return n + len(s.Transport)
}

// Reach returns how many bytes of an answer are examined: those that are shown, and
// after them as many as a secret may take in its longest form.
func (j *Judge) Reach() int { return limits.Kept + 12*j.Redactor.Longest() }

// FailedAt reports whether a requirement failed in the case.
func (r *Record) FailedAt(at int) bool {
	for i := range r.Failures {
		if r.Failures[i].At == at {
			return true
		}
	}
	return false
}

// Resent keeps what rules say of answers that no case sees, because the client waited and sent the
// request again: the first answer that passes and the first one that fails, for each requirement.
type Resent struct {
	mu   sync.Mutex
	list []Played
	seen map[verdictAt]bool
}

type verdictAt struct {
	at      int
	verdict report.Verdict
}

// JudgeResent judges an answer after which the client sent the request again. It says nothing about the
// request: only its header fields are judged, and its body where the document lists the status itself.
func (j *Judge) JudgeResent(m *message.Message, e *exchange.Exchange) {
	if e.Failure != nil || e.Response == nil {
		return
	}
	sent, got := j.Endpoint.Classify(m, e.Request), requirement.Read(m.Op, e)
	p := requirement.Input{Op: m.Op, Exchange: e, Sent: sent, Got: got, Hide: j.Redactor.Text}
	checked := &Checked{Passed: j.NewSet(m.Op), Suppressed: j.NewSet(m.Op)}
	j.Resent.mu.Lock()
	defer j.Resent.mu.Unlock()
	ranks := []requirement.Rank{requirement.Header}
	if got.Documented != nil && got.Documented.Status == strconv.Itoa(got.Status) {
		ranks = []requirement.Rank{requirement.MediaType, requirement.JSON, requirement.Schema, requirement.Header}
	}
	news := false
	for i, end := j.Of(m.Op); i < end; i++ {
		b := &j.Bound[i]
		if !slices.Contains(ranks, b.Rule.Rank) || !b.About(m.Op) {
			continue
		}
		p.Requirement = b.Requirement
		o := b.Rule.Check(&p)
		if !j.Resent.first(i, o.Verdict) {
			continue
		}
		news = true
		j.shorten(&o)
		switch {
		case o.Verdict == report.Pass:
			checked.Passed.Add(i)
		case b.Level == report.Must && checked.Reason == nil:
			checked.Reason = &Finding{i, o}
		case b.Level == report.Must:
			checked.Apart = append(checked.Apart, Finding{i, o})
		default:
			checked.Warnings = append(checked.Warnings, Finding{i, o})
		}
	}
	if !news {
		return
	}
	played := Played{Sender: "again", Sent: sent, Exchange: e, Answer: got, Checked: checked}
	played.Step.Message = m.Clone()
	j.Lighten(&played)
	j.Resent.list = append(j.Resent.list, played)
}

// first reports whether a verdict is pass or fail, and the first such one on its requirement.
func (r *Resent) first(at int, v report.Verdict) bool {
	key := verdictAt{at, v}
	if v != report.Pass && v != report.Fail || r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = map[verdictAt]bool{}
	}
	r.seen[key] = true
	return true
}

// Take returns the answers that were judged since it was called last.
func (r *Resent) Take() []Played {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

// Company is all that may stand beside the values that a refused request is about.
type Company struct {
	Together
	// Places are those that the request is about. About are the values there, Others all other values, and
	// Absent the members that the request could have.
	Places        []string
	About, Others []openapi.Choice
	Absent        []openapi.Member
}

// Company returns the company of a refused request of a case. If a member is named that is missing, the
// request is about that, and a baseline request is about its listed values. It is nil if no rule of the
// values can be the reason, if the user promised that all valid requests are accepted, and if the request
// is about no place.
func (j *Judge) Company(c *plan.Case, p *Played, missing string) *Company {
	s := j.subject(c, p)
	if !s.refusedValid() || s.op.First().Accepted.Valid || p.Step.Message.Raw != nil {
		return nil
	}
	list, _ := j.choices(c.Op, p.Sent.Body, p.Step.Message.Bound)
	out := &Company{Together: Together{class: c.Class.Slug}, Places: s.unusual()}
	if missing != "" {
		out.class, out.Lacks, out.Places = "", []string{missing}, nil
		out.Others = slices.DeleteFunc(list, func(one openapi.Choice) bool { return one.Basis != openapi.Listed })
		for i := range out.Others {
			out.Values = append(out.Values, out.Others[i].Named())
		}
		return out
	}
	if place := c.Class.Place.Path; len(out.Places) == 0 && place != "" && p.Sent.Body.At(place) != nil {
		out.Places = []string{place}
	}
	if len(out.Places) == 0 {
		for _, one := range list {
			if one.Basis == openapi.Listed {
				out.Places = append(out.Places, one.Place)
			}
		}
	}
	if len(out.Places) == 0 {
		return nil
	}
	for _, one := range list {
		if slices.ContainsFunc(out.Places, one.Under) {
			out.About, out.Values = append(out.About, one), append(out.Values, one.Named())
		} else {
			out.Others = append(out.Others, one)
		}
	}
	if out.About != nil && !slices.ContainsFunc(out.About, func(one openapi.Choice) bool { return one.Basis != openapi.Listed }) {
		out.class = ""
	}
	out.Absent = j.Plan.Contract.Absent(c.Op, p.Sent.Body)
	return out
}

// Unproven returns those values of a valid request that its schema leaves open, at places where the target
// took no value of the run yet, and the optional members of the request.
func (j *Judge) Unproven(op *openapi.Operation, p *Played) (values []openapi.Choice, added []string) {
	values, added = j.choices(op, p.Sent.Body, p.Step.Message.Bound)
	j.Taken.mu.Lock()
	defer j.Taken.mu.Unlock()
	made := j.Taken.in(op).made
	return slices.DeleteFunc(values, func(one openapi.Choice) bool {
		return made[one.Place] || one.Basis <= openapi.Formed
	}), added
}
