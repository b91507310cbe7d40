// Package requirement holds what is required of a target: requirements derived from
// the document, and the requirements file that gives them their sentences. It defines
// rules: the code that judges requirements of one kind, what it may examine, and what it
// says of one exchange.
package requirement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/yamltree"
	"plantstore/conformance/report"
)

// Requirement is one normative sentence. It is data: the rule named by Rule
// judges it with Args.
type Requirement struct {
	ID       string
	Sentence string
	Level    report.Level
	Clause   Clause
	Rule     string
	Args     Args
	// Evidence is what a requirement of the level Suspected rests on.
	Evidence []report.Evidence
	// Free reports whether the requirement is about one of several answers that the
	// target may choose from, or about the items of a list, which may be empty. If it
	// never chooses this one, there is nothing to judge.
	Free bool
	// Op is the operation that the requirement belongs to. Body is the body that it is
	// about; nil if it is about every request of the operation.
	Op   *openapi.Operation
	Body *openapi.Body
	// Also are the bodies of other alternatives that the same is asked of.
	Also []*openapi.Body
}

// Clause is what a requirement rests on; at least one member is set.
type Clause struct {
	Section string // of the service specification
	Pointer string // JSON pointer into the document
	RFC     string // "RFC 9110, 15.6"
}

// String joins the members as reports show them.
func (c Clause) String() string {
	var parts []string
	if c.Section != "" {
		parts = append(parts, c.Section)
	}
	if c.RFC != "" {
		parts = append(parts, c.RFC)
	}
	switch {
	case strings.Contains(c.Pointer, "#") && c.Pointer[0] != '/':
		parts = append(parts, c.Pointer) // of another file
	case c.Pointer != "":
		parts = append(parts, "#"+c.Pointer)
	}
	return strings.Join(parts, "; ")
}

// Args are the particulars of a rule; which of them a rule reads is in its Doc.
type Args struct {
	// Key is the place, keyword and member of the rules about schemas.
	Key schema.Key
	// Statuses are the documented statuses that a rule about answers covers.
	Statuses []string
	// Media is the documented media type of the answer; empty for any.
	Media string
	// Header is the header field of the answer that a rule is about.
	Header string
	// Kind chooses between the forms of a rule.
	Kind string
	// Scheme is the name of the security scheme that a rule about credentials judges,
	// if the operation has several.
	Scheme string
	// From and To are JSON pointers into the request and the answer.
	From, To string
	// Classes are patterns of class slugs, for open points.
	Classes []string
	// Others are the paths that other requirements of the rule are about. One about the
	// request as a whole takes all that is left.
	Others map[string]bool
	// Beyond are the places and keywords that other requirements of the rule are about. One
	// that has them takes all that is left.
	Beyond []schema.Key
}

// Set is the requirements of one document.
type Set struct {
	// List is in order of derivation, the added ones last.
	List  []*Requirement
	rules []Rule // of which some derived rows
}

// Of returns a set of the same requirements for a contract that theirs was copied to.
func (s *Set) Of(c *openapi.Contract) *Set {
	out, own := &Set{List: make([]*Requirement, len(s.List)), rules: s.rules}, c.Own()
	for i, r := range s.List {
		row := *r
		row.Op, row.Body, row.Also = own(r.Op), bodyOf(r.Op, r.Body, own), nil
		for _, b := range r.Also {
			row.Also = append(row.Also, bodyOf(r.Op, b, own))
		}
		out.List[i] = &row
	}
	return out
}

// bodyOf returns the body that a body of an operation, or of its copies, became.
func bodyOf(op *openapi.Operation, b *openapi.Body, own func(*openapi.Operation) *openapi.Operation) *openapi.Body {
	if b == nil {
		return nil
	}
	for _, row := range op.First().Rows() {
		if row.Body == b {
			return own(row).Body
		}
	}
	return b
}

// Find returns the requirement with that id, or nil.
func (s *Set) Find(id string) *Requirement {
	for _, r := range s.List {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// IDs lists all ids in order.
func (s *Set) IDs() []string {
	out := make([]string, len(s.List))
	for i, r := range s.List {
		out[i] = r.ID
	}
	return out
}

// OfOthers reports whether only requests of another principal test the requirement.
func (r *Requirement) OfOthers() bool { return strings.HasPrefix(r.Rule, "others-") }

// About reports whether the requirement is about the requests of an operation, or of
// its copy for an additional media type.
func (r *Requirement) About(op *openapi.Operation) bool {
	return r.Op == op.First() && (r.Body == nil || r.Body == op.Body || slices.Contains(r.Also, op.Body))
}

// reader is a requirements file being read. The first complaint is kept, later
// ones are dropped, so that readers need not look at each step.
type reader struct {
	name string
	tree *yamltree.Tree
	err  error
}

// refuse complains about the value at a pointer.
func (s *reader) refuse(at, format string, args ...any) {
	line, col := s.tree.Position(at)
	s.complain(line, col, format, args...)
}

func (s *reader) complain(line, col int, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%s:%d:%d: %s", s.name, line, col, fmt.Sprintf(format, args...))
	}
}

// at returns the value at a pointer. A null counts as absent in optional places.
func (s *reader) at(pointer string) *jsontree.Value { return s.tree.Root.At(pointer) }

// object wants a mapping with no other keys than those.
func (s *reader) object(at, what string, keys ...string) bool {
	v := s.at(at)
	if v == nil || v.Kind != jsontree.Object {
		s.refuse(at, "%s is %s: write a mapping with %s", what, kindOf(v), some(keys))
		return false
	}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Name) {
			line, col := s.tree.NamePosition(at + "/" + jsontree.EscapePointer(m.Name))
			s.complain(line, col, "unknown key %s in %s: use one of %s", show(m.Name), what, some(keys))
			return false
		}
	}
	return true
}

