package diagnose

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// flaw says of what kind a finding is, whatever the seed and the values that were drawn.
func (e *Explainer) flaw(g *Finding, sides func() sides) report.Flaw {
	b, f := &e.judge.Bound[g.At], g.Failure
	p := f.Shows()
	out := report.Flaw{Category: Category(b, f), Rule: b.Rule.Name, Means: b.Rule.Means, OnePlace: b.Rule.OnePlace, Tells: b.Rule.Tells, Mild: b.Rule.Mild, Component: component(b)}
	kind, where, tried := unusual(b, g.Case, p)
	switch out.Category {
	case report.Crash:
		out.Kind, out.Where, out.Tried, out.Unrefused = form(p)+"/"+kind, where, tried, e.unrefused(g, tried, sides)
		if len(e.run.Suspects(g.Case)) > 1 {
			out.Kind, out.Where, out.Tried = form(p)+"/"+report.OneOfSeveral, "", "" // nobody knows which one
		}
		if n := g.group.longFields(); kind == longHeader && n > 1 {
			out.Where = fmt.Sprintf("any of %d header fields in header", n)
		}
		if how := nowAndThen(g, form(p), kind); how != "" {
			out.Kind, out.Where, out.Tried = form(p)+"/"+how, "", ""
		}
	case report.Security, report.Refusal, report.Leniency:
		out.Kind, out.Where = kind, where
		if kind == "required" && !slices.ContainsFunc(g.group.cases, func(c *plan.Case) bool { return !respelled(b, g.group.failures[c]) }) {
			out.Kind += "/letters" // one reader of names, whereas others ask for no member
		}
	case report.Guessed:
		out.Kind = b.Args.Kind
	default:
		out.Kind = e.Hide(f.Outcome.Signature)
		if b.Rule.Rank == requirement.Framing {
			out.Kind = misread(out.Kind, f.Step > 0)
		}
		if b.Args.Key.Keyword != "" || b.Args.Header != "" {
			out.Where = kindOf(b)
		}
		if name := formatAt(b); name != "" && (out.Kind == "format string" || out.Kind == "anyOf string" || out.Kind == "oneOf string") {
			out.Kind = "format/" + name + " string"
		}
	}
	if out.Tells == report.TellsSyntax && slices.ContainsFunc(g.group.cases, g.group.isInside) {
		out.Kind = "syntax/inside" // a parser that takes these bytes may take them behind a text too
	}
	for _, at := range g.Also {
		out.Also = append(out.Also, e.judge.Bound[at].ID)
	}
	out.Said, out.At, out.Value = e.words(g)
	if words := requirement.Words(out.Said, p.Sent); words != out.Said {
		out.Words = words
	}
	return out
}

// misread returns what is wrong with the framing of an answer, by how it was read: surplus bytes are
// read before the next answer of a connection, or as that answer.
func misread(as string, later bool) string {
	if as == requirement.Unasked || as == exchange.Malformed.String() && later {
		return requirement.Surplus
	}
	return as
}

// respelled reports whether the member that a request lacks is there under a name in another case of letters.
func respelled(b *judge.Bound, f *judge.Failure) bool {
	r := f.Shows().Sent.Body
	return r != nil && slices.ContainsFunc(r.Violations, func(v schema.Violation) bool {
		x := sentAt(f.Shows().Step.Message, r.Root(), v.Pointer)
		return v.Of(b.Args.Key) && x != nil && slices.ContainsFunc(x.Members, func(m jsontree.Member) bool { return strings.EqualFold(m.Name, v.Name) })
	})
}

// isInside reports whether a case failed with a body that is no JSON before its end.
func (g *group) isInside(c *plan.Case) bool {
	r := g.failures[c].Shows().Sent.Body
	return r != nil && syntax(r) == "syntax/inside"
}

