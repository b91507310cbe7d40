package checks

import (
	"math/big"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// short reports whether a key is one that something else may have by chance.
func short(key *jsontree.Value) bool {
	const minimum = 8
	return utf8.RuneCountInString(key.Text) < minimum
}

// missedRead returns the last request that read the resource which a PUT names, if it did not find
// it. It is nil if there is none, and if the key may be in use by chance.
func missedRead(p *requirement.Input) *requirement.TraceStep {
	key, read := keySent(p.Op, p.Sent), p.Last(http.MethodGet)
	if key == nil || short(key) || read == nil || read.Got == nil || !read.Got.Missing() {
		return nil
	}
	if asked := keySent(read.Op, read.Sent); asked == nil || asked.Text != key.Text {
		return nil
	}
	return read
}

// keyName returns the name of the last expression of a path, or an empty text.
func keyName(op *openapi.Operation) string {
	names := openapi.Expressions(op.Path)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1]
}

// keySent returns the value of the last expression of a path, as it was sent, or nil.
func keySent(op *openapi.Operation, sent *message.Sent) *jsontree.Value {
	name := keyName(op)
	if name == "" {
		return nil
	}
	return sent.Body.At(openapi.PathPlace(name))
}

// like is a way to make a key that is like one that an answer gave.
type keyLike struct {
	name string
	// fits reports whether keys of a schema can be changed in this way.
	fits func(s *schema.Schema) bool
	// of returns the other key. It is empty, or the same, for a key that cannot be changed in
	// this way.
	of func(key string) string
	// invalid says that only a key which the schema does not allow shows a fault.
	invalid bool
	// writes says that operations that change resources are tried in this way too.
	writes bool
}

// likes lists the ways. Left out is what some servers rightly take for the same key: blanks
// and line ends around it, +5, 05, 5.0, 5e0, 5_0, 0x5, and what is behind a semicolon.
func likes() []keyLike {
	return []keyLike{
		{"letters-behind", integers, tail("abc"), true, true},
		{"fraction", integers, tail(".7"), true, false},
		{"twice", integers, twice, true, false},
		{"past-32-bits", integers, changeNumber(plus(32)), false, false},
		{"past-64-bits", integers, changeNumber(plus(64)), false, false},
		{"text-behind", texts, behindText, false, true},
		{"last-letter", texts, lastLetter, false, false},
		{"text-twice", bounded, twice, true, false},
		{"other-case", bounded, plan.OtherCase, true, true},
	}
}

func integers(s *schema.Schema) bool {
	return unrestricted(s) && slices.Equal(s.Types, []string{"integer"})
}

func texts(s *schema.Schema) bool {
	return unrestricted(s) && slices.Equal(s.Types, []string{"string"})
}

// bounded texts have a pattern, which says what is a key. The letters of a UUID have no case
// (RFC 9562, 4), whatever a pattern says.
func bounded(s *schema.Schema) bool {
	return texts(s) && s.Pattern != "" && !strings.EqualFold(s.Format, "uuid")
}

// unrestricted reports whether the schema of a key lists no values and has no alternatives.
func unrestricted(s *schema.Schema) bool {
	return s.Enum == nil && s.Const == nil && len(s.AnyOf)+len(s.OneOf) == 0
}

func tail(text string) func(string) string {
	return func(key string) string { return key + text }
}

func twice(key string) string { return key + "," + key }

// counted changes a key that is a number from 1 up.
func changeNumber(change func(n *big.Int) string) func(string) string {
	return func(key string) string {
		n, ok := new(big.Int).SetString(key, 10)
		if !ok || n.Sign() <= 0 {
			return ""
		}
		return change(n)
	}
}

// plus adds a power of two: an integer of so many bits stays the same.
func plus(bits uint) func(*big.Int) string {
	return func(n *big.Int) string { return n.Add(n, new(big.Int).Lsh(big.NewInt(1), bits)).String() }
}

// behindText adds four letters: whole bytes, should the text be a code of base 64. With its
// padding, or behind nothing but digits, some libraries pass over what follows.
func behindText(key string) string {
	if strings.HasSuffix(key, "=") || !strings.ContainsFunc(key, func(c rune) bool { return c < '0' || c > '9' }) {
		return ""
	}
	return key + "wxyz"
}

// lastLetter changes the last letter of a long text, unless that could be a code whose last
// bits mean nothing, or a number that counts.
func lastLetter(key string) string {
	const long = 16
	if len(key) < long || strings.ContainsFunc(key, unicode.IsUpper) && strings.ContainsFunc(key, unicode.IsLower) {
		return ""
	}
	const letters = "abcdefABCDEF"
	at := strings.LastIndexAny(key, letters)
	if at < len(key)-4 || at < 0 {
		return ""
	}
	i := strings.IndexByte(letters, key[at])
	next := letters[i/6*6+(i%6+1)%6]
	return key[:at] + string(next) + key[at+1:]
}

var likeGiven = plan.Mutator{
	Name: "like-given",
	Doc:  "Makes a thing, reads it, and names it by a key that is a little different, because a server that reads only the beginning of a key, or ignores the case of its letters, finds the thing under keys that no answer gave.",
	Classes: func(s *plan.Space) []plan.Class {
		of := lastOf(s.Op)
		if of == nil {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			if r.Read == nil || r.Chosen() {
				continue // any key may be in use
			}
			reads := r.Read == s.Op
			if !reads && s.Op != r.Replace && s.Op != r.Patch && s.Op != r.Delete {
				continue
			}
			for _, l := range likes() {
				if l.fits(of) && (reads || l.writes) {
					out = append(out, l.class(s.Op, r))
				}
			}
		}
		return out
	},
}

