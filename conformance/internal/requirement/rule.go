package requirement

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// Rank orders reasons: on one exchange only the most basic failing requirement
// is reported.
type Rank uint8

// The ranks, most basic first.
const (
	Answered Rank = iota
	Framing
	Class
	Status
	MediaType
	JSON
	Schema
	Header
	Echo
	History
	Advice
	Observed
)

// Role is what diagnosis needs to know of a rule: which failures explain which
// others.
type Role uint8

// The roles. A failure of a rule without one explains others, and is explained by
// others, only by its rank.
const (
	NoRole                   Role = iota
	RoleAcceptance                // a valid request is a success
	RoleOmission                  // a member may be left out
	RoleOpen                      // a valid request is a success, whatever values it has
	RoleRefusal                   // a body is refused
	RoleCredentialAcceptance      // a valid credential is accepted in every spelling
	RoleCredentialRefusal         // a wrong credential is no success
	RoleCredentialAnswer          // how the refusal of a credential looks
	RoleEcho                      // an answer repeats what was sent
	RoleBelonging                 // an answer is about its own request
)

// Aspect is what a rule of the rank History looks at in the life of a resource. Diagnosis needs it
// where one fault there explains others.
type Aspect uint8

// The aspects. Most rules need none.
const (
	NoAspect      Aspect = iota
	AspectMade           // what was made can be reached
	AspectDeleted        // what was deleted is not there any more: a request that names it finds nothing
	AspectListed         // what was deleted is in no list
	AspectStored         // reading gives the values that a resource was made with
	AspectChanged        // reading gives the values that a request set or left
)

// Values reports whether a rule is about the values that reading a resource gives.
func (a Aspect) Values() bool { return a == AspectStored || a == AspectChanged }

// Credential reports whether the rule judges how a credential is treated.
func (r Role) Credential() bool {
	return r == RoleCredentialAcceptance || r == RoleCredentialRefusal || r == RoleCredentialAnswer
}

// Accepts reports whether the rule judges that a valid request is accepted.
func (r Role) Accepts() bool {
	return r == RoleAcceptance || r == RoleOmission || r == RoleCredentialAcceptance
}

// ValidRefused reports whether a failure of the rule is the refusal of a valid request, other than for its
// credential.
func (r Role) ValidRefused() bool {
	return r == RoleAcceptance || r == RoleOmission || r == RoleOpen
}

// Rule judges requirements of one kind.
type Rule struct {
	Name string
	Rank Rank
	Role Role
	// Aspect is for rules of the rank History.
	Aspect Aspect
	// ExplainedBy are rules whose failures explain those of this rule at the same operation.
	ExplainedBy []*Rule
	// OfRefusals says that the rule judges only answers that refuse a request.
	OfRefusals bool
	// Category is the usual category of its failures. Means says in a maintainer's words what a failure
	// means; reports put it behind the operation: "POST /resources: a change is not kept".
	Category report.Category
	Means    string
	// OnePlace says that one place in a program decides for all operations: how a missing body, a
	// status or a media type is treated. The failures of all are one finding.
	OnePlace bool
	// Tells is what tells its failures apart. Mild says that many programs do on purpose what fails.
	Tells report.Tells
	Mild  bool
	// Line is the key of the requirements file that makes its requirements, or others in their place,
	// a MUST. It is empty if there is none.
	Line string
	// Doc says what the rule judges and which Args it reads. It is for developers
	// of the suite.
	Doc string
	// Explanation says what the rule checks, and Fix how to fix a server that fails
	// it. Both are for users; see conformance explain.
	Explanation, Fix string
	// Derive returns the requirement of an operation, or nil. It is nil for rules whose requirements
	// are derived from parts of the document, or named by the requirements file.
	Derive func(s *Subject) *Requirement
	// Ideal are header fields that the rule reads, as a faultless server writes them.
	Ideal []exchange.Field
	// Check judges one exchange.
	Check func(p *Input) Outcome
	// AnyPass reports whether one passing exchange is enough: the requirement fails
	// only if every judged exchange fails.
	AnyPass bool
}

// Explains reports whether a failure of the rule explains one of another rule at the same operation.
func (r *Rule) Explains(o *Rule) bool {
	return slices.ContainsFunc(o.ExplainedBy, func(by *Rule) bool { return by.Name == r.Name })
}