// Category is that of a failure: a request without an answer, or with a 5xx that the document
// does not describe, is a crash whatever was expected.
func Category(b *judge.Bound, f *judge.Failure) report.Category {
	p := f.Shows()
	usual := b.Rule.Category
	switch {
	case b.Level == report.Suspected:
		return report.Guessed
	case p.Answer == nil && b.Rule.Rank != requirement.Framing && b.Rule.Rank != requirement.Advice,
		p.Answer != nil && p.Answer.Status/100 == 5 && (b.Rule.Rank <= requirement.Status || b.Rule.Rank == requirement.History):
		return report.Crash
	case usual == report.Security, usual == report.Loss:
		return usual
	case b.Level != report.Must:
		return report.Protocol
	case usual == "":
		return report.Answer
	}
	return usual
}

// form is the status of an answer, or what came instead.
func form(p *judge.Played) string {
	switch {
	case p.Answer != nil:
		return strings.Fields(p.Answer.String())[0]
	case p.Exchange != nil && p.Exchange.Failure != nil:
		return p.Exchange.Failure.Kind.String()
	}
	return "no answer"
}

// unusual says what is unusual about a request, and at what kind of place: what it violates, or
// else the header field, the credential or the kind of value that it tries, and where that stands.
func unusual(b *judge.Bound, c *plan.Case, p *judge.Played) (kind, where, tried string) {
	s, m := p.Sent, p.Step.Message
	if s == nil || m == nil || c.Class.Phase == plan.Scenarios {
		return c.Class.Mutator, "", ""
	}
	r := s.Body
	switch {
	case b.Rule.Role.Credential() || s.Credential == message.CredentialAbsent || s.Credential == message.CredentialScheme || s.Credential == message.CredentialToken:
		return "credential/" + credential(b, s), "", ""
	case r != nil && r.Empty && m.Op.Body != nil && (m.Op.Body.Required || r.Kind == schema.NotJSON || r.Syntax != nil):
		return "empty", "body", ""
	case r != nil && r.Odd() && b.Rule.Rank == requirement.Answered:
		return "syntax/odd", "body", "" // a parser fails, whatever the text says
	}
	if kind, where, tried = long(p); kind != "" && b.Rule.Rank == requirement.Answered {
		return kind, where, tried
	}
	switch {
	case r != nil && r.Syntax != nil:
		return syntax(r), "body", ""
	case r != nil && len(r.Violations) > 0:
		kind, where = violated(b, m.Op, r)
		return kind, where, ""
	case len(m.Fields) > 0 && (c.Class.Family != plan.FamilyMayRefuse || r == nil || len(r.Reasons) == 0): // else the value is what is tried
		return fieldKind + http.CanonicalHeaderKey(m.Fields[0].Name), "", ""
	case len(s.Transport) > 0 || m.Query != "":
		return "sent/" + c.Class.Mutator, "", ""
	case r != nil && len(r.Unusual) > 0:
		return "value/" + c.Class.Mutator + "/" + c.Class.Kind, kindOfPlace(m.Op, r.Unusual[0]), r.Unusual[0]
	case r != nil && len(r.Reasons) > 0:
		return "value/" + r.Reasons[0].What, kindOfPlace(m.Op, r.Reasons[0].Path), r.Reasons[0].Path
	case b.Rule.Role == requirement.RoleOmission:
		return "without", kindOfPlace(m.Op, b.Args.Key.Path), ""
	case r != nil && r.Respelled:
		return "spelling/" + c.Class.Mutator, "body", ""
	}
	return "baseline", "", ""
}

// fieldKind begins the kind of what is about one header field: a program looks at it in one place.
const fieldKind = "field/"

// syntax says where a body is no JSON: behind a whole text, or inside.
func syntax(r *schema.Reading) string {
	if e, ok := errors.AsType[*jsontree.SyntaxError](r.Syntax); ok && e.Behind {
		return "syntax/behind"
	}
	return "syntax/inside"
}

