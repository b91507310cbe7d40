package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

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
	// Unrefused are the places of a crashing request at which the operation refused no wrong value,
	// and [Anywhere] if it refused none at any place.
	Unrefused []string `json:"unrefused,omitempty"`
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

// like returns the key that failures of one kind share.
func like(f *failing) string {
	x := f.flaw()
	if f.category() == Protocol && x.OnePlace {
		return x.Rule // whatever the status: the document lacks them all
	}
	kind := x.Kind
	if form, _, found := strings.Cut(kind, "/syntax/"); found {
		kind = form + "/syntax" // a parser that fails
	}
	if field, name := field(x); name != "" && f.category() != Crash {
		kind = field // whatever of it was tried
	}
	return strings.Join([]string{string(f.category()), x.Rule, kind, part(x)}, "|")
}

// part is the part of the message where a flaw is, without the documented type.
func part(x *Flaw) string {
	if _, in, found := strings.Cut(x.Where, " in "); found {
		return in
	}
	return x.Where
}

// everywhere says which kinds of failures are at most places of their kind, or at many: then
// one place in a program makes them.
func (m *merger) everywhere() map[string]bool {
	seen, alike, count := map[string]bool{}, map[string]int{}, map[string]int{}
	judged, served := map[[2]string]int{}, len(m.served())
	for _, f := range m.list {
		x, key := f.flaw(), like(f)
		places := append([]string{f.result.Requirement}, x.Also...)
		if at := [2]string{key, x.Where}; f.category() == Crash {
			places, alike[key] = []string{f.result.Operation}, served
		} else {
			alike[key] += max(0, x.Alike-judged[at])
			judged[at] = max(judged[at], x.Alike)
		}
		for _, id := range places {
			if !seen[key+"|"+id] {
				seen[key+"|"+id] = true
				count[key]++
			}
		}
	}
	out := map[string]bool{}
	for key, n := range count {
		out[key] = n > 2 || n > 1 && 2*n >= alike[key]
	}
	return out
}

// broken has the words of crashes that ordinary requests of many operations meet: something that
// serves all requests is broken. Words that only a few meet may be the server's words for any crash,
// and so may those that mostly meet operations whose ordinary requests are answered. Behind words and
// a bar it has each operation whose ordinary requests meet them: there they need nothing unusual.
// A server that has other words for most crashes tells them apart itself.
func (m *merger) broken() map[string]bool {
	const many, several = 3, 4
	always, ever, all := map[string]map[string]bool{}, map[string]map[string]bool{}, m.served()
	met, total := map[string]int{}, 0
	for _, f := range m.list {
		x := f.flaw()
		if f.category() != Crash || !telling(phrase(x)) {
			continue
		}
		meets(ever, phrase(x), f.result.Operation)
		met[phrase(x)]++
		total++
		if ordinary(x) {
			meets(always, phrase(x), f.result.Operation)
		}
	}
	out := map[string]bool{}
	for words, operations := range always {
		apart := len(ever) >= several && 2*met[words] <= total
		out[words] = (apart || len(operations) >= many || 2*len(operations) >= len(all)) && 2*len(operations) >= len(ever[words])
		for operation := range operations {
			out[words+"|"+operation] = true
		}
	}
	return out
}

// meets notes that an operation answers with words.
func meets(of map[string]map[string]bool, words, operation string) {
	if of[words] == nil {
		of[words] = map[string]bool{}
	}
	of[words][operation] = true
}

// served are the operations of the results.
func (m *merger) served() map[string]bool {
	out := map[string]bool{}
	for _, operation := range m.operations {
		out[operation] = true
	}
	return out
}

// evidence returns the keys of a failure. Failures that share a key have one cause.
func evidence(f *failing, everywhere, broken map[string]bool) []string {
	x, c := f.flaw(), f.category()
	kind, place := identity(f)
	own, all := kind+"|"+place, like(f)
	switch {
	case x.Rule == "":
		return []string{kind}
	case c == Crash && broken[phrase(x)]:
		return []string{kind}
	case c == Crash && x.Tried != "" && broken[phrase(x)+"|"+f.result.Operation]:
		return []string{kind + "|" + f.result.Operation} // as ordinary requests are answered there
	case c == Crash && x.Tried != "":
		alike := strings.Join([]string{all, x.Where, phrase(x)}, "|")
		// The same words at one place, or for one kind of value at one kind of place.
		keys := []string{alike, strings.Join([]string{string(c), f.result.Operation, x.Tried, formOf(x), phrase(x)}, "|")}
		if !telling(phrase(x)) && !everywhere[all] {
			keys[0] += "|" + f.result.Operation
			keys = append(keys, alike+"|"+x.Tried) // one member, of a thing that several operations write
		}
		return keys
	case c == Guessed && telling(phrase(x)):
		return []string{own, all + "|" + phrase(x)} // one rule, whatever operation it refuses
	case c == Crash && telling(phrase(x)) && requestOf(x) == "sent":
		return []string{own, kind + "|sent"} // one reader of heads, whatever is unusual about them
	case c == Crash && (telling(phrase(x)) || ordinary(x)), c == Guessed:
		return []string{own}
	case c == Protocol && x.OnePlace, x.Tells == TellsCredential:
		return []string{all}
	case c == Refusal && telling(phrase(x)):
		return []string{kind, all + "|" + cmp.Or(x.Component, f.result.Requirement)}
	case x.Tells == TellsAnswer && !strings.HasPrefix(x.Kind, "type null"):
		return []string{own}
	case everywhere[all] || alwaysOne(x):
		return []string{all}
	}
	return []string{own}
}

