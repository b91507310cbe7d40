package judge

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
	"plantstore/internal/parallel"
)

// looked is how many cases of a class are examined to find out what it can test, if
// all of them test the same. After them, one in sampled and the last are examined too.
const (
	looked  = 3
	sampled = 4
)

// spared reports whether a case is not examined if those before it test the same.
func spared(c *plan.Case) bool {
	return c.Draw >= looked && c.Draw%sampled != 0 && c.Draw != c.Class.Cases-1
}

// Cover says which cases Covers is asked about. Which requirements a case can test is
// found when it is first needed, or by Examine, also while cases are sent.
//
// Some cases of a class stand for the others, unless they differ among each other: then
// every further case is examined.
func (j *Judge) Cover(cases []*plan.Case) {
	j.covers = &covers{by: j, of: map[*plan.Class]*classCovers{}, sets: map[string]Set{}}
	for _, c := range cases {
		of := j.covers.of[c.Class]
		if of == nil {
			of = &classCovers{}
			j.covers.of[c.Class] = of
			j.covers.classes = append(j.covers.classes, of)
		}
		of.cases = append(of.cases, c)
	}
}

// Examine finds which requirements all cases of Cover can test, on all processors, until
// there is no more time for it.
func (j *Judge) Examine() {
	parallel.Each(len(j.covers.classes), func(i int) {
		if !j.late() {
			j.examine(j.covers.classes[i])
		}
	})
}

// late reports whether only what is sent may still be examined.
func (j *Judge) late() bool {
	select {
	case <-j.Enough:
		return true
	default:
		return false
	}
}

// Examined is Covers where that is known, or there is time to find it.
func (j *Judge) Examined(c *plan.Case) (set Set, known bool) {
	if of := j.covers.of[c.Class]; of != nil && j.late() && !of.known.Load() && !cheap(c.Class) {
		return Set{}, false
	}
	return j.Covers(c), true
}

// cheap reports whether the cases of a class are examined without their requests being made.
func cheap(c *plan.Class) bool { return c.Phase == plan.Heavy || len(c.Rules) > 0 && !c.Keys }

// Covers returns the requirements that a case can test: those that judge the answer of a
// faultless server to its request. There are none for a case that Cover was not given.
func (j *Judge) Covers(c *plan.Case) Set {
	of := j.covers.of[c.Class]
	if of == nil {
		return Set{}
	}
	j.examine(of)
	return of.sets[c]
}

// covers are what the cases can test, by their classes. Most classes of an operation test
// the same, so equal sets are shared.
type covers struct {
	by      *Judge // who examines them
	of      map[*plan.Class]*classCovers
	classes []*classCovers
	mu      sync.Mutex
	sets    map[string]Set
}

// classCovers is what the cases of a class can test.
type classCovers struct {
	cases []*plan.Case
	once  sync.Once
	sets  map[*plan.Case]Set // filled once
	known atomic.Bool        // they are
}

// shared returns the set that all cases which test the same have.
func (v *covers) shared(key string, set Set) Set {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known, found := v.sets[key]; found {
		return known
	}
	v.sets[key] = set
	return set
}

// examine finds what the cases of a class can test.
func (j *Judge) examine(of *classCovers) {
	of.once.Do(func() {
		j := *j.covers.by
		j.Origins, j.Taken = &Origins{}, &Taken{} // nothing that the run sends meanwhile counts
		of.sets = make(map[*plan.Case]Set, len(of.cases))
		var before Set // of the case examined last
		var known string
		found, differ := false, false
		for _, c := range of.cases {
			if spared(c) && found && !differ {
				of.sets[c] = before
				continue
			}
			set := j.NewSet(c.Op)
			if !j.coverOne(c, set) {
				continue
			}
			key := set.key()
			differ = differ || found && key != known
			found, known, before = true, key, j.covers.shared(key, set)
			of.sets[c] = before
		}
		of.known.Store(true)
	})
}