// class makes one case, of an operation about a resource. Where it does not only read, a key that
// the schema allows could name another resource.
func (l keyLike) class(op *openapi.Operation, r *resource.Resource) plan.Class {
	rule, invalid := neverGiven, l.invalid
	if op != r.Read {
		rule, invalid = answered, true // and the bytes tell which keyword the key breaks
	}
	c := about(l.name, judges(rule), 1, func(g *plan.Gen, _ int) []plan.Step {
		m, path := simplest(g, op), keyOf(op)
		if other := l.of(m.At(path).Text); other != "" {
			m.Set(path, jsontree.NewString(other))
		}
		steps := row(simplest(g, r.Make), simplest(g, r.Read), m)
		steps[2].From = plan.Alike{Of: l.of, Invalid: invalid}
		return steps
	})
	c.Keys, c.Alone = true, op.Method == http.MethodDelete
	return c
}

// lastOf returns the schema of the key of a resource, if that is the whole last segment of a path,
// or nil.
func lastOf(op *openapi.Operation) *schema.Schema {
	segment := op.Path[strings.LastIndexByte(op.Path, '/')+1:]
	for _, p := range op.Parameters {
		if p.In == "path" && segment == "{"+p.Name+"}" && p.Style == "simple" && p.Media == "" && p.Schema != nil && keyOf(op) == openapi.PathPlace(p.Name) {
			return p.Schema
		}
	}
	return nil
}

var neverGivenScenario = plan.Mutator{
	Name: "never-given",
	Doc:  "Makes a thing and asks for one whose key no answer gave, because a server may answer such a key with another thing, or an empty one. Also replaces one that a read did not find, because a server may make it without saying so.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Chosen() {
				continue // any key may be in use
			}
			path := keyOf(s.Op)
			if path == "" {
				continue
			}
			out = append(out, about("read", judges(neverGiven), 1, func(g *plan.Gen, _ int) []plan.Step {
				return row(simplest(g, r.Make), named(g, s.Op, path, g.Request(s.Op, false).At(path)))
			}))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Replace }) {
			path := keyOf(s.Op)
			if path == "" || r.Read == nil || keyOf(r.Read) == "" {
				continue
			}
			kind, rule := "put", putMissing
			switch {
			case r.PutCreates() != nil:
				kind, rule = "put-creates", putCreates
			case r.PutMissing() == nil:
				continue
			}
			out = append(out, about(kind, judges(rule), 1, func(g *plan.Gen, _ int) []plan.Step {
				key := lengthenedKey(lastOf(s.Op), g.Request(s.Op, false).At(path))
				return open(1, row(simplest(g, r.Make), named(g, r.Read, keyOf(r.Read), key), named(g, s.Op, path, key)))
			}))
		}
		return out
	},
}

// named makes a request with this key, which replaces the placeholder for the key of the resource
// that the case made.
func named(g *plan.Gen, op *openapi.Operation, path string, key *jsontree.Value) *message.Message {
	m := simplest(g, op)
	m.Set(path, key)
	return m
}

// longKey returns the key or, for an integer, a number that no counter reaches.
func lengthenedKey(s *schema.Schema, key *jsontree.Value) *jsontree.Value {
	const far = "1987654321"
	if s == nil || s.Type() != "integer" || s.Multiple != "" || s.Maximum != "" && jsontree.Compare(s.Maximum, far) < 0 || s.Below != "" && jsontree.Compare(s.Below, far) <= 0 {
		return key
	}
	return jsontree.NewNumber(far)
}

// keyOf returns where a request has the key of a resource: the last expression of the path
// that another answer has to fill in. It is empty if there is none.
func keyOf(op *openapi.Operation) string {
	names := openapi.Expressions(op.Path)
	for i := len(names) - 1; i >= 0; i-- {
		if path := openapi.PathPlace(names[i]); slices.Contains(op.Bind, path) {
			return path
		}
	}
	return ""
}

// neverGiven: a key that no answer gave names nothing.
var neverGiven = requirement.Rule{
	Name:        "never-given",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "an identifier that was never given leads to a success",
	Doc:         "A request that reads a thing by a key that the target makes itself, and that no answer gave, is no success. If the case read the thing before by its own key, only that thing is judged.",
	Explanation: "An identifier that the server never gave does not lead to a success.",
	Fix:         "Answer 404 where nothing has this identifier. Do not answer with an empty or another resource.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read || s.Resource.Chosen() {
			return nil
		}
		return s.Missing(true, "RFC 9110, 15.5.5", "A key that no answer gave is no success.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Made() == nil || p.Got.Success() && (metByChance(p) || met(p)) {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because no answer gave this key")
	},
}

// metByChance reports whether a success may be about a resource that was there before: a short
// key that the suite makes up may be in use, and the answer has it.
func metByChance(p *requirement.Input) bool {
	key, root := keySent(p.Op, p.Sent), p.Got.Reading.Root()
	if key == nil || root == nil || !short(key) {
		return false
	}
	for _, m := range root.Members {
		if m.Value.Text == key.Text {
			return true
		}
	}
	return false
}

// met reports whether a success is not about the resource that the case read before: something
// else may have the other key.
func met(p *requirement.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || before.Op != p.Op || before.Key == nil {
		return false
	}
	root := p.Got.Reading.Root()
	if root == nil {
		return true
	}
	same := before.Got != nil && jsontree.Equal(root, before.Got.Reading.Root())
	return !same && !slices.ContainsFunc(root.Members, func(m jsontree.Member) bool { return m.Value.Text == before.Key.Text })
}
