package verdict

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// state says what became of a case.
type state uint8

const (
	untried      state = iota // never sent, or no answer that could be judged
	Tried                     // judged
	ToRetry                   // dropped or timed out: judged later, alone
	Inapplicable              // this target cannot be asked
)

// Record is what is kept of a case.
type Record struct {
	State        state
	Why          string // of untried and inapplicable
	Hung         bool   // of a case to retry: no answer came in time
	SuppressedBy string // the requirement that stands before the suppressed ones, where no failure tells
	Passed       Set
	Suppressed   Set
	Failures     []Failure
	Observed     []Finding
	// provisional are failures of rules for which one passing exchange is enough.
	Provisional []Failure
	OwnFault    string // a fault of ours
}

// TriedRecord is that of a case that was judged, with nothing in it yet.
func (j *Judge) TriedRecord(op *contract.Operation) *Record {
	return &Record{State: Tried, Passed: j.NewSet(op), Suppressed: j.NewSet(op)}
}

// Failure is a failed requirement with what shows it.
type Failure struct {
	Finding
	Step     int
	Defects  int // how many things the request breaks or tries at once
	Steps    []Played
	Identity generate.Identity
}

// Played is a step that was sent, with what came.
type Played struct {
	Step     plan.Step
	Sender   string // names the request for belonging
	Sent     *request.Sent
	Exchange *exchange.Exchange
	Answer   *rule.Answer
	Left     int // bytes of the answer's body that were not kept
	// checked is what the rules say of it; nil where nothing was checked yet.
	Checked *Checked
	// repeated is set where it failed and the answer looks like the refusal of a
	// repeat.
	Repeated bool
}

// trim keeps of an answer what a report shows, and behind it as much as a secret
// may take in its longest form: it is taken out first.
func (j *Judge) trim(p *Played) {
	r := p.Exchange.Response
	if r == nil {
		return
	}
	most := j.Reach()
	if len(r.Head) > most {
		r.Head = slices.Clone(r.Head[:most])
		room := most
		for i, f := range r.Fields {
			if room -= len(f.Name) + len(f.Value); room < 0 {
				r.Fields = r.Fields[:i]
				break
			}
			r.Fields[i] = exchange.Field{Name: strings.Clone(f.Name), Value: strings.Clone(f.Value)}
		}
		r.Fields = slices.Clone(r.Fields)
		// These are parts of the whole head too.
		r.Proto, r.Coding = strings.Clone(r.Proto), strings.Clone(r.Coding)
		r.Reason = strings.Clone(r.Reason[:min(len(r.Reason), most)])
		r.Trailers = nil
		if p.Answer != nil {
			p.Answer.Media = strings.Clone(p.Answer.Media)
		}
	}
	if len(r.Body) > most {
		shared := len(r.Content) > 0 && &r.Content[0] == &r.Body[0]
		p.Left += len(r.Body) - most
		r.Body = append([]byte(nil), r.Body[:most]...)
		if shared {
			r.Content = r.Body
		}
	}
	if len(r.Content) > most {
		r.Content = append([]byte(nil), r.Content[:most]...)
	}
}

// largeTree is the body of an answer, in bytes, whose tree is not kept once the
// rules have seen it: a tree takes 50 times as much.
const largeTree = 16 << 10

// Lighten keeps of a step what a report and an excuse need: a target may send a
// megabyte in every answer, and there are thousands.
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

// Unusual counts how a request differs from the baseline, in whatever way.
func Unusual(s *request.Sent) int {
	n := len(s.Transport)
	if b := s.Body; b != nil {
		n += len(b.Violations) + len(b.Unusual) + len(b.Reasons)
		if b.Respelled {
			n++
		}
	}
	return n
}

// IsBaseline reports whether a request differs in nothing from the baseline.
func (j *Judge) IsBaseline(p *Played) bool {
	m, s := p.Step.Message, p.Sent
	head := len(m.Fields)+len(m.Drop) == 0 && m.Query == "" && m.Names == nil && m.Order == request.UsualOrder && m.Framing == request.Length &&
		(m.Credentials == nil || j.Endpoint.Scheme(m.Op) == nil)
	return head && (s.Body == nil || !s.Body.Empty && s.Body.Syntax == nil && Unusual(s) == len(s.Transport))
}

// Defects counts what a request breaks or tries at once.
func Defects(s *request.Sent) int {
	if s.Body == nil {
		return 1
	}
	n := max(len(s.Body.Violations), len(s.Body.Unusual), 1)
	if s.Body.Respelled && len(s.Body.Unusual) > 0 {
		n++
	}
	return n + len(s.Transport)
}

// Reach is how many bytes of an answer are looked at: those that are shown, and
// as many behind them as a secret may take in its longest form.
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
