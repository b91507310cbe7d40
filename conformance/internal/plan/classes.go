package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/nearest"
)

// Limits of a plan. All are counted and none is timed, so that a plan is the same
// on every machine. What exceeds them is left out and named.
const (
	maxWork   = 256 << 20 // schema.Reading.Work of all values that are tried on the judge
	maxUnit   = 1 << 20   // of one baseline request
	classWork = 8         // baseline requests that a class takes to make and to look at
	minWork   = 1 << 20   // of one operation, however many there are
	// firstLooks is how many values of a class are looked at after the work is used up.
	firstLooks = 3
	tries      = 3 // baseline requests that are looked at before an operation is left out
)

// LeaveOut returns a contract without the operations for which no valid request can be made:
// their baseline request exceeds the budget, or this suite finds none that the schema
// allows. Their answers would prove nothing. They are named in the LeftOut of the
// contract. The error says that no operation is left.
func LeaveOut(c *openapi.Contract, seed uint64) (*openapi.Contract, error) {
	c = c.Copy()
	p := &Plan{Seed: seed, Digest: c.Stated, spaces: map[*openapi.Operation]*Space{}}
	c.Operations = slices.DeleteFunc(c.Operations, func(op *openapi.Operation) bool {
		p.spaces[op] = &Space{Op: op}
		what := p.unmakable(op)
		if what == "" {
			p.leaveOutAdditional(c, op)
			return false
		}
		c.Omit(openapi.Omitted{Operation: op, Why: "no valid request can be made: " + what})
		return true
	})
	return c, c.Empty()
}

// unmakable returns why no valid request of an operation can be made, or an empty
// string.
func (p *Plan) unmakable(op *openapi.Operation) string {
	if op.Body == nil && op.Params == nil {
		return ""
	}
	what := ""
	for n := range tries {
		g := p.Preflight(op, Identity{Seed: p.Seed}, n*RetryStride)
		m := g.Baseline()
		if g.Over != "" {
			return g.Over
		}
		r := m.Reading()
		if r == nil {
			what = "none was found that can be written"
			continue
		}
		if g.Took+r.Work > maxUnit {
			return "each costs too much work to generate and to judge"
		}
		switch {
		case r.Kind < schema.Undecided:
			return ""
		case r.Kind == schema.Undecided && !r.TooMuch():
			return "" // it is sent, and judged by what can be decided
		case r.Kind == schema.Undecided:
			what = "it takes " + r.Open
		case len(r.Violations) > 0:
			v := r.Violations[0]
			what = fmt.Sprintf("none was found that keeps %s at %s", v.Keyword, onPath(v.Path))
		default:
			what = "none was found"
		}
	}
	return what
}

// onPath describes a path of a document in one line.
func onPath(path string) string {
	if path == "" {
		return "the request"
	}
	return exchange.Visible([]byte(jsontree.Cut(path, 100)))
}

// Spend counts the work of a value that was classified while classes are made. It
// returns false if the part of the operation is used up, and nothing more is tried.
func (s *Space) Spend(work int) bool {
	s.work -= work
	return s.work > 0
}

// More reports whether a class at a place looks at one more value, after so many. If the
// part of the operation is used up, each place still has one of its own, for the first
// values of each class: what one place costs takes nothing from another.
func (s *Space) More(place string, looked int) bool {
	return s.work > 0 || looked < firstLooks && s.apart[place] < s.share/max(1, placesOf(s.Op))
}

// Charge is Spend for a class at a place.
func (s *Space) Charge(place string, work int) bool {
	if s.work > 0 {
		return s.Spend(work)
	}
	if s.apart == nil {
		s.apart = map[string]int{}
	}
	s.apart[place] += work
	return false
}

// Leave records something that is not tried, once for each operation.
func (s *Space) Leave(what string) {
	what = exchange.Visible([]byte(what))
	if !slices.Contains(s.left, what) {
		s.left = append(s.left, what)
	}
}

// NoValue records a member of which no valid value was found. It ignores a member below one.
func (s *Space) NoValue(path string) {
	if s.WithoutValue(path) != "" {
		return
	}
	s.unvalued = append(s.unvalued, path)
	s.Leave(noValue(path))
}

