package report

import "strings"

// Category is what kind of fault a finding is. Its order is that of a report.
type Category string

// The categories, the worst first.
const (
	Crash    Category = "crash"    // 5xx, no answer, a connection that is dropped, a target that dies
	Security Category = "security" // a wrong credential is taken, another's data is shown or changed
	Loss     Category = "loss"     // what is stored changes, vanishes or comes back
	Answer   Category = "answer"   // status, media type, fields or body of an answer
	Refusal  Category = "refusal"  // refuses what the document states
	Leniency Category = "leniency" // takes what the document forbids
	Protocol Category = "protocol" // what RFCs advise
	Guessed  Category = "suspected"
)

// Categories lists the categories, the worst first.
func Categories() []Category {
	return []Category{Crash, Security, Loss, Answer, Refusal, Leniency, Protocol, Guessed}
}

// Tells is what tells the failures of a rule apart, and what their sentence is about.
type Tells string

// The values of Tells. Rules without one are told by what a failure means.
const (
	TellsCredential Tells = "credential" // how a credential is wrong that is taken
	TellsValue      Tells = "value"      // the value that is taken although its schema forbids it
	TellsSyntax     Tells = "syntax"     // where a body is no JSON that is taken
	TellsRequest    Tells = "request"    // the valid request that is refused
	TellsStatus     Tells = "status"     // the status of the answer
	TellsAnswer     Tells = "answer"     // the place in the body of the answer
	TellsField      Tells = "field"      // the header field of the answer whose value is wrong
	TellsMissing    Tells = "missing"    // the header field that the answer lacks
)

// Flaw says of what kind a failure is, whatever the seed and the values that were drawn.
// Failures with one cause have equal flaws.
type Flaw struct {
	Category Category `json:"category"`
	// Rule is the name of the rule that failed.
	Rule string `json:"rule"`
	// Means says what a failure of the rule means, in the words of a maintainer. OnePlace says that
	// one place in a program decides for all operations.
	Means    string `json:"means,omitempty"`
	OnePlace bool   `json:"one_place,omitzero"`
	// Tells is that of the rule. Mild says that many programs do it on purpose.
	Tells Tells `json:"tells,omitempty"`
	Mild  bool  `json:"mild,omitzero"`
	// Kind is what is wrong: for a request what was tried, such as wrong-types/null; for an
	// answer the keyword, or the form that came.
	Kind string `json:"kind,omitempty"`
	// Where is the kind of place: "integer in query", "body".
	Where string `json:"where,omitempty"`
	// Tried is the place of the valid value in a request that makes the target crash.
	Tried string `json:"tried,omitempty"`
	// Component is the schema, parameter or answer that operations share, as a JSON pointer
	// into the document.
	Component string `json:"component,omitempty"`
	// Also are other requirements that state the same clause and fail alike. Alike is how many
	// requirements of this kind, at places of this kind, were judged.
	Also  []string `json:"also,omitempty"`
	Alike int      `json:"alike,omitzero"`
	// Said is the first line of the message in the answer. Words is that without what differs
	// from one request to the next, if anything does.
	Said  string `json:"said,omitempty"`
	Words string `json:"words,omitempty"`
	// At is the place in the answer that is wrong, as a JSON pointer, and Value what stands there.
	At    string `json:"at,omitempty"`
	Value string `json:"value,omitempty"`
}

// field is the beginning of the kind of a flaw that is about one header field of requests, and
// the name of the field; empty for others.
func field(x *Flaw) (kind, name string) {
	if rest, found := strings.CutPrefix(x.Kind, "field/"); found {
		name, _, _ = strings.Cut(rest, "/")
		return "field/" + name, name
	}
	return "", ""
}
