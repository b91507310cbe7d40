package judge

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

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