// WithoutValue returns why a place cannot be tried: it is, or is below, a member of which no valid value
// was found. It is empty for other places.
func (s *Space) WithoutValue(path string) string {
	for _, member := range s.unvalued {
		if rest, below := strings.CutPrefix(path, member); below && (rest == "" || rest[0] == '/') {
			return noValue(member)
		}
	}
	return ""
}

func noValue(member string) string {
	return fmt.Sprintf("no valid value of %s was found: give one with --value", onPath(member))
}

// price measures the work of one baseline request of the operation.
func (p *Plan) price(s *Space) {
	g := p.Preflight(s.Op, Identity{Seed: p.Seed}, 0)
	m := g.Baseline()
	s.unit = g.Took
	if r := m.Reading(); r != nil {
		s.unit += r.Work
	}
}

// divide gives each operation an equal part of the work, or a larger one if it has many
// places and its requests take long to make and to judge.
func (p *Plan) divide() {
	weight := func(op *openapi.Operation) int { return p.spaces[op].unit * max(1, placesOf(op)) }
	all := 0
	for _, op := range p.ops {
		all += weight(op)
	}
	for _, op := range p.ops {
		s := p.spaces[op]
		s.share = max(minWork, maxWork/len(p.ops), int(float64(maxWork)*float64(weight(op))/float64(max(1, all))))
		s.work = s.share
	}
}

// roomFor returns how many classes of an operation fit into its part of the work,
// if every request takes as much as the baseline request.
func (s *Space) roomFor() int { return max(1, s.share/(classWork*max(1, s.unit))) }

// Phase orders the parts of a run: requests that may harm others come later.
type Phase uint8

// The phases.
const (
	Single     Phase = iota // one request, any worker
	Scenarios               // several requests about one thing of its own, any worker
	Sequence                // several requests; no other case runs beside it
	Heavy                   // nesting, huge numbers and bodies: may crash a target
	Credential              // refused credentials may lock a client out
	phases
)

// Class is all cases that try the same thing. In the phases Single and Heavy a
// case has one step, unless it is of the family sequence.
type Class struct {
	// Family, Place and Kind say what is tried, and where in the request.
	Family Family
	Place  Place
	Kind   string
	// Mutator is the name of the catalogue entry that made the class; the plan
	// sets it.
	Mutator string
	// Slug is <operation>/<family>/<mutator>/<place>/<kind>, without the place if
	// the class has none. The plan composes it and makes it unique.
	Slug  string
	Phase Phase
	// First is how many of its cases come before those of other classes where there is
	// room for few: no other class tries the same.
	First int
	// Subject names what its first case tests: a keyword at a place, a kind of wrong
	// credential. The first class of a subject comes first too. It may be empty.
	Subject string
	// Sharp classes test their subject best: a value just beyond a bound, say, rather than
	// one far beyond it. The first class of a subject is a sharp one if there is any.
	Sharp bool
	// lead is how early its first case comes where there is room for few; see markSubjects.
	lead int
	// Cases is the number of draws; each builds its own steps.
	Cases int
	// Expected is what the server has to do with its last request. The final bytes decide:
	// if they say otherwise, that is an error of this suite.
	Expected message.Expectation
	// Rules names the rules whose requirements it tests. If it is empty, the bytes of its
	// requests tell.
	Rules []string
	// Hinted classes exist because of a text for people. They show what Rules name and nothing
	// else, and no other class depends on them.
	Hinted bool
	// Keys says that the last request has a changed key, and that its bytes tell of further
	// requirements that it tests.
	Keys bool
	// Alone cases of the phase Lifecycle run beside no other about resources of the same
	// family: a key that was deleted may be given to what another case makes.
	Alone bool
	// Drawn cases of the phase Lifecycle have steps between the first and the last that not
	// every failure needs.
	Drawn bool
	// Written says that the cases try only how values are written: they show the same with other
	// values.
	Written bool
	// Waits is about how long a case waits between its requests or inside one, 0 if it does
	// not. Such cases begin before the others of their phase, so that the run does not wait
	// for them at its end.
	Waits time.Duration
	// Connections is the number of connections that the steps use at the same time.
	Connections int
	// Build returns the steps of one draw.
	Build func(g *Gen, draw int) []Step
}

