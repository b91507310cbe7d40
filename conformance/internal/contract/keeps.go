package contract

import (
	"iter"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Sentences that say that a PATCH leaves all but the members that it has as they are.
var (
	keepsRest = regexp.MustCompile(`(?i)\b(omitted|left out|absent|missing|(not|n't) (be )?(given|sent|provided|included|present|specified|supplied|set|passed|named)|(all|any) others?|(all|the|any) other (members|fields|properties|attributes|values))\b.{0,40}\b(keep|keeps|kept|unchanged|untouched|remains?|retains?|retained|stays?|preserved|not (be )?(changed|modified|touched))\b`)
	onlyGiven = regexp.MustCompile(`(?i)\bonly (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b.{0,40}\b(changed?|updated?|modified|replaced)\b|\b(changes?|updates?|modif(?:y|ies)|replaces?) only (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b`)
)

// keeps returns the text that says that members which a request leaves out keep their
// values: in what it says of the operation, of the request or of its schema.
func (l *loader) keeps(op *Operation, pointer string) *report.Evidence {
	if op.Method != http.MethodPatch || op.Body == nil || op.Body.Shape == nil || op.Whole != nil {
		return nil
	}
	body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
	return l.says("members that a request leaves out keep their values", []string{pointer, body, op.Body.Shape.Schema.Pointer}, keepsRest, onlyGiven)
}

// notListed matches sentences that say that what was deleted is in no list.
var notListed = regexp.MustCompile(`(?i)\b(disappears? from|(not|neither|never|no longer) (found nor |be |appears? (in|on) )?(listed|lists?)|(removed|gone) from (the|all|every) lists?)\b`)

// unlists returns the text that says that what an operation deletes is in no list any more.
func (l *loader) unlists(op *Operation, pointer string) *report.Evidence {
	if op.Method != http.MethodDelete {
		return nil
	}
	return l.says("what was deleted is in no list", []string{pointer}, notListed)
}

// deleted matches descriptions of an answer about something that a DELETE removed.
var deleted = regexp.MustCompile(`(?i)\b(deleted|removed)\b`)

// inTheList matches sentences that say that what was made is in the list of such things, and
// underCondition those that make a condition.
var (
	inTheList      = regexp.MustCompile(`(?i)\b(is|appears?|added|adds|shown|found|listed) (then |also )?(in|on|to) (the|every|all|each) lists?\b|\b(in|on) (the|every|each) list (from|as soon|at once|right|immediately)\b`)
	underCondition = regexp.MustCompile(`(?i)\b(if|unless|until|once (it|they|the|a|an|\w+ed)|only|after|when|where|not|never|may|can)\b`)
)

// lists returns the text that says that what an operation makes is in the list of such
// things.
func (l *loader) lists(op *Operation, pointer string) *report.Evidence {
	if op.Method != http.MethodPost {
		return nil
	}
	said := l.says("what was made is in the list", []string{pointer}, inTheList)
	if said == nil || onCondition(text(l.root, said.Place), inTheList) {
		return nil
	}
	return said
}

// newest matches sentences that say that the newest items come first, and outranked texts that put
// something else before them.
var (
	newest    = regexp.MustCompile(`(?i)\b(newest|latest|most recent(ly (added|created|made|posted))?|last (added|created|made|posted)) (\w+ )?(come |comes |is |are )?first\b`)
	outranked = regexp.MustCompile(`(?i)\b(then|within|among|each|per|group\w*|pinned|sticky|followed)\b|\bfirst\b.*\bfirst\b`)
)

// newestFirst returns the text that says that the newest items come first in a list.
func (l *loader) newestFirst(op *Operation, pointer string) *report.Evidence {
	if op.Method != http.MethodGet {
		return nil
	}
	said := l.says("the newest items come first", []string{pointer}, newest)
	if said == nil || onCondition(text(l.root, said.Place), newest) || outranked.MatchString(text(l.root, said.Place)) {
		return nil
	}
	return said
}

// onCondition reports whether a sentence of a text that matches makes a condition.
func onCondition(text string, of *regexp.Regexp) bool {
	for sentence := range sentences(text) {
		if of.MatchString(sentence) && underCondition.MatchString(sentence) {
			return true
		}
	}
	return false
}

// sentences returns the sentences of a text, each on one line.
func sentences(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.Join(strings.Fields(text), " "), ". ")
}

// says returns the first sentence of the descriptions and summaries of some places that matches
// one of some expressions, as evidence of a fact. It is nil if there is none.
func (l *loader) says(fact string, places []string, of ...*regexp.Regexp) *report.Evidence {
	for _, at := range places {
		v := l.root.At(at)
		if at != "" && v.Get("$ref") != nil {
			at, v = l.resolve(at)
		}
		for _, name := range []string{"/description", "/summary"} {
			for sentence := range sentences(text(v, name)) {
				if slices.ContainsFunc(of, func(one *regexp.Regexp) bool { return one.MatchString(sentence) }) {
					return &report.Evidence{Fact: fact, Place: at + name, Quote: sentence}
				}
			}
		}
	}
	return nil
}
