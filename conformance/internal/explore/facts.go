package explore

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Facts is what the pre-flight learned about the target.
type Facts struct {
	Seed       uint64
	Generation int
	// EarlierRuns is the run number of this run. It is above 0 if runs with any
	// seed left data that this one may meet.
	EarlierRuns int
	// Connections is how many concurrent connections the target serves, as far as
	// this run needs to know.
	Connections int
	// Spare is how many more the target serves. It decides only how many the run uses.
	Spare int
	// Probed reports whether that was found out.
	Probed bool
	// Few reports whether that is fewer than the pre-flight asked for.
	Few bool
	// Limited reports whether the target answers on every connection above its
	// limit, with 429, or 503 with Retry-After.
	Limited bool
	ops     map[*openapi.Operation]*OpFacts
	// small are the operations that accept only small numbers.
	small plan.Operations
	// past are the operations that do not accept dates in the future, and soon those that accept
	// only dates in the next weeks, counted from today.
	past, soon plan.Operations
	today      time.Time
	// told are the operations that do not accept plain texts where sentences tell of others, and
	// unguessed those that do not accept what names and sentences suggest.
	told, unguessed plan.Operations
	// choices are the operations that do not accept the first value of their enums.
	choices plan.Choices
	// given are the operations that accept only values of examples.
	given plan.Given
	// refused are optional members that an operation does not accept.
	refused plan.Refused
	// secondPrincipals says why the credential of the other principal is not accepted, by the
	// name of the security scheme.
	secondPrincipals map[string]string
}

// OpFacts is what was learned about one operation.
type OpFacts struct {
	// Accepted reports whether a baseline request was a success.
	Accepted bool
	// Unexplored reports whether the time was over before more was learned than that.
	Unexplored bool
	// Reached is how the operation gets the values that name something; nil if it
	// needs none.
	Reached *Reached
	// Unreached says why no baseline request was accepted although the operation may
	// be right: what it needs could not be had.
	Unreached string
	// RefusedWith is the status of that baseline request, 0 if it got no answer.
	RefusedWith int
	// Status is that of the answer to a baseline request that was not accepted; 0 if there is
	// none.
	Status int
	// Said is the message of that answer.
	Said string
	// Unknown reports whether the request was refused as one with a wrong credential is.
	Unknown bool
	// Refused says how the baseline request was answered, if the operation needs
	// nothing and is not accepted. Help says what may help if it is not reached.
	Refused, Help string
	// Needs are the optional members that a baseline request must have to be
	// accepted. Demands says that the document lists the status of the refusal without them,
	// 428: they are no fault (RFC 6585, 3).
	Needs   map[string]bool
	Demands bool
	// Known are accepted values of members whose accepted values the document leaves open.
	Known map[string]*jsontree.Value
	// words are the values that are tried for Known.
	words map[string]*jsontree.Value
	// Repeats says, for each member that carries identity, how a repeated value is
	// answered.
	Repeats []Repeat
	// Off says that others are refused after the operation; nil if they are not. Clears reports
	// whether it was seen to delete what other requests are about.
	Off    *Off
	Clears bool
	// Few reports whether the target takes only so many of the things that it makes.
	Few bool
}

// MakesUp reports whether the run makes up all keys that a request of the operation names. A key that
// another request made may be gone later.
func (f *OpFacts) MakesUp() bool {
	if f.Reached == nil {
		return false
	}
	for _, w := range f.Reached.Ways {
		if w.Kind != resource.Any && w.Kind != resource.Unknown {
			return false
		}
	}
	return true
}

// Repeat is what happens to a value that was used before.
type Repeat struct {
	Path   string
	Status int // of the refusal, 0 for none
	Seen   string
	form   ResponseForm
}

// Of returns what is known of an operation. It is never nil.
func (f *Facts) Of(op *openapi.Operation) *OpFacts {
	if o := f.ops[op]; o != nil {
		return o
	}
	return &OpFacts{}
}

// identityIn returns the identity of the first requests of a dataset generation.
func (f *Facts) identityIn(generation int) plan.Identity {
	return plan.Identity{Seed: f.Seed, Generation: generation, Small: &f.small, Past: &f.past, Soon: &f.soon, Told: &f.told, Unguessed: &f.unguessed, Today: f.today, Choices: &f.choices, Given: &f.given, Refused: &f.refused}
}