// list returns the pointers of the items of a list; absent and null have none.
func (s *reader) list(at string) []string {
	v := s.at(at)
	if v == nil || v.Kind == jsontree.Null {
		return nil
	}
	if v.Kind != jsontree.Array {
		s.refuse(at, "%s is %s: write a list", last(at), kindOf(v))
		return nil
	}
	out := make([]string, len(v.Items))
	for i := range v.Items {
		out[i] = at + "/" + strconv.Itoa(i)
	}
	return out
}

// text returns a text that says something, and whether it is there.
func (s *reader) text(at string) (string, bool) {
	v := s.at(at)
	switch {
	case v == nil:
		return "", false
	case v.Kind != jsontree.String:
		s.refuse(at, "%s is %s: write a string, in quotes if it looks like something else", last(at), kindOf(v))
		return "", false
	case strings.TrimSpace(v.Text) == "":
		s.refuse(at, "%s is empty: write something or remove it", last(at))
		return "", false
	}
	return v.Text, true
}

// sentence is a text with its line breaks made blanks.
func (s *reader) sentence(at string) (string, bool) {
	text, ok := s.text(at)
	return strings.Join(strings.Fields(text), " "), ok
}

// texts returns a list of texts; numbers stand for their spelling.
func (s *reader) texts(at string) []string {
	var out []string
	for _, item := range s.list(at) {
		if v := s.at(item); v.Kind == jsontree.Number {
			out = append(out, v.Text)
		} else if text, ok := s.text(item); ok {
			out = append(out, text)
		}
	}
	return out
}

// last names what a pointer points at: its last key, with the number of an item.
func last(at string) string {
	i := strings.LastIndexByte(at, '/')
	key := at[i+1:]
	if n, err := strconv.Atoi(key); err == nil && i > 0 {
		return fmt.Sprintf("%s, item %d,", last(at[:i]), n+1)
	}
	return key
}

func kindOf(v *jsontree.Value) string {
	if v == nil {
		return "missing"
	}
	return map[jsontree.Kind]string{jsontree.Null: "empty", jsontree.Bool: "a boolean", jsontree.Number: "a number",
		jsontree.String: "a text", jsontree.Array: "a list", jsontree.Object: "a mapping"}[v.Kind]
}

// scalarKeyword is a schema keyword that gives one row where it stands.
type scalarKeyword struct{ name, sentence string }

var scalarKeywords = []scalarKeyword{
	{"format", "%s matches its format"},
	{"enum", "%s is one of the listed values"},
	{"const", "%s is the only allowed value"},
	{"minimum", "%s is at least its minimum"},
	{"maximum", "%s is at most its maximum"},
	{"exclusiveMinimum", "%s is greater than its exclusive minimum"},
	{"exclusiveMaximum", "%s is less than its exclusive maximum"},
	{"multipleOf", "%s is a multiple of its multipleOf"},
	{"minLength", "%s is not too short"},
	{"maxLength", "%s is not too long"},
	{"pattern", "%s matches its pattern"},
	{"minItems", "%s has enough items"},
	{"maxItems", "%s does not have too many items"},
	{"uniqueItems", "%s has no equal items"},
	{"contains", "%s contains the required items"},
	{"minProperties", "%s has enough members"},
	{"maxProperties", "%s does not have too many members"},
	{"additionalProperties", "%s has only the listed members"},
	{"propertyNames", "%s has only member names that match their schema"},
	{"anyOf", "%s matches at least one of its alternatives"},
	{"oneOf", "%s matches exactly one of its alternatives"},
	{"not", "%s does not match the excluded schema"},
}

// On adds a piece of evidence, if there is one. The requirement has its level without it.
func (r *Requirement) On(e *report.Evidence) *Requirement {
	if r != nil && e != nil {
		r.Evidence = []report.Evidence{*e}
	}
	return r
}

// With sets what the rule reads.
func (r *Requirement) With(args Args) *Requirement {
	if r != nil {
		r.Args = args
	}
	return r
}

// As gives the requirement an id of its own.
func (r *Requirement) As(id string) *Requirement {
	if r != nil {
		r.ID = id
	}
	return r
}

// MustIf returns the level of a requirement that is a MUST on a condition, and else a SHOULD.
func MustIf(must bool) report.Level {
	if must {
		return report.Must
	}
	return report.Should
}
