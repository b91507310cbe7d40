package diagnose

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// Explainer describes findings for people.
type Explainer struct {
	target *explore.Target
	judge  *judge.Judge
	run    *execute.Run
	// Repeat returns the command that replays a case.
	Repeat func(caseID string) string
}

// New returns an explainer of what a run found.
func NewExplainer(run *execute.Run, repeat func(caseID string) string) *Explainer {
	return &Explainer{target: run.Target, judge: run.Judge, run: run, Repeat: repeat}
}

// Failure describes a finding.
func (e *Explainer) Failure(g *Finding) report.Failure {
	c, f := g.Case, g.Failure
	out := report.Failure{Case: c.ID, Class: c.Class.Slug, Stable: g.Stable, NotTriedAgain: g.NotTriedAgain, Minimal: g.Minimal,
		Expected: e.Own(f.Outcome.Expected), Got: e.Hide(f.Outcome.Got), Replay: e.Repeat(c.ID)}
	sides := sync.OnceValue(func() sides { return e.sides(g) })
	if g.Cause != nil && !(g.Cause.Past && e.distinguished(g, sides)) {
		out.Cause = g.Cause.Sentence
	}
	last := f.Steps[len(f.Steps)-1]
	out.Flaw = e.flaw(g, sides)
	if out.Sent = e.Own(e.sentence(f, strings.HasSuffix(out.Flaw.Kind, "/baseline"))); c.Class.Phase == plan.Scenarios {
		out.Sent = fmt.Sprintf("the last of %d requests about one thing", len(withBefore(f.Steps)))
	}
	for _, p := range inReport(f) {
		out.Steps = append(out.Steps, e.Shown(p, c.ID))
	}
	if len(f.Steps) == 1 || c.Class.Phase == plan.Scenarios {
		out.Story, out.Curl = e.story(f), e.Own(e.script(f))
	}
	if len(f.Steps) == 1 && out.Curl == "" {
		out.Curl = e.Own(e.target.Endpoint.Curl(last.Step.Message))
	}
	out.Suspects = e.suspects(c)
	out.Classes = e.classes(g)
	out.Common = e.Own(cmp.Or(e.shared(g), e.common(g, sides)))
	return out
}

// suspects describes the requests of which one may have ended the target.
func (e *Explainer) suspects(c *plan.Case) (out []string) {
	for _, s := range e.run.Suspects(c) {
		steps := e.target.Plan.Build(s, e.target.Identity(0))
		last := steps[len(steps)-1].Message
		line, _, _ := strings.Cut(string(e.target.Endpoint.Wire(last, s.ID).Head), " HTTP/1.1")
		out = append(out, e.Own(line)+": "+e.Repeat(s.ID))
	}
	return out
}

// stepsShown is how many steps of a sequence a report shows, in addition to the
// last.
const stepsShown = 24

// inReport lists the steps of a failure that a report shows.
func inReport(f *judge.Failure) (out []*judge.Played) {
	for i := range f.Steps {
		if i < stepsShown || i == len(f.Steps)-1 {
			out = append(out, &f.Steps[i])
		}
	}
	return out
}

// Times says when the steps of a finding were sent that Failure shows. The number is that
// of the failure in the report.
func (e *Explainer) Times(g *Finding, number int) (out []report.StepTimes) {
	for i, p := range inReport(g.Failure) {
		if p.Exchange != nil && !p.Exchange.Began.IsZero() {
			out = append(out, report.StepTimes{Failure: number, Step: i + 1, Began: p.Exchange.Began, Took: p.Exchange.Took})
		}
	}
	return out
}

