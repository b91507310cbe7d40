package judge

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// state says what became of a case.
type state uint8

const (
	untried      state = iota // never sent, or no answer that could be judged
	tried                     // judged
	suspect                   // dropped or timed out: judged later, alone
	inapplicable              // this target cannot be asked
)

// record is what is kept of a case.
type record struct {
	state    state
	why      string // of untried and inapplicable
	hung     bool   // of a suspect: no answer came in time
	maskedBy string // the requirement that stands before the masked ones, where no failure tells
	passed   bits
	masked   bits
	failures []failure
	observed []finding
	// weak are failures of rules for which one passing exchange is enough.
	weak  []failure
	wrong string // a fault of ours
}

// triedRecord is that of a case that was judged, with nothing in it yet.
func (j *Judge) triedRecord() *record {
	return &record{state: tried, passed: newBits(len(j.bound)), masked: newBits(len(j.bound))}
}

// failure is a failed requirement with what shows it.
type failure struct {
	finding
	step     int
	defects  int // how many things the request breaks or tries at once
	steps    []played
	identity generate.Identity
}

// played is a step that was sent, with what came.
type played struct {
	step  plan.Step
	owner string // names the request for belonging
	sent  *request.Sent
	ex    *exchange.Exchange
	got   *rule.Got
	left  int // bytes of the answer's body that were not kept
	// checked is what the rules say of it; nil where nothing was checked yet.
	checked *checked
	// repeated is set where it failed and the answer looks like the refusal of a
	// repeat.
	repeated bool
}

// trim keeps of an answer what a report shows, and behind it as much as a secret
// may take in its longest form: it is taken out first.
func (j *Judge) trim(p *played) {
	r := p.ex.Response
	if r == nil {
		return
	}
	most := j.reach()
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
		if p.got != nil {
			p.got.Media = strings.Clone(p.got.Media)
		}
	}
	if len(r.Body) > most {
		shared := len(r.Content) > 0 && &r.Content[0] == &r.Body[0]
		p.left += len(r.Body) - most
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

// lighten keeps of a step what a report and an excuse need: a target may send a
// megabyte in every answer, and there are thousands.
func (j *Judge) lighten(p *played) {
	if g := p.got; g != nil && g.Reading != nil && p.ex.Response != nil && len(p.ex.Response.Content) > largeTree {
		small, read := *g, *g.Reading
		read.Document, read.Violations = nil, nil
		small.Reading = &read
		p.got = &small
	}
	if e := p.ex; len(e.Interim) > 0 {
		e.Interim = nil
	}
	j.trim(p)
}

// unusual counts how a request differs from the mild one, in whatever way.
func unusual(s *request.Sent) int {
	n := len(s.Transport)
	if b := s.Body; b != nil {
		n += len(b.Violations) + len(b.Unmild) + len(b.Edges)
		if b.Respelled {
			n++
		}
	}
	return n
}

// defects counts what a request breaks or tries at once.
func defects(s *request.Sent) int {
	if s.Body == nil {
		return 1
	}
	n := max(len(s.Body.Violations), len(s.Body.Unmild), 1)
	if s.Body.Respelled && len(s.Body.Unmild) > 0 {
		n++
	}
	return n + len(s.Transport)
}
