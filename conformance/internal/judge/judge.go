// Package judge judges exchanges. New binds each requirement to its rule, Cover
// finds which requirements a case can test, and Check asks the rules about one step
// that was sent. The outcome of a case is a Record.
//
// Nothing here sends anything.
package judge

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// Judge holds the requirements of a document, each with its rule, and judges
// exchanges by them.
type Judge struct {
	// Bound is in the order in which the rules are asked: the requirements of an
	// operation together, the most basic first.
	Bound    []Bound
	Plan     *plan.Plan
	Endpoint *message.Endpoint
	// Redactor removes credentials from what is shown.
	Redactor *redact.Redactor
	// Facts is what is known of the target.
	Facts *explore.Facts
	// Origins knows which request sent which value.
	Origins *Origins
	// Taken knows which values of valid requests were accepted.
	Taken *Taken
	// Noted, if not nil, is called with each exchange that was checked.
	Noted func(caseID string, p *Played)

	// Enough, if not nil, is closed when only cases that are sent may still be examined.
	Enough <-chan struct{}

	// Resent has what rules say of answers behind which a request was sent again.
	Resent *Resent

	ops    map[*openapi.Operation]part
	ideal  []exchange.Field // that rules read
	covers *covers
}

// Bound is a requirement with its rule.
type Bound struct {
	*requirement.Requirement
	Rule *requirement.Rule
	// Index is the place of the requirement in the set.
	Index int
}

// part is the place of an operation's requirements in Bound.
type part struct{ first, end int }

// New binds the requirements to their rules.
func New(set *requirement.Set, rules []requirement.Rule, p *plan.Plan, e *message.Endpoint) *Judge {
	j := &Judge{Plan: p, Endpoint: e, Redactor: redact.New(redact.Secret{Value: e.Token, Shown: "$CONFORMANCE_TOKEN"}),
		Facts: &explore.Facts{}, Origins: &Origins{}, Taken: &Taken{}, Resent: &Resent{}, ops: map[*openapi.Operation]part{}, covers: &covers{}}
	order := map[string]int{}
	for i := range rules {
		order[rules[i].Name] = i
		j.ideal = append(j.ideal, rules[i].Ideal...)
	}
	ops := map[*openapi.Operation]int{}
	j.Bound = make([]Bound, 0, len(set.List))
	for i, r := range set.List {
		j.Bound = append(j.Bound, Bound{r, &rules[order[r.Rule]], i})
		if _, known := ops[r.Op]; !known {
			ops[r.Op] = len(ops)
		}
	}
	sort.SliceStable(j.Bound, func(a, b int) bool {
		x, y := j.Bound[a], j.Bound[b]
		switch {
		case x.Op != y.Op:
			return ops[x.Op] < ops[y.Op]
		case x.Rule.Rank != y.Rule.Rank:
			return x.Rule.Rank < y.Rule.Rank
		}
		return order[x.Rule.Name] < order[y.Rule.Name]
	})
	for i, b := range j.Bound {
		of, known := j.ops[b.Op]
		if !known {
			of.first = i
		}
		of.end = i + 1
		j.ops[b.Op] = of
	}
	for op, of := range maps.Clone(j.ops) {
		for _, additional := range op.Additional {
			j.ops[additional] = of
		}
	}
	return j
}

// Of returns the range in Bound of an operation's requirements: from first, and
// before end. Those of its additional media types are among them.
func (j *Judge) Of(op *openapi.Operation) (first, end int) {
	of := j.ops[op]
	return of.first, of.end
}

// NewSet returns an empty set of requirements of an operation.
func (j *Judge) NewSet(op *openapi.Operation) Set {
	of := j.ops[op]
	return Set{first: of.first, words: make([]uint64, (of.end-of.first+63)/64)}
}

