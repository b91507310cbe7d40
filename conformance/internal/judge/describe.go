package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/report"
)

// described is a failure in words. It is mild where one request that differs in
// nothing from the mild one shows it.
type described struct {
	report.Failure
	mild bool
}

// describe confirms a failure with a fresh twin, shrinks it and words it.
func (j *Judge) describe(ctx context.Context, g *group) described {
	c, f := g.simplest()
	stable, untried := j.confirm(ctx, c, g, f)
	minimal := false
	if stable {
		s := j.newShrinker(ctx, c, f)
		s.within(shrinkTime, shrinkTotal)
		minimal = s.run()
		s.own.Close()
		f = &s.best
	}
	out := report.Failure{Case: c.ID, Class: c.Class.Slug, Stable: stable, NotTriedAgain: untried, Minimal: minimal,
		Expected: j.own(f.out.Expected), Got: j.hide(f.out.Got), Replay: j.Repeat(c.ID)}
	last := f.steps[len(f.steps)-1]
	parts := j.differences(&last)
	out.Sent = j.own(sentence(parts, f))
	for i := range f.steps {
		if i >= stepsShown && i < len(f.steps)-1 {
			continue
		}
		out.Steps = append(out.Steps, j.shown(&f.steps[i], c.ID))
	}
	if len(f.steps) == 1 {
		out.Curl = j.own(Curl(j.Endpoint, last.step.Message))
	}
	out.Classes = j.classes(g)
	out.Common = j.own(j.common(g))
	return described{out, len(parts) == 0 && len(f.steps) == 1}
}

// stepsShown is how many steps of a sequence a report holds, beside the last.
const stepsShown = 24

// confirm tries the case again, with other fresh values: a failure that comes
// again is stable. A time-out came twice already. Untried says why there was no
// second try.
func (j *Judge) confirm(ctx context.Context, c *plan.Case, g *group, f *failure) (stable bool, untried string) {
	switch {
	case f.out.Signature == "flaky":
		return false, ""
	case hung(f.steps[len(f.steps)-1].ex):
		return true, "" // where it happened, and alone
	case j.lost.Load():
		return false, lostReason
	}
	own := j.Client.Session()
	defer own.Close()
	id := f.identity
	id.Twin = j.twinOf(c)
	steps := j.Plan.Build(c, id)
	j.completeAll(c, id, steps)
	r := j.insist(ctx, c, id, steps, own, whole)
	switch {
	case r == nil && ctx.Err() != nil:
		return false, endedReason
	case r == nil:
		return false, impatientReason
	}
	for i := range r.failures {
		if r.failures[i].at == g.at || j.bound[r.failures[i].at].rule == j.bound[g.at].rule {
			return true, ""
		}
	}
	for i := range r.weak {
		if r.weak[i].at == g.at {
			return true, ""
		}
	}
	return false, ""
}

// classes counts the classes in which a requirement failed in one way.
func (j *Judge) classes(g *group) []report.ClassCount {
	judged := map[*plan.Class]int{}
	for _, c := range j.Cases {
		r := j.records[c]
		if r != nil && r.state == tried && (r.passed.has(g.at) || failedAt(r, g.at)) {
			judged[c.Class]++
		}
	}
	var out []report.ClassCount
	at := map[*plan.Class]int{}
	for _, c := range g.cases {
		i, ok := at[c.Class]
		if !ok {
			i = len(out)
			at[c.Class] = i
			out = append(out, report.ClassCount{Class: c.Class.Slug, Judged: judged[c.Class]})
		}
		out[i].Failed++
	}
	return out
}

func failedAt(r *record, at int) bool {
	for i := range r.failures {
		if r.failures[i].at == at {
			return true
		}
	}
	return false
}

// sentence words the differences of the last request of a failure.
func sentence(differences []string, f *failure) string {
	out := strings.Join(differences, "; ")
	if out == "" {
		out = "the mild request " + visible(f.steps[len(f.steps)-1].step.Message.Body())
	}
	if len(f.steps) > 1 {
		return fmt.Sprintf("request %d of a sequence: %s", len(f.steps), out)
	}
	return out
}

// differences words what a failing request has that the mild one has not.
func (j *Judge) differences(last *played) []string {
	m := last.step.Message
	var parts []string
	if s := j.Endpoint.Scheme(m.Op); s != nil && m.Credentials != nil {
		parts = append(parts, presented(m.Credentials))
	}
	for _, x := range m.Fields {
		parts = append(parts, jsontree.Cut(x.Name+": "+x.Value, 120))
	}
	for _, x := range m.Drop {
		parts = append(parts, "without "+x)
	}
	if m.Query != "" {
		parts = append(parts, "the query ?"+jsontree.Cut(m.Query, 120))
	}
	if m.Names != nil {
		parts = append(parts, "field names such as "+m.Names("Content-Type"))
	}
	switch m.Framing {
	case request.HeadPieces:
		parts = append(parts, "the head in two pieces")
	case request.Chunked:
		parts = append(parts, "chunked")
	case request.Pieces:
		parts = append(parts, "head and body apart, the body in two pieces")
	case request.Expect:
		parts = append(parts, "Expect: 100-continue")
	}
	return append(parts, bodyDifference(m, last.sent)...)
}

func presented(list []request.Presented) string {
	if len(list) == 0 {
		return "no credential"
	}
	var parts []string
	for _, p := range list {
		parts = append(parts, p.Field+": "+p.Show)
	}
	return strings.Join(parts, ", ")
}

// bodyDifference words what is not mild about a body.
func bodyDifference(m *request.Message, s *request.Sent) []string {
	if s.Body == nil {
		return nil
	}
	var parts []string
	switch {
	case s.Body.Empty:
		return []string{"an empty body"}
	case s.Body.Syntax != nil:
		return []string{"body " + visible(m.Body())}
	}
	root := s.Body.Root()
	for _, v := range s.Body.Violations {
		if v.Keyword == "required" {
			parts = append(parts, "no "+v.Pointer+"/"+v.Name+besides(m.Op, root, v.Pointer))
			continue
		}
		parts = append(parts, place(v.Pointer)+" = "+jsontree.Cut(root.At(v.Pointer).String(), 120))
	}
	for _, p := range s.Body.Unmild {
		if v := root.At(p); v != nil {
			parts = append(parts, place(p)+" = "+jsontree.Cut(v.String(), 120))
		}
	}
	for _, e := range s.Body.Edges {
		if e.Path == "" || !slices.Contains(s.Body.Unmild, e.Path) {
			parts = append(parts, strings.TrimSpace(e.Path+" "+e.What))
		}
	}
	if s.Body.Respelled {
		parts = append(parts, "spelled "+visible(m.Body()))
	}
	return parts
}

// besides names the members of a body that the document does not know, beside
// one that is missing: it may be there under another name.
func besides(op *contract.Operation, root *jsontree.Value, pointer string) string {
	if pointer != "" || root == nil || op.Body == nil {
		return ""
	}
	var names []string
	for _, m := range root.Members {
		if op.Body.Shape.Schema.Property(m.Name) == nil {
			names = append(names, "/"+jsontree.EscapePointer(m.Name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", but " + jsontree.Cut(strings.Join(names, ", "), 120)
}

func place(pointer string) string {
	if pointer == "" {
		return "body"
	}
	return pointer
}

// visible writes bytes so that a line of text shows them.
func visible(b []byte) string {
	return jsontree.Cut(exchange.Visible(b), 200)
}