// credential is how a wrong credential is wrong.
func credential(b *judge.Bound, s *message.Sent) string {
	switch {
	case b.Rule.Role == requirement.RoleCredentialRefusal && b.Args.Kind != "":
		return b.Args.Kind
	case s.Credential == message.CredentialAbsent:
		return "absent"
	case s.Credential == message.CredentialScheme:
		return "scheme"
	case s.Credential == message.CredentialToken:
		return "token"
	}
	return "valid"
}

// violated says which keyword a request violates, the one of the requirement first, and what
// its value is like if it has another type.
func violated(b *judge.Bound, op *openapi.Operation, r *schema.Reading) (kind, where string) {
	at := max(0, slices.IndexFunc(r.Violations, func(v schema.Violation) bool { return v.Of(b.Args.Key) }))
	v := &r.Violations[at]
	kind, where = v.Keyword, kindOfPlace(op, v.Path)
	if part, name, _ := strings.Cut(v.Path, "/"); part == "header" {
		return fieldKind + http.CanonicalHeaderKey(cmp.Or(name, v.Name)) + "/" + kind, where
	}
	switch v.Keyword {
	case "type", "anyOf", "oneOf":
		s, x := documentedAt(op, v.Path), r.At(v.Pointer)
		if x != nil && v.Keyword != "type" && !ofNone(typesOf(s), x) {
			if s, x = wrongMember(s, x); x != nil {
				_, part, _ := strings.Cut(where, " in ")
				where = typed(s) + " in " + part
			}
		}
		if x != nil {
			kind = "type/" + likeness(typesOf(s), x)
		}
	case "format":
		if s := documentedAt(op, v.Path); s != nil && s.Format != "" {
			kind += "/" + s.Format
		}
	}
	return kind, where
}

// wrongMember returns the member for whose type alone alternatives refuse an object, and its schema, or
// nil: only one alternative is an object.
func wrongMember(s *schema.Schema, v *jsontree.Value) (*schema.Schema, *jsontree.Value) {
	if s == nil || v.Kind != jsontree.Object {
		return nil, nil
	}
	objects := slices.DeleteFunc(slices.Concat(s.AnyOf, s.OneOf), func(a *schema.Schema) bool { return !slices.Contains(typesOf(a), "object") })
	if len(objects) != 1 {
		return nil, nil
	}
	for _, m := range v.Members {
		if p := objects[0].Property(m.Name); p != nil && ofNone(typesOf(p.Schema), m.Value) {
			return p.Schema, m.Value
		}
	}
	return nil, nil
}

// ofNone reports whether a value has none of the documented types: alternatives are then refused
// for its type alone.
func ofNone(documented []string, v *jsontree.Value) bool {
	return len(documented) > 0 && !slices.ContainsFunc(documented, func(t string) bool {
		return t == v.Kind.String() || t == "integer" && v.Kind == jsontree.Number && jsontree.IsInteger(v.Text)
	})
}

// likeness classifies a value that has none of the documented types: null, a value that a program may
// convert, a number with a fraction, or a value of another structure.
func likeness(documented []string, v *jsontree.Value) string {
	plain := slices.ContainsFunc(documented, func(t string) bool { return t != "array" && t != "object" && t != "null" })
	switch {
	case v.Kind == jsontree.Null:
		return "null"
	case v.Kind == jsontree.Number && slices.Contains(documented, "integer"):
		return "fraction"
	case (v.Kind == jsontree.String || v.Kind == jsontree.Number || v.Kind == jsontree.Bool) && plain:
		return "converted"
	}
	return "structure"
}

// kindOfPlace is the documented type at a path of a request, and the part of the request:
// "integer in query".
func kindOfPlace(op *openapi.Operation, path string) string {
	part := "body"
	if path != "" && !strings.HasPrefix(path, "/") {
		part, _, _ = strings.Cut(path, "/")
	}
	return typed(documentedAt(op, path)) + " in " + part
}

// kindOf is the kind of place that a requirement is about.
func kindOf(b *judge.Bound) string {
	switch {
	case b.Args.Header != "":
		return b.Args.Header
	case len(b.Args.Statuses) > 0:
		return typed(answerAt(b, b.Args.Key.Path)) + " in answer"
	case b.Op == nil:
		return ""
	}
	return kindOfPlace(b.Op, b.Args.Key.Path)
}