// classes counts the classes in which a requirement failed in one way.
func (e *Explainer) classes(g *Finding) []report.ClassCount {
	judged := map[*plan.Class]int{}
	for c, r := range e.run.Records() {
		if r.State == judge.Tried && (r.Passed.Has(g.At) || r.FailedAt(g.At)) {
			judged[c.Class]++
		}
	}
	var out []report.ClassCount
	at := map[*plan.Class]int{}
	for _, c := range g.Cases() {
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

// sentence describes the last request of a failure by its differences. Where every request of the
// operation fails, it shows the whole request too.
func (e *Explainer) sentence(f *judge.Failure, always bool) string {
	last := &f.Steps[len(f.Steps)-1]
	differences := e.differences(last)
	out := strings.Join(differences, "; ")
	if always || out == "" {
		shown := visible(last.Step.Message.Body())
		if shown == "" && last.Exchange != nil {
			shown, _, _ = strings.Cut(jsontree.Cut(string(last.Exchange.Request.Head), 200), " HTTP/")
		}
		out = strings.Join(append([]string{"the baseline request " + shown}, differences...), ", with ")
	}
	if len(f.Steps) > 1 {
		return fmt.Sprintf("request %d of a sequence: %s", len(f.Steps), out)
	}
	return out
}

// differences lists what a failing request has that the baseline request does not
// have.
func (e *Explainer) differences(last *judge.Played) []string {
	m := last.Step.Message
	var parts []string
	if e.target.Endpoint.Auth(m.Op) != nil && m.Credentials != nil {
		parts = append(parts, e.presents(m.Credentials))
	}
	if m.Other {
		parts = append(parts, "the credential of another principal")
	}
	for _, x := range m.Fields {
		part := x.Name + ": " + x.Value
		if isLongField(x) {
			part = fmt.Sprintf("%s (%d bytes)", jsontree.Cut(part, 60), len(x.Value))
		}
		parts = append(parts, part)
	}
	for _, x := range m.Drop {
		parts = append(parts, "no header "+x)
	}
	if m.PathSpelling != message.PathAsUsual {
		parts = append(parts, pathSpellings[m.PathSpelling])
	}
	if m.Query != "" {
		parts = append(parts, "the query ?"+jsontree.Cut(m.Query, 120))
	}
	if m.Names != nil {
		parts = append(parts, "header names written like "+m.Names("Content-Type"))
	}
	if m.Gap != message.OneBlank {
		parts = append(parts, gaps[m.Gap]+" behind the colons of the header")
	}
	if m.Order != message.UsualOrder {
		parts = append(parts, "field order: "+orders[m.Order])
	}
	if m.Version != "" {
		parts = append(parts, m.Version)
	}
	if m.Rest != message.RestNever {
		parts = append(parts, "a pause: "+strings.ReplaceAll(m.Rest.String(), "-", " "))
	}
	if m.Behind {
		parts = append(parts, "sent in one TCP segment with the request before it")
	}
	if m.Ends {
		parts = append(parts, "the client ends its half of the connection behind the request")
	}
	switch m.Framing {
	case message.HeadPieces:
		parts = append(parts, "the headers in two TCP segments")
	case message.ManyPieces:
		parts = append(parts, "headers and body in many TCP segments")
	case message.Chunked:
		parts = append(parts, "chunked")
	case message.LastChunk:
		parts = append(parts, "chunked, with the last byte of the body in a chunk of its own")
	case message.SplitChunks:
		ends := "each byte in a chunk of its own"
		if bytes.ContainsFunc(m.Body(), func(c rune) bool { return c >= utf8.RuneSelf }) {
			ends = "with chunks that end inside characters"
		}
		parts = append(parts, "chunked, "+ends)
	case message.Pieces:
		parts = append(parts, "headers and body in separate TCP segments, the body in two")
	case message.AsIs:
		if unframed(m) {
			return append(parts, "no Content-Length, and a body behind the header")
		}
		parts = append(parts, "unusual framing")
	case message.Expect:
		parts = append(parts, "Expect: 100-continue")
	}
	return append(parts, bodyDifference(m, last.Sent)...)
}

// unframed reports whether bytes follow a head that does not say so: no server takes them
// for the body.
func unframed(m *message.Message) bool {
	return m.Framing == message.AsIs && len(m.Raw) > 0 && !slices.ContainsFunc(m.Fields, func(f exchange.Field) bool {
		return strings.EqualFold(f.Name, "Content-Length") || strings.EqualFold(f.Name, "Transfer-Encoding")
	})
}

// gaps describes what stands behind the colons of a header.
var pathSpellings = map[message.PathSpelling]string{message.LetterEncoded: "a letter of the path percent-encoded", message.SlashBehind: "a slash after the path",
	message.SlashTwice: "two slashes before the path", message.DotBefore: "/. before the path", message.UpperCase: "the first segment of the path in upper case",
	message.SemicolonBehind: ";x after the path"}

var gaps = map[message.Gap]string{message.NoBlank: "no blank", message.TwoBlanks: "two blanks"}

// orders describes the orders of header fields.
var orders = map[message.Order]string{
	message.CredentialFirst: "the credential first, after Host",
	message.CredentialLast:  "the credential last",
	message.ContentTypeLast: "Content-Type last",
	message.ReverseOrder:    "reversed, after Host",
}

func (e *Explainer) presents(list []message.Presented) string {
	if len(list) == 0 {
		return "no credential"
	}
	var parts []string
	for _, p := range list {
		if show := e.target.Endpoint.Shows(p); p.In == "" {
			parts = append(parts, p.Field+": "+show)
		} else {
			parts = append(parts, p.In+" "+p.Field+"="+show)
		}
	}
	return strings.Join(parts, ", ")
}

// bodyDifference describes how a body differs from the baseline body.
func bodyDifference(m *message.Message, s *message.Sent) []string {
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
			parts = append(parts, "no "+v.Pointer+"/"+v.Name+besides(m, root, v.Pointer))
			continue
		}
		parts = append(parts, place(v.Pointer)+" = "+jsontree.Cut(s.Body.At(v.Pointer).String(), 120))
	}
	for _, p := range s.Body.Unusual {
		if v := s.Body.At(p); v != nil {
			parts = append(parts, place(p)+" = "+jsontree.Cut(v.String(), 120))
		}
	}
	for _, e := range s.Body.Reasons {
		switch v := s.Body.At(e.Path); {
		case slices.Contains(s.Body.Unusual, e.Path) && e.Path != "":
		case e.Path == "" || v == nil:
			parts = append(parts, strings.TrimSpace(e.Path+" "+e.What))
		default:
			parts = append(parts, e.Path+" = "+jsontree.Cut(v.String(), 120)+" ("+e.What+")")
		}
	}
	if s.Body.Respelled {
		written := "written as " + visible(m.Body())
		if n := len(m.Body()); n > 1<<10 {
			written = fmt.Sprintf("a body of %d bytes: %s", n, visible(m.Body()))
		}
		parts = append(parts, written)
	}
	return parts
}