// Family is the group of mutators that a class belongs to, the second segment of a case id.
// What the server has to do is Expected: in a family, some classes state nothing.
type Family string

// The families.
const (
	FamilyValid      Family = "valid"
	FamilyMayRefuse  Family = "may-refuse"
	FamilyInvalid    Family = "invalid"    // breaks the schema
	FamilyNotJSON    Family = "not-json"   // breaks the grammar of JSON
	FamilyCredential Family = "credential" // unusual or wrong credentials
	FamilySequence   Family = "sequence"   // several requests
)

// Expects is what the server has to do with the requests of most classes of a family.
func (f Family) Expects() message.Expectation {
	switch f {
	case FamilyValid:
		return message.Accept
	case FamilyMayRefuse:
		return message.Either
	case FamilyInvalid:
		return message.Refuse
	case FamilyNotJSON:
		return message.RefuseNotJSON
	}
	return message.Unstated
}

// Families lists them.
func Families() []Family {
	return []Family{FamilyValid, FamilyMayRefuse, FamilyInvalid, FamilyNotJSON, FamilyCredential, FamilySequence}
}

// Place is where in a request a class makes its change.
type Place struct {
	// Name is its name in case ids: a member ("name", "lines.*.sku"), "body" or
	// another part of the request. It is empty if the class is about no place.
	Name string
	// Path is the path of the member in requirements ("/lines/*/sku"). It is empty
	// for the body as a whole and for other parts of the request.
	Path string
}

// Tries is the part of the slug after the family: what the class tries and where.
func (c *Class) Tries() string {
	if c.Place.Name == "" {
		return c.Mutator + "/" + c.Kind
	}
	return c.Mutator + "/" + c.Place.Name + "/" + c.Kind
}

// slug composes the slug. The error names what the mutator left out.
func (c *Class) slug(operation string) (string, error) {
	if c.Family == "" || c.Kind == "" || strings.Contains(c.Kind+c.Place.Name, "/") {
		return "", fmt.Errorf("mutator %s: a class needs a family and a kind without slashes, not %q and %q at %q", c.Mutator, c.Family, c.Kind, c.Place.Name)
	}
	return operation + "/" + string(c.Family) + "/" + c.Tries(), nil
}

// Match reports whether a pattern matches a text. A * matches any run of
// characters, everything else matches itself.
func Match(pattern, text string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more || !strings.HasPrefix(text, first) {
		return pattern == text
	}
	text = text[len(first):]
	for {
		part, behind, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, part)
		}
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		rest, text = behind, after
	}
}

// Selection selects cases by patterns over their id, their class and the
// requirements that they can test.
type Selection struct {
	Only, Skip []string
	used       map[string]bool
}

// Keeps reports whether a case with these names is selected.
func (s *Selection) Keeps(names []string) bool {
	return (len(s.Only) == 0 || s.any(s.Only, names)) && !s.any(s.Skip, names)
}

func (s *Selection) any(patterns, names []string) bool {
	found := false
	for _, p := range patterns {
		for _, n := range names {
			if Match(p, n) {
				if s.used == nil {
					s.used = map[string]bool{}
				}
				s.used[p] = true
				found = true
			}
		}
	}
	return found
}

// Use notes that a pattern matched something.
func (s *Selection) Use(pattern string) { s.any([]string{pattern}, []string{pattern}) }

// Unused returns an error that names a pattern that matched nothing, and what of the
// names it may stand for.
func (s *Selection) Unused(names []string) error {
	for _, p := range append(append([]string(nil), s.Only...), s.Skip...) {
		if !s.used[p] {
			return fmt.Errorf("pattern %q matches no requirement and no case: %s", p, cmp.Or(nearest.Hint(p, names), nearby(p, names), "see conformance list"))
		}
	}
	return nil
}

// nearby asks whether the beginning of names is meant, where a pattern is like that.
func nearby(pattern string, names []string) string {
	var starts []string
	for _, name := range names {
		for i, c := range name {
			if c == '-' || c == '/' {
				starts = append(starts, name[:i+1]+"*")
			}
		}
	}
	slices.Sort(starts)
	return nearest.Hint(strings.TrimRight(pattern, "*-/")+"-*", slices.Compact(starts))
}