// typed names the documented types of a value, null apart.
func typed(s *schema.Schema) string {
	types := slices.DeleteFunc(typesOf(s), func(t string) bool { return t == "null" })
	return cmp.Or(strings.Join(types, " or "), "value")
}

// typesOf are the types that a schema names, or else those of its alternatives; nil if it allows any.
func typesOf(s *schema.Schema) (out []string) {
	switch {
	case s == nil:
		return nil
	case len(s.Types) > 0:
		return slices.Clone(s.Types)
	case s.Type() != "":
		return []string{s.Type()}
	}
	for _, alternative := range slices.Concat(s.AnyOf, s.OneOf) {
		types := typesOf(alternative)
		if len(types) == 0 {
			return nil
		}
		for _, t := range types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// placedKind is a kind of requirement, and the kind of place that it is about.
type placedKind struct {
	rule                 *requirement.Rule
	keyword, kind, where string
}

func kindAt(b *judge.Bound, where string) placedKind {
	return placedKind{b.Rule, b.Args.Key.Keyword, b.Args.Kind, where}
}

// judgedByKind counts the requirements that were judged: those of each kind, and those of each kind
// about each kind of place. It counts nothing if nothing failed.
func (d *Diagnosis) judgedByKind(failures map[int][]report.Failure) map[placedKind]int {
	n := map[placedKind]int{}
	for i := range d.judge.Bound {
		if len(failures) == 0 || d.tallies[i].judged == 0 {
			continue
		}
		b := &d.judge.Bound[i]
		n[kindAt(b, "")]++
		if where := kindOf(b); where != "" {
			n[kindAt(b, where)]++
		}
	}
	return n
}

// documentedAt is the schema at a path of a request, or nil.
func documentedAt(op *openapi.Operation, path string) *schema.Schema {
	path = strings.ReplaceAll(path, "/*", "/0")
	switch {
	case path != "" && !strings.HasPrefix(path, "/"):
		if op.Params == nil {
			return nil
		}
		return op.Params.Schema.At("/" + path)
	case op.Body == nil || op.Body.Shape == nil:
		return nil
	}
	return op.Body.Shape.Schema.At(path)
}

// answerAt is the schema at a path of an answer that a requirement is about, or nil.
func answerAt(b *judge.Bound, path string) *schema.Schema {
	if b.Op == nil {
		return nil
	}
	for _, r := range b.Op.Responses {
		for i := range r.Media {
			m := &r.Media[i]
			if m.Shape != nil && slices.Contains(b.Args.Statuses, r.Status) && (b.Args.Media == "" || b.Args.Media == m.Type) {
				return m.Shape.Schema.At(strings.ReplaceAll(path, "/*", "/0"))
			}
		}
	}
	return nil
}

// component identifies what operations may share: the component of the document that states the
// requirement, or, where equal objects are written out at each operation, a digest of the members.
func component(b *judge.Bound) string {
	key := b.Args.Key
	if strings.HasPrefix(b.Clause.Pointer, "/components/") || key.Path == "" || b.Op == nil {
		return b.Clause.Pointer
	}
	at := strings.LastIndexByte(key.Path, '/')
	parent, name := key.Path[:max(at, 0)], key.Path[at+1:]
	s := documentedAt(b.Op, parent)
	if len(b.Args.Statuses) > 0 {
		s = answerAt(b, parent)
	}
	if s == nil || len(s.Properties) < 2 {
		return b.Clause.Pointer
	}
	sum := sha256.New()
	for _, p := range s.Properties {
		sum.Write([]byte(p.Name + ":" + p.Schema.Type() + ":" + p.Schema.Format + "\n"))
	}
	return strings.Join([]string{"like", hex.EncodeToString(sum.Sum(nil)[:4]), name, key.Keyword, key.Name}, "/")
}