// coverOne adds the requirements that one case can test. It returns false if the case
// cannot be sent with this token.
func (j *Judge) coverOne(c *plan.Case, set Set) bool {
	if c.Class.Phase == plan.Heavy {
		// Large bodies are not made twice: only that they are answered matters.
		for at, end := j.Of(c.Op); at < end; at++ {
			if j.Bound[at].Rule.Rank <= requirement.Framing {
				set.Add(at)
			}
		}
		return true
	}
	if len(c.Class.Rules) > 0 {
		j.coverNamed(c, set)
		if c.Class.Keys {
			j.coverKey(c, set)
		}
		return true
	}
	steps := j.Plan.Build(c, j.Facts.Identity(0))
	if !j.Differs(c, steps) {
		return false
	}
	j.coverSteps(c, steps, set)
	return true
}

// coverKey adds the requirements that refuse the key which the last step of a case has.
func (j *Judge) coverKey(c *plan.Case, set Set) {
	steps, tested := j.Plan.Build(c, j.Facts.Identity(0)), j.NewSet(c.Op)
	j.coverSteps(c, steps[len(steps)-1:], tested)
	for at, end := j.Of(c.Op); at < end; at++ {
		if b := &j.Bound[at]; b.Rule.Rank == requirement.Class && b.Rule.Role == requirement.RoleRefusal && tested.Has(at) {
			set.Add(at)
		}
	}
}

// coverSteps adds the requirements that the bytes of some steps can test.
func (j *Judge) coverSteps(c *plan.Case, steps []plan.Step, set Set) {
	for _, st := range steps {
		sent := j.Endpoint.Classify(st.Message, j.Endpoint.Wire(st.Message, c.ID))
		// What cannot be decided is sent, and then not judged.
		sent.Body = sent.Body.Assume(c.Class.Expected != message.Refuse)
		for _, e := range j.ideals(c.Op, sent) {
			s := &subject{op: c.Op, class: c.Class.Slug, place: c.Class.Place.Path, sender: c.ID, sent: sent, Exchange: e}
			if s.Answer = requirement.Read(c.Op, e); s.Answer != nil && s.Answer.Form != nil && s.Answer.Form.Shape != nil {
				s.Answer.Reading = s.Answer.Form.Shape.Assume(s.Answer.Reading, true)
			}
			got := j.check(s, Set{})
			set.Union(got.Passed)
			for _, list := range [][]Finding{got.Apart, got.Warnings, got.Provisional, got.Observed} {
				for _, f := range list {
					set.Add(f.At)
				}
			}
			if got.Reason != nil {
				set.Add(got.Reason.At)
			}
		}
	}
}

// coverNamed adds the requirements of the rules that the class names, and that its
// requests are answered. One about a place of the request is for the classes about it.
func (j *Judge) coverNamed(c *plan.Case, set Set) {
	for at, end := j.Of(c.Op); at < end; at++ {
		b := j.Bound[at]
		elsewhere := c.Class.Place.Path != "" && b.Args.From != "" && b.Args.From != c.Class.Place.Path
		if b.Rule.Rank <= requirement.Framing && !c.Class.Hinted || slices.Contains(c.Class.Rules, b.Rule.Name) && !elsewhere {
			set.Add(at)
		}
	}
}

// Differs reports whether the credential of a case whose credential must be refused
// differs from the valid one. A token without letters, for example, has no other case.
func (j *Judge) Differs(c *plan.Case, steps []plan.Step) bool {
	m := steps[len(steps)-1].Message
	switch {
	case c.Class.Expected == message.RefuseCredential:
		return j.Endpoint.Classify(m, j.Endpoint.Wire(m, c.ID)).Expectation() == message.RefuseCredential
	case c.Class.Expected == message.Unstated && c.Class.Phase == plan.Credential && m.Credentials != nil:
		// A change of the token that changes nothing in this one tries nothing.
		return j.Endpoint.Classify(m, j.Endpoint.Wire(m, c.ID)).Credential != message.CredentialValid
	}
	return true
}

// ideals returns the answers that a faultless server may give to a request. They
// show which requirements the request can test.
func (j *Judge) ideals(op *openapi.Operation, sent *message.Sent) []*exchange.Exchange {
	switch sent.Expectation() {
	case message.Accept:
		return j.successes(op, sent)
	case message.Refuse, message.RefuseNotJSON, message.RefuseAnyhow:
		return j.refusals(op)
	case message.RefuseCredential:
		return j.forms(op, op.Response(401), 401, nil)
	}
	return append(j.successes(op, sent), j.refusals(op)...)
}