// Answered returns the place in Bound of the requirement that the requests of a case get an
// answer, or -1.
func (j *Judge) Answered(c *plan.Case) int {
	for at, end := j.Of(c.Op); at < end; at++ {
		if b := &j.Bound[at]; c.Class.Hinted && slices.Contains(c.Class.Rules, b.Rule.Name) || !c.Class.Hinted && b.Rule.Rank == requirement.Answered {
			return at
		}
	}
	return -1
}

// Set is a set of requirements of one operation, by their place in Judge.Bound.
type Set struct {
	first int
	words []uint64
}

// Add adds a requirement to the set.
func (s Set) Add(at int) { s.words[(at-s.first)/64] |= 1 << ((at - s.first) % 64) }

// Has reports whether a requirement is in the set.
func (s Set) Has(at int) bool {
	n := at - s.first
	return n >= 0 && n/64 < len(s.words) && s.words[n/64]&(1<<(n%64)) != 0
}

// Union adds another set of the same operation.
func (s Set) Union(other Set) {
	for i := range other.words {
		s.words[i] |= other.words[i]
	}
}

// Each calls f for every requirement of the set, in order.
func (s Set) Each(f func(at int)) {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			f(s.first + i*64 + bits.TrailingZeros64(w))
		}
	}
}

// Empty reports whether the set is empty.
func (s Set) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// key is equal for equal sets.
func (s Set) key() string {
	out := binary.AppendUvarint(nil, uint64(s.first))
	for i, w := range s.words {
		if w != 0 {
			out = binary.LittleEndian.AppendUint64(binary.AppendUvarint(out, uint64(i)), w)
		}
	}
	return string(out)
}

// Shared keeps what the cases of a plan can test, for several runs: to examine them
// takes a tenth of a run. The zero value is ready to use.
type Shared struct {
	mu    sync.Mutex
	known map[string]*covers
}

// maxShared bounds what is kept, some megabytes each.
const maxShared = 4