// identity returns the kind of fault that a failure shows, and its place, which tells it from others
// of the kind. They depend on this failure alone, and on no value of a request: the id of a finding
// is made of them, and stays if failures are added, or vanish.
func identity(f *failing) (kind, place string) {
	x, c := f.flaw(), f.category()
	all := like(f)
	switch {
	case x.Rule == "":
		return f.result.Requirement, ""
	case c == Crash && telling(phrase(x)) && ordinary(x):
		return "crash|" + phrase(x), f.result.Operation
	case c == Crash && telling(phrase(x)):
		return "crash|" + phrase(x), all
	case c == Crash && x.Tried != "": // whatever the kind of text
		return strings.Join([]string{string(c), x.Rule, formOf(x), part(x)}, "|"), f.result.Operation + "|" + x.Tried
	case c == Crash, c == Guessed:
		return all, f.result.Operation
	case c == Refusal && telling(phrase(x)):
		return strings.Join([]string{string(c), x.Rule, phrase(x)}, "|"), all + "|" + cmp.Or(x.Component, f.result.Requirement)
	case c == Protocol && x.OnePlace:
		return all, ""
	case convertible(f):
		return family(f), x.Kind
	case alwaysOne(x):
		return all, ""
	}
	return all, cmp.Or(x.Component, f.result.Requirement)
}

// ids returns the id of the kind of fault that a failure shows, and the id that also names its place.
func ids(f *failing) (kind, full string) {
	k, place := identity(f)
	kind = digest(k, 4)
	if kind[0] <= '9' {
		kind = string(kind[0]-'0'+'g') + kind[1:] // for readers of YAML it must not be a number
	}
	if place == "" {
		return kind, kind
	}
	return kind, kind + "-" + digest(place, 3)
}

// idOf is the id of failures with one cause: the kind of fault, with its place if they share that.
func idOf(group []*failing) string {
	_, id := ids(group[0])
	for _, f := range group[1:] {
		kind, full := ids(f)
		was, _, _ := strings.Cut(id, "-")
		switch {
		case kind < was:
			id = full // kinds that were joined have the id of one of them
		case kind == was && full != id:
			id = kind
		}
	}
	return id
}

// Kin reports whether two ids are about one fault: they are equal, or one is that of the kind, of
// which the other is at one place. The places of a fault may be one finding in one run, and one
// each in another.
func Kin(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"-") || strings.HasPrefix(b, a+"-")
}

func digest(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// phrase is what the answer says, without what differs from one request to the next.
func phrase(x *Flaw) string { return cmp.Or(x.Words, x.Said) }

// formOf is the form of the answer to a crash: its status, or what came instead.
func formOf(x *Flaw) string {
	form, _, _ := strings.Cut(x.Kind, "/")
	return form
}

// requestOf is the kind of request that ends in a crash, without what it is about.
func requestOf(x *Flaw) string {
	_, request, _ := strings.Cut(x.Kind, "/")
	request, _, _ = strings.Cut(request, "/")
	return request
}

// ordinary reports whether a request with nothing unusual fails.
func ordinary(x *Flaw) bool { return strings.HasSuffix(x.Kind, "/baseline") }

// NowAndThen is the kind of a request that gets a server error, but a proper answer if it is sent
// again alone; with "/untried", nobody did so.
// OneOfSeveral is the kind of a request that was under way with others when the target ended: any of
// them may be the cause.
const (
	NowAndThen   = "now-and-then"
	OneOfSeveral = "one-of-several"
)

// alwaysOne reports whether one place in a program decides about all requests.
func alwaysOne(x *Flaw) bool {
	if x.Category == Crash {
		// A header field, a credential, the size and the syntax are looked at before any operation is.
		return slices.Contains([]string{"field", "long-field", "long-body", "credential", "syntax", NowAndThen}, requestOf(x))
	}
	// So does the reader of objects about names in other letters, and about members that are not listed.
	return x.OnePlace || x.Kind == "required/letters" || strings.HasPrefix(x.Kind, "type/") || strings.HasPrefix(x.Kind, "field/") || x.Kind == "additionalProperties" || x.Kind == "unevaluatedProperties"
}

// telling reports whether words say more than the status of an answer does.
func telling(said string) bool {
	switch strings.ToLower(strings.Trim(said, " .!…")) {
	case "", "error", "exception", "failed", "failure", "internal server error", "internal error", "server error", "bad request", "invalid request", "not found", "unauthorized",
		"forbidden", "conflict", "unprocessable entity", "unprocessable content", "validation failed", "validation error", "unknown error", "something went wrong":
		return false
	}
	return true
}