// The signatures of surplus bytes: they came together with the answer, or were there
// before the next request was sent.
const (
	Surplus = "surplus"
	Unasked = "unasked"
)

// Outcome is what a rule says of one exchange.
type Outcome struct {
	Verdict report.Verdict
	// Expected and Got are the two halves of the description of a failure. For an
	// open point Got is what was observed.
	Expected, Got string
	// Signature identifies a way of failing. Shrinking keeps it.
	Signature string
	// At is the JSON pointer of what is wrong in the answer, Value what is there as JSON. Found says
	// that both are known: the value of a missing member is empty.
	At, Value string
	Found     bool
	// Members are those of the request that the failure may be about, one a line, if the document
	// leaves that open.
	Members string
}

// The outcomes without a description.
var (
	None   = Outcome{Verdict: report.Inapplicable}
	Passed = Outcome{Verdict: report.Pass}
)

// Failed returns a failing outcome. The signature describes what came, without
// values.
func Failed(signature, expected, got string) Outcome {
	return Outcome{Verdict: report.Fail, Expected: expected, Got: got, Signature: signature}
}

// Input is what a rule may examine: one requirement and one exchange.
type Input struct {
	Requirement *Requirement
	Op          *openapi.Operation
	Exchange    *exchange.Exchange
	Sent        *message.Sent
	Got         *Answer
	// Needs are the optional members that every request to this target must have.
	Needs map[string]bool
	// Refused is the status that every baseline request of the operation was refused with,
	// 0 if one was accepted.
	Refused int
	// Open are the members whose values may be why a valid request was refused: the document lists
	// the status, and does not say that each of their values is accepted.
	Open []string
	// Origin reports which request sent a value at a path of its body.
	Origin func(path, value string) Origin
	// Another reports whether only a request about another resource sent at a path what came in the
	// place of a request's own value. Kind is that of the requirement.
	Another func(path string, own, came *jsontree.Value, kind string) bool
	// Class is the slug of the case's class, Place the path of the member that the
	// class is about, if any.
	Class, Place string
	// History are the requests of the case that were sent before, if it is about one
	// thing. It is nil for other cases.
	History []TraceStep
	// Hide removes credentials from what the target sent; nil changes nothing.
	Hide func(string) string
}

// Unavailable reports whether the answer to a request that may be accepted is a 501 or 503 that the
// document lists: the operation cannot be tried now, and the request has no part in that.
func (p *Input) Unavailable() bool {
	if p.Got == nil || p.Sent.Expectation().Refuses() || p.Sent.Expectation() == message.RefuseCredential {
		return false
	}
	return (p.Got.Status == http.StatusNotImplemented || p.Got.Status == http.StatusServiceUnavailable) && p.Op.Lists(p.Got.Status) != nil
}

// Shorten shortens a text of the target to n bytes. Secrets are removed first.
func (p *Input) Shorten(s string, n int) string {
	if p.Hide != nil {
		s = p.Hide(s)
	}
	return jsontree.Cut(s, n)
}

// Origin says which request sent a value of an answer.
type Origin uint8

// The origins. A value has one only if a single request sent it.
const (
	NoOrigin     Origin = iota // no request, or several
	OwnRequest                 // this very request
	SameResource               // another one with the same numbers, perhaps of the same resource
	OtherRequest               // another one
)