// besides shows what the document does not define at the place where a member is missing: it may be
// there under a wrong name, or their values may be the fault.
func besides(m *message.Message, root *jsontree.Value, pointer string) string {
	at, of, in := sentAt(m, root, pointer), (*schema.Schema)(nil), ""
	switch {
	case parameter(m, pointer):
		of, in = m.Op.Params.Schema.At("/"+pointer), pointer
	case m.Op.Body != nil:
		of = m.Op.Body.Shape.Schema.At(pointer)
	}
	if at == nil || of == nil {
		return ""
	}
	var names []string
	for _, m := range at.Members {
		if of.Property(m.Name) == nil {
			name := in + "/" + jsontree.EscapePointer(m.Name)
			if strings.TrimSpace(m.Name) == "" {
				name = strconv.Quote(m.Name)
			}
			names = append(names, name+" = "+jsontree.Cut(m.Value.String(), 60))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", but " + jsontree.Cut(strings.Join(names, ", "), 120)
}

// sentAt is what a message has at a place, with names that the document does not define.
func sentAt(m *message.Message, body *jsontree.Value, pointer string) *jsontree.Value {
	if parameter(m, pointer) {
		return m.Params.At("/" + pointer)
	}
	return body.At(pointer)
}

// parameter reports whether a place is among the parameters of a message.
func parameter(m *message.Message, pointer string) bool {
	return pointer != "" && pointer[0] != '/' && m.Op.Params != nil
}

func place(pointer string) string {
	if pointer == "" {
		return "body"
	}
	return pointer
}

// visible returns bytes as one line of readable text.
func visible(b []byte) string {
	return jsontree.Cut(exchange.Visible(b), 200)
}

// formatAt returns the format that a text in an answer must have: that of the place of a requirement, or of
// the only alternative there that is a text, if it asks for nothing else.
func formatAt(b *judge.Bound) string {
	s := answerAt(b, b.Args.Key.Path)
	switch {
	case s == nil || len(b.Args.Statuses) == 0:
		return ""
	case b.Args.Key.Keyword == "format":
		return s.Format
	}
	texts := slices.DeleteFunc(slices.Concat(s.AnyOf, s.OneOf), func(a *schema.Schema) bool { return !a.Allows("string") })
	if len(texts) != 1 || texts[0].Pattern != "" || texts[0].MinLength != nil || texts[0].MaxLength != nil || texts[0].Enum != nil {
		return ""
	}
	return texts[0].Format
}