// successes returns every documented success.
func (j *Judge) successes(op *openapi.Operation, sent *message.Sent) []*exchange.Exchange {
	list := op.Successes()
	if len(list) == 0 {
		return j.forms(op, op.Response(200), 200, sent.Body)
	}
	return j.each(op, list, sent.Body)
}

// refusals returns every documented refusal of bad input or, if there is none, the
// first documented one.
func (j *Judge) refusals(op *openapi.Operation) []*exchange.Exchange {
	list := op.Documented(4)
	bad := slices.DeleteFunc(slices.Clone(list), func(r *openapi.Response) bool { return !r.BadInput() })
	switch {
	case len(bad) > 0:
		return j.each(op, bad, nil)
	case len(list) > 0:
		return j.each(op, list[:1], nil)
	}
	return j.forms(op, op.Response(400), 400, nil)
}

// maxForms bounds the answers that are made for one request.
const maxForms = 8

func (j *Judge) each(op *openapi.Operation, list []*openapi.Response, sent *schema.Reading) []*exchange.Exchange {
	var out []*exchange.Exchange
	for _, r := range list {
		status, err := strconv.Atoi(r.Status)
		if err != nil {
			status = int(r.Status[0]-'0') * 100
		}
		out = append(out, j.forms(op, r, status, sent)...)
	}
	return out[:min(len(out), maxForms)]
}

// forms returns a documented answer in each of its media types. What the request
// sent comes back in it.
func (j *Judge) forms(op *openapi.Operation, doc *openapi.Response, status int, sent *schema.Reading) []*exchange.Exchange {
	if doc == nil {
		return []*exchange.Exchange{j.answer(status, "", nil, nil)}
	}
	g := j.Plan.Preflight(op, plan.Identity{}, 1)
	var fields []exchange.Field
	for _, h := range doc.Headers {
		if h.Shape != nil {
			fields = append(fields, exchange.Field{Name: h.Name, Value: h.Write(g.BaselineValue(h.Shape.Schema))})
		} else {
			fields = append(fields, exchange.Field{Name: h.Name})
		}
	}
	if len(doc.Media) == 0 {
		return []*exchange.Exchange{j.answer(status, "", nil, fields)}
	}
	var out []*exchange.Exchange
	for _, m := range doc.Media {
		if m.XML() {
			out = append(out, j.answer(status, m.Type, []byte("<a/>"), fields))
			continue
		}
		if m.Shape == nil {
			out = append(out, j.answer(status, concrete(m.Type), nil, fields))
			continue
		}
		tree := g.BaselineValue(m.Shape.Schema)
		if sent.Root() != nil && tree.Kind == jsontree.Object {
			for _, p := range m.Shape.Schema.Properties {
				if v := sent.Root().Get(p.Name); v != nil {
					tree.Set(p.Name, v)
				}
			}
		}
		if m.JSON() {
			media := m.Type
			if m.Range() {
				media = "application/json"
			}
			out = append(out, j.answer(status, media, tree.Emit(), fields))
			continue
		}
		body, media, err := serialize.WriteFormBody(m.Type, m.Shape.Schema, m.Encoding, tree)
		if err == nil {
			out = append(out, j.answer(status, media, body, fields))
		}
	}
	return out
}

// concrete returns a media type in the range of a documented one.
func concrete(media string) string { return strings.ReplaceAll(media, "*", "x") }

// answer makes an answer. Beside the documented header fields it has those that rules read.
func (j *Judge) answer(status int, media string, body []byte, fields []exchange.Field) *exchange.Exchange {
	r := &exchange.Response{Proto: "HTTP/1.1", Status: status, Body: body, Content: body}
	for _, f := range j.ideal {
		if !slices.ContainsFunc(fields, func(o exchange.Field) bool { return strings.EqualFold(o.Name, f.Name) }) {
			r.Fields = append(r.Fields, f)
		}
	}
	r.Fields = append(r.Fields, fields...)
	if media != "" {
		r.Fields = append(r.Fields, exchange.Field{Name: "Content-Type", Value: media})
	}
	return &exchange.Exchange{Response: r}
}