// Validate returns an error for a bad catalogue of rules: an entry without a part,
// a name that is not a slug, a text that is not sentences on one line, or a name
// listed twice.
func Validate(rules []Rule) error {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case !name.MatchString(r.Name):
			return fmt.Errorf("rule %q: the name is not lower-case words joined by dashes", r.Name)
		case !sentences(r.Doc):
			return fmt.Errorf("rule %s: Doc is not sentences on one line", r.Name)
		case !sentences(r.Explanation):
			return fmt.Errorf("rule %s: Explanation is not sentences on one line", r.Name)
		case r.Means == "" || !slices.Contains(report.Categories(), r.Category):
			return fmt.Errorf("rule %s: Category and Means do not say what a failure means", r.Name)
		case r.Check == nil:
			return fmt.Errorf("rule %s checks nothing", r.Name)
		case r.Rank < Observed && !sentences(r.Fix):
			return fmt.Errorf("rule %s: Fix is not sentences on one line", r.Name)
		case seen[r.Name]:
			return fmt.Errorf("rule %s is listed twice", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// sentences reports whether a text is one line that ends like a sentence.
func sentences(text string) bool {
	return strings.HasSuffix(text, ".") && !strings.ContainsAny(text, "\r\n")
}

// Subject is what a rule derives a requirement from. The requirement needs no id if that is the
// name of the rule behind the operation, and no operation.
type Subject struct {
	Contract *openapi.Contract
	Op       *openapi.Operation
	// Resource is one of the document, for rules of the rank History. One without operations
	// stands for the operation by itself.
	Resource *resource.Resource
	// Resources are those of the document.
	Resources []*resource.Resource
}

// Row returns a requirement of a level.
func (s *Subject) Row(level report.Level, pointer, rfc, sentence string, values ...any) *Requirement {
	return &Requirement{Level: level, Clause: Clause{Pointer: pointer, RFC: rfc}, Sentence: fmt.Sprintf(sentence, values...)}
}

// Should returns a requirement that rests on an RFC alone.
func (s *Subject) Should(rfc, sentence string, values ...any) *Requirement {
	return s.Row(report.Should, "", rfc, sentence, values...)
}

// Suspect returns a requirement that rests on evidence alone: a sentence, or a name. The evidence is
// nil if only the requirements file asks for the requirement.
func (s *Subject) Suspect(e *report.Evidence, sentence string, values ...any) *Requirement {
	at := s.Op.Pointer
	if e != nil {
		at = e.Place
	}
	return s.Row(report.Suspected, at, "", sentence, values...).On(e)
}

// Missing returns a requirement about a resource that is not there. It is a MUST if the document lists
// 404 or 410, and otherwise a SHOULD. About a part of a resource it is a SHOULD if the document lists
// one of them, and otherwise nil.
func (s *Subject) Missing(whole bool, rfc, sentence string, values ...any) *Requirement {
	for _, status := range []int{http.StatusGone, http.StatusNotFound} {
		if listed := s.Op.Lists(status); listed != nil {
			return s.Row(MustIf(whole), listed.Pointer, rfc, sentence, values...)
		}
	}
	if !whole {
		return nil
	}
	return s.Should(rfc, sentence, values...)
}

// ReadLists returns the documented answer of a status, if the operation reads the resource and lists
// one.
func (s *Subject) ReadLists(status int) *openapi.Response {
	if s.Op != s.Resource.Read {
		return nil
	}
	return s.Op.Lists(status)
}

// Readable returns where the document says that what an operation made can be read by this one: a
// link, or the Location of the answer. It is empty if it does not say so.
func (s *Subject) Readable(by *openapi.Operation) string {
	return cmp.Or(locationOf(by), linkFrom(by, s.Op))
}

// Secret returns a requirement about what is writeOnly in the bodies of operations, with a sentence
// that says that it never comes back.
func (s *Subject) Secret(sentence string, takes ...*openapi.Operation) *Requirement {
	out := s.Should("OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", "%s", sentence)
	for _, op := range takes {
		out.On(s.Contract.KeepsSecrets(op))
	}
	return out
}

// Adder returns the POST that adds items to the list that the operation reads, where no single item
// can be read: below the resource, or at the top level.
func (s *Subject) Adder() *openapi.Operation {
	switch {
	case s.Resource.Make == nil:
		return resource.Adder(s.Contract.Operations, s.Op)
	case s.Resource.IsPart(s.Op):
		return s.Resource.Adder(s.Op)
	}
	return nil
}

// Setter returns the PUT of what the operation reads at a fixed path, or nil.
func (s *Subject) Setter() *openapi.Operation {
	if s.Resource.Make != nil {
		return nil
	}
	return resource.Setter(s.Contract.Operations, s.Op)
}

// linkFrom returns where the document says that an answer names what another operation is
// about. It is empty if no link says so.
func linkFrom(from, op *openapi.Operation) string {
	for _, o := range op.Origins {
		if o.From == from && o.Link != "" && strings.HasPrefix(o.Place, "path/") {
			return o.Link
		}
	}
	return ""
}

// locationOf returns where the document says that an answer has the Location of what was
// made. It is empty if it does not say so.
func locationOf(op *openapi.Operation) string {
	for _, r := range op.Documented(2) {
		for _, h := range r.Headers {
			if hints.Flat(h.Name) == "location" {
				return h.Pointer
			}
		}
	}
	return ""
}