// Identity returns the identity of a run against this target. A retry above 0 gives
// other fresh values.
func (f *Facts) Identity(retry int) plan.Identity {
	id := f.identityIn(f.Generation)
	id.RunNumber, id.Retry = f.Generation+f.EarlierRuns, retry
	return id
}

// Usual returns the facts that the bytes of a case depend on, if the target takes every
// request as the document describes it; otherwise nil.
func (f *Facts) Usual() *Facts {
	for op, o := range f.ops {
		if len(o.Needs) > 0 || o.Reached != nil || o.Unreached != "" || o.RefusedWith != 0 {
			return nil
		}
		if f.small.Has(op) || f.past.Has(op) || f.soon.Has(op) || f.told.Has(op) || f.unguessed.Has(op) || f.choices.Of(op) > 0 || len(f.given.Of(op)) > 0 {
			return nil
		}
	}
	return &Facts{Seed: f.Seed, Generation: f.Generation, EarlierRuns: f.EarlierRuns, today: f.today}
}

// Demanded reports whether the target may demand an optional member.
func (o *OpFacts) Demanded(path string) bool { return o.Demands && o.Needs[path] }

// Unique reports whether the target refuses repeated values of some member.
func (o *OpFacts) Unique() bool {
	for _, r := range o.Repeats {
		if r.Status != 0 {
			return true
		}
	}
	return false
}

// TakesAgain reports whether the target is known to accept a repeated value of a member.
func (o *OpFacts) TakesAgain(path string) bool {
	return slices.ContainsFunc(o.Repeats, func(r Repeat) bool { return r.Path == path && r.Status == 0 })
}

// Complete adds the optional members that the target needs.
func (f *Facts) Complete(g *plan.Gen, m *message.Message) {
	needs := f.Of(m.Op).Needs
	if len(needs) == 0 || m.Raw != nil {
		return
	}
	var list []openapi.Member
	for _, p := range m.Op.Members() {
		if needs[p.Path] {
			list = append(list, p)
		}
	}
	g.Give(m, list)
}

// List describes the facts for the report.
func (f *Facts) List(ops []*openapi.Operation) []report.Fact {
	connections := fmt.Sprint(f.Connections)
	if f.Connections >= limits.Probed {
		connections += " or more"
	}
	if f.Limited {
		connections += "; more are refused"
	}
	var out []report.Fact
	if f.Probed {
		out = append(out, report.Fact{Name: "concurrent connections", Value: connections})
	}
	for _, op := range ops {
		o := f.ops[op]
		if o == nil {
			continue
		}
		if o.Off != nil {
			out = append(out, report.Fact{Name: op.Slug, Value: o.Off.String()})
		}
		if o.Clears {
			out = append(out, report.Fact{Name: op.Slug, Value: "deletes what other requests made: its cases run apart"})
		}
		if o.Few {
			out = append(out, report.Fact{Name: op.Slug, Value: "makes only so many things: the run deletes earlier ones"})
		}
		for _, r := range o.Repeats {
			value := "accepted"
			if r.Status != 0 {
				value = "refused with " + r.Seen
			}
			out = append(out, report.Fact{Name: op.Slug + ": repeated " + r.Path, Value: value})
		}
		if f.small.Has(op) {
			out = append(out, report.Fact{Name: op.Slug + ": numbers", Value: "only small ones are accepted"})
		}
		switch {
		case f.past.Has(op):
			out = append(out, report.Fact{Name: op.Slug + ": dates", Value: "those in the future are refused"})
		case f.soon.Has(op):
			out = append(out, report.Fact{Name: op.Slug + ": dates", Value: "only those in the next weeks are accepted"})
		}
		if f.choices.Of(op) > 0 {
			out = append(out, report.Fact{Name: op.Slug + ": enums", Value: "the first values are refused"})
		}
		if r := o.Reached; r != nil && len(r.Repeated) > 0 {
			out = append(out, report.Fact{Name: op.Slug + ": members that never change", Value: strings.Join(r.Repeated, ", ")})
		} else if paths := slices.Sorted(maps.Keys(f.given.Of(op))); len(paths) > 0 {
			if paths[0] == "" {
				paths[0] = "the body"
			}
			out = append(out, report.Fact{Name: op.Slug + ": only known values are accepted", Value: strings.Join(paths, ", ")})
		}
		var needs []string
		for p := range o.Needs {
			needs = append(needs, p)
		}
		sort.Strings(needs)
		if len(needs) > 0 {
			out = append(out, report.Fact{Name: op.Slug + ": refused without optional members", Value: "accepted with " + strings.Join(needs, ", ")})
		}
	}
	return out
}