// CoverOnce is like Cover for cases that are the same in all runs which share s. The key
// says what else the bytes of a request depend on. A target that needs other requests than
// the document says is examined for itself.
func (j *Judge) CoverOnce(s *Shared, key string, cases []*plan.Case) {
	j.Cover(cases)
	facts := j.Facts.Usual()
	if facts == nil {
		return
	}
	key = fmt.Sprintf("%d %d %d %s", facts.Seed, facts.Generation, facts.EarlierRuns, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known[key]; known != nil {
		j.covers = known
		return
	}
	if len(s.known) == maxShared {
		return
	}
	if s.known == nil {
		s.known = map[string]*covers{}
	}
	// What this run learns or renews later is its own.
	by, endpoint := *j, *j.Endpoint
	by.Facts, by.Endpoint, by.Noted = facts, &endpoint, nil
	j.covers.by, s.known[key] = &by, j.covers
}

// apart reports whether a requirement is about another part of an answer than those that have
// failed: it is judged for itself. An answer with the wrong status or media type, or one that is
// not JSON, has no parts.
func (j *Judge) apart(s *subject, c *Checked, b *Bound) bool {
	if b.Level != report.Must && b.Rule.Rank < requirement.Echo {
		return false
	}
	for _, f := range c.reasons() {
		r := &j.Bound[f.At]
		switch {
		case r.Args.Header != "" && b.Args.Header != "":
			if r.Args.Header == b.Args.Header && (r.Args.Key.Keyword == "" || follows(b.Args.Key, r.Args.Key)) {
				return false
			}
		case r.Args.Header != "":
		case b.Args.Header != "":
			if r.Rule.Rank < requirement.MediaType {
				return false
			}
		case r.Rule.Rank != requirement.Schema:
			return false
		case b.Rule.Rank == requirement.Schema && b.Args.Beyond == nil && r.Args.Beyond == nil:
			if follows(b.Args.Key, r.Args.Key) || ofWhole(b.Args.Key, r.Args.Key) && j.strange(s, r) {
				return false
			}
		}
	}
	return true
}

// reasons returns the failures of requirements that are a MUST.
func (c *Checked) reasons() []Finding {
	if c.Reason == nil {
		return nil
	}
	return append([]Finding{*c.Reason}, c.Apart...)
}

// InPart reports whether only parts of an answer are wrong: what it says otherwise can be believed.
func (j *Judge) InPart(c *Checked) bool {
	return !slices.ContainsFunc(c.reasons(), func(f Finding) bool {
		rank := j.Bound[f.At].Rule.Rank
		return rank != requirement.Schema && rank != requirement.Header
	})
}

// proves reports whether the outcome of a requirement is more than a consequence of those that have
// failed. An outcome about earlier requests is, if the place of the fault is known.
func (j *Judge) proves(s *subject, c *Checked, b *Bound, o *requirement.Outcome) bool {
	if o.Verdict == report.Inapplicable {
		return true
	}
	for _, f := range c.reasons() {
		r := &j.Bound[f.At]
		switch {
		case b.Rule.Rank >= requirement.Echo && r.Args.Header == "":
			if o.Verdict == report.Fail && (!o.Found || under(starred(o.At), faulty(r.Args.Key)) || slices.Contains(ofMembers, r.Args.Key.Keyword) && j.strange(s, r)) {
				return false
			}
		case b.Args.Beyond != nil && o.Verdict != report.Fail:
			return false // nothing below a faulty place is examined
		}
	}
	return true
}

// ofMembers are the keywords about which members an object has, ofSize those about how many parts a
// value has: they say nothing of the parts.
var (
	ofMembers = []string{"required", "additionalProperties", "propertyNames", "dependentRequired", "minProperties", "maxProperties"}
	ofSize    = []string{"minItems", "maxItems", "uniqueItems", "contains"}
)

// follows reports whether nothing can be said of one keyword where another one is broken: they are
// about the same value, or one is about a part of the value that the other finds wrong.
func follows(key, broken schema.Key) bool {
	switch {
	case broken.Keyword == "required":
		return under(faulty(key), faulty(broken)) && key != broken
	case slices.Contains(ofMembers, broken.Keyword):
		return false
	case slices.Contains(ofSize, broken.Keyword):
		return key.Path == broken.Path && slices.Contains(ofSize, key.Keyword)
	}
	return under(faulty(key), broken.Path)
}

// ofWhole reports whether two keywords are about the members of the same object.
func ofWhole(key, broken schema.Key) bool {
	return key.Path == broken.Path && slices.Contains(ofMembers, broken.Keyword) && slices.Contains(ofMembers, key.Keyword)
}

// strange reports whether an object has none of its required members: it is another object, and
// that is one fault.
func (j *Judge) strange(s *subject, r *Bound) bool {
	required := map[string]bool{}
	for i, end := j.Of(s.op); i < end; i++ {
		b := &j.Bound[i]
		if b.Rule == r.Rule && b.About(s.op) && slices.Equal(b.Args.Statuses, r.Args.Statuses) && b.Args.Media == r.Args.Media &&
			b.Args.Key.Path == r.Args.Key.Path && b.Args.Key.Keyword == "required" {
			required[b.Args.Key.Name] = true
		}
	}
	missing := map[string]int{}
	for _, v := range s.Answer.Reading.Violations {
		if v.Path == r.Args.Key.Path && v.Keyword == "required" && required[v.Name] {
			missing[v.Pointer]++
		}
	}
	for _, n := range missing {
		if n < len(required) {
			return false
		}
	}
	return len(missing) > 0
}

// faulty is the place that a broken keyword finds wrong: a member that is missing, or the value.
func faulty(k schema.Key) string {
	if k.Keyword == "required" {
		return k.Path + "/" + k.Name
	}
	return k.Path
}

// under reports whether a place is another one or inside it.
func under(path, of string) bool {
	rest, found := strings.CutPrefix(path, of)
	return found && (rest == "" || rest[0] == '/')
}

// starred writes "*" for the numbers of items in a pointer, as keys have them.
func starred(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if jsontree.Digits(t) {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}