// ResponseForm is what the refusals of repeats have in common: the body of one of
// them, without the values of its request and without what changes from answer to
// answer. Another refusal of this form may be the refusal of a repeat too.
type ResponseForm struct {
	json   bool
	fields map[string]*regexp.Regexp // by JSON pointer
}

// volatile matches the words of a message that change from answer to answer:
// request numbers, times and hashes. A number may be negative.
var volatile = regexp.MustCompile(`-?[0-9a-fA-F]*[0-9][0-9a-fA-F-]*|\*+`)

// Parts of a refusal above these bounds are not compared: a target may send any
// amount, and each text becomes a regular expression of that length.
const (
	formFields = 64
	formText   = 2 << 10
)

// anything matches a text that is not compared.
var anything = regexp.MustCompile("")

// FormOf returns the form of the refusal of a repeat.
func FormOf(op *openapi.Operation, s *message.Sent, g *requirement.Answer) ResponseForm {
	root := bodyOf(g)
	l := ResponseForm{json: root != nil, fields: map[string]*regexp.Regexp{}}
	if root == nil {
		return l
	}
	var values []string
	if s.Body != nil {
		for _, m := range message.Values(op, s.Body.Root()) {
			values = append(values, m.Value.Text)
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number || len(l.fields) >= formFields {
			return
		}
		if len(v.Text) > formText {
			l.fields[pointer] = anything
			return
		}
		text := v.Text
		for _, value := range values {
			if len(value) > 2 {
				text = strings.ReplaceAll(text, value, "*")
			}
		}
		var pattern strings.Builder
		from := 0
		for _, at := range volatile.FindAllStringIndex(text, -1) {
			pattern.WriteString(regexp.QuoteMeta(text[from:at[0]]) + `.*`)
			from = at[1]
		}
		l.fields[pointer] = regexp.MustCompile(`(?s)^` + pattern.String() + regexp.QuoteMeta(text[from:]) + `$`)
	})
	return l
}

// Fits reports whether a refusal has this form.
func (l ResponseForm) Fits(g *requirement.Answer) bool {
	root := bodyOf(g)
	if root == nil || !l.json {
		return (root != nil) == l.json
	}
	same, n := true, 0
	root.Walk(func(pointer string, v *jsontree.Value) {
		if v.Kind != jsontree.String && v.Kind != jsontree.Number {
			return
		}
		if n++; n > formFields {
			return
		}
		re := l.fields[pointer]
		same = same && re != nil && (re == anything || len(v.Text) <= 2*formText && re.MatchString(v.Text))
	})
	return same && min(n, formFields) == len(l.fields)
}

func bodyOf(g *requirement.Answer) *jsontree.Value {
	if g == nil {
		return nil
	}
	return g.Reading.Root()
}

// LooksRepeated reports whether an answer looks like the refusal of a repeat, for a
// value that an earlier request may have sent. A fresh value has no earlier
// request.
func (o *OpFacts) LooksRepeated(g *requirement.Answer, s *message.Sent, id plan.Identity) bool {
	for _, r := range o.Repeats {
		v := s.Body.At(r.Path)
		isFresh := func(v *jsontree.Value) bool {
			return v.Kind == jsontree.Number && id.Owns(v.Text) || v.Kind == jsontree.String && plan.IsFresh(v.Text)
		}
		fresh := v != nil && (isFresh(v) || v.Kind == jsontree.Array && !slices.ContainsFunc(v.Items, func(v *jsontree.Value) bool { return !isFresh(v) }))
		if r.Status == g.Status && !fresh && r.form.Fits(g) {
			return true
		}
	}
	return false
}
