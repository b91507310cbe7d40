// Package hints reads names and sentences of a document for what they suggest. A hint is a
// guess: it may give a value or make a run cautious, and is never a verdict.
//
// A Catalogue knows texts that a standard or a sentence defines and that a schema does not,
// such as a currency of ISO 4217 or an IBAN.
package hints

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Text is what a document says for people, and where.
type Text struct{ Place, Said string }

// sentences returns the sentences of a text, each on one line.
func sentences(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.Join(strings.Fields(text), " "), ". ")
}

// says returns the first sentence of some texts that matches one of some expressions, as evidence
// of a fact. It is nil if there is none.
func says(fact string, texts []Text, of ...*regexp.Regexp) *report.Evidence {
	for _, t := range texts {
		for sentence := range sentences(t.Said) {
			if slices.ContainsFunc(of, func(one *regexp.Regexp) bool { return one.MatchString(sentence) }) {
				return &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence}
			}
		}
	}
	return nil
}

// saysPlainly is says for a text that nothing weakens.
func saysPlainly(fact string, t Text, of, less *regexp.Regexp) *report.Evidence {
	if less.MatchString(t.Said) {
		return nil
	}
	return says(fact, []Text{t}, of)
}

// saysAlways is says for a sentence that makes no condition.
func saysAlways(fact string, texts []Text, of *regexp.Regexp) *report.Evidence {
	said := says(fact, texts, of)
	if said == nil {
		return nil
	}
	for _, t := range texts {
		for sentence := range sentences(t.Said) {
			if t.Place == said.Place && of.MatchString(sentence) && underCondition.MatchString(sentence) {
				return nil
			}
		}
	}
	return said
}

// underCondition matches sentences that make a condition.
var underCondition = regexp.MustCompile(`(?i)\b(if|unless|until|once (it|they|the|a|an|\w+ed)|only|after|when|where|not|never|may|can)\b`)

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i, at = at+i, at+i+len(word)
		if (i == 0 || !inWord(text[i-1])) && (at == len(text) || !inWord(text[at])) {
			return true
		}
	}
}

func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// The parts of a message that lists allowed values: the words before the list, values in quotes, values in
// brackets, and what stands between two values.
var (
	beforeList = regexp.MustCompile(`(?i)\b(one of|in (the )?list|(allowed|valid|possible|accepted|permitted|supported|available|known|following) \w+( are)?|accepted for enum class|expected|should be|must be|choose from|enum|values|options|choices)\b`)
	inQuotes   = regexp.MustCompile("'([^']+)'|\"([^\"]+)\"|`([^`]+)`")
	inBrackets = regexp.MustCompile(`^[^\[({]{0,40}[\[({]([^\])}]+)[\])}]`)
	betweenFew = regexp.MustCompile(`\s*(?:,|\||\bor\b|\band\b)\s*`)
)

// Choices returns the values that the message of a refusal lists as allowed: oak and elm in "kind must be
// one of: oak, elm". It is a guess: "expected string, number" lists types.
func Choices(said string) []string {
	rest, _, _ := strings.Cut(said, "\n")
	found, near := false, len(rest)
	for at := beforeList.FindStringIndex(rest); at != nil && at[0] <= near; at = beforeList.FindStringIndex(rest) {
		found, rest, near = true, rest[at[1]:], len(" of the following ") // "must be one of the following values"
	}
	if !found {
		return nil
	}
	var out []string
	for _, m := range inQuotes.FindAllStringSubmatch(rest, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	if len(out) > 0 {
		return out
	}
	list := strings.Trim(rest, " :=.)")
	in := inBrackets.FindStringSubmatch(rest)
	if in != nil {
		list = in[1]
	}
	out = betweenFew.Split(list, -1)
	if in != nil && len(out) == 1 {
		out = strings.Fields(list)
	}
	out = slices.DeleteFunc(out, func(v string) bool { return v == "" })
	if in == nil && (len(out) < 2 || slices.ContainsFunc(out, func(v string) bool { return strings.Contains(v, " ") })) {
		return nil // a sentence
	}
	return out
}

// Sentences that say that a PATCH leaves all but the members that it has as they are.
var (
	keepsRest = regexp.MustCompile(`(?i)\b(omitted|left out|absent|missing|(not|n't) (be )?(given|sent|provided|included|present|specified|supplied|set|passed|named)|(all|any) others?|(all|the|any) other (members|fields|properties|attributes|values))\b.{0,40}\b(keep|keeps|kept|unchanged|untouched|remains?|retains?|retained|stays?|preserved|not (be )?(changed|modified|touched))\b`)
	onlyGiven = regexp.MustCompile(`(?i)\bonly (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b.{0,40}\b(changed?|updated?|modified|replaced)\b|\b(changes?|updates?|modif(?:y|ies)|replaces?) only (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b`)
)

// KeepsRest returns the sentence that says that members which a request leaves out keep their values.
func KeepsRest(texts []Text) *report.Evidence {
	return says("members that a request leaves out keep their values", texts, keepsRest, onlyGiven)
}

var replacesAll = regexp.MustCompile(`(?i)\breplaces? (everything|all (of |the )?(members|fields|properties|values|attributes)|the (whole|entire|complete|full) \w+|every (member|field|property|attribute))\b|\b(full|complete|entire) replacement\b`)

// ReplacesAll returns the sentence that says that a PUT replaces everything.
func ReplacesAll(texts []Text) *report.Evidence {
	return says("a PUT replaces everything", texts, replacesAll)
}

// Excepts reports whether a quote names a member, as in "Replaces everything but the slug".
func Excepts(said *report.Evidence, member string) bool {
	return hasWord(strings.ToLower(said.Quote), strings.ToLower(member))
}

// The words with which documents say what becomes of members that a request leaves out: those
// that speak of such members, those that say that they stay, or may, and those that say that
// they do not.
var (
	speaksOfRest = regexp.MustCompile(`(?i)\b(omit\w*|left out|leav\w+ out|absent|absence|missing|not (be )?(given|sent|provided|included|present|specified|supplied|named|set|passed))\b`)
	restStays    = regexp.MustCompile(`(?i)\b(partial\w*|merg\w+|patch\w*|unchanged|untouched|unaffected|preserv\w+|retain\w*|keep\w*|kept|remain\w*|stay\w*|ignor\w+|only (the|those|given|what)|as (it|they) (is|are|was|were)|(not|never|nothing|no longer|\w+n't) ((be|is|are|get) )?(remov|delet|clear|reset|drop|chang|touch|overwr|modif|alter|affect|replac|becom|disappear)\w*)\b`)
	restVanishes = regexp.MustCompile(`(?i)\b(disappears?|vanish\w*|(becomes?|is|are|be|to) (set to )?(null|empty|absent|removed|deleted|cleared|reset|emptied|dropped|unset|lost)|((re)?set to|gets?|takes?) (its|their|the) defaults?)\b`)
)

// Rest returns what texts say of what becomes of members that a request leaves out: that they may
// stay, or, in what is said of the operation and of its body, that they do not, if no other text
// says that they do. Names are those of the members, of which other texts speak.
func Rest(ofRequest, ofMembers []Text, names []string) (may, not *report.Evidence) {
	var stays *report.Evidence
	for i, t := range slices.Concat(ofRequest, ofMembers) {
		of, names := i < len(ofRequest), names
		if !of {
			names = nil
		}
		for sentence := range sentences(t.Said) {
			say := func(fact string) *report.Evidence {
				return &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence}
			}
			stay, vanish := say("members that a request leaves out may stay"), say("members that a request leaves out do not stay")
			speaks, about := speaksOfRest.MatchString(sentence), func(name string) bool { return strings.Contains(strings.ToLower(sentence), strings.ToLower(name)) }
			switch {
			case restStays.MatchString(sentence):
				// What stays may be something else: the bookings of a room.
				stays = cmp.Or(stays, stay)
				if speaks || !of || slices.ContainsFunc(names, about) {
					may = cmp.Or(may, stay)
				}
			case speaks && restVanishes.MatchString(sentence):
				if of {
					not = cmp.Or(not, vanish)
				}
			case speaks:
				may = cmp.Or(may, stay)
			}
		}
	}
	switch {
	case may != nil:
		return may, nil
	case not != nil:
		return nil, not
	}
	return stays, nil
}

// StateBound is what the document says of the states of a resource in which an operation is
// refused.
type StateBound struct {
	evidence *report.Evidence // the first sentence that says so
	said     []stateSentence
	text     string          // all that is said of the operation, in small letters
	others   map[string]bool // nouns of the document that are not what the operation is about
}

// stateSentence is a sentence as it is written, and in small letters without quotes.
type stateSentence struct{ written, said string }

var (
	ofRefusal = regexp.MustCompile(`\b(409|refused?|refuses|rejected|rejects|conflicts?|errors?|cannot|can't|only|must|has to|have to|not allowed|not possible)\b`)
	ofState   = regexp.MustCompile(`\b(only|not|no|isn't|unless|otherwise|other|another|must|has to|have to|already|cannot|can't|takes? no|409)\b`)
	// ofNoEffect says that doing a thing twice is no mistake.
	ofNoEffect = regexp.MustCompile(`\b(idempotent|no effect|does nothing|changes nothing|no-op|no consequences?|succeeds again)\b`)
	quotes     = regexp.MustCompile("[`\"'*]+")
)

// StatesOf reads what texts of an operation and of its answer 409 say of states. It returns nil if
// they say nothing of them. Others are the nouns of the document that are not what the operation is
// about: "only an active team" says nothing of a member.
func StatesOf(ofRequest, ofConflict []Text, others map[string]bool) *StateBound {
	out := &StateBound{others: others}
	for i, t := range slices.Concat(ofRequest, ofConflict) {
		for sentence := range sentences(t.Said) {
			out.add(sentence, i >= len(ofRequest), t.Place)
		}
	}
	if len(out.said) == 0 || ofNoEffect.MatchString(out.text) {
		return nil
	}
	return out
}

// add adds a sentence, and keeps it if it may say in which states something is refused.
func (b *StateBound) add(sentence string, ofConflict bool, pointer string) {
	s := stateSentence{sentence, strings.Join(strings.Fields(quotes.ReplaceAllString(strings.ToLower(sentence), " ")), " ")}
	b.text += " " + s.said + "."
	if (ofConflict || ofRefusal.MatchString(s.said)) && ofState.MatchString(s.said) {
		b.said = append(b.said, s)
		b.evidence = cmp.Or(b.evidence, &report.Evidence{Fact: "the request is refused in some states", Place: pointer, Quote: sentence})
	}
}

// Said returns the first sentence that says so, or nil.
func (b *StateBound) Said() *report.Evidence {
	if b == nil {
		return nil
	}
	return b.evidence
}

// Names reports whether some sentence may be about one of some states, and says that the operation
// is refused in some of them.
func (b *StateBound) Names(values []string) bool {
	return b != nil && b.speaksOf(values) && slices.ContainsFunc(values, func(was string) bool {
		return slices.ContainsFunc(values, func(is string) bool { return b.RefusedIn(values, was, is, true) != "" })
	})
}

// speaksOf reports whether some sentence may be about one of some states.
func (b *StateBound) speaksOf(values []string) bool {
	return slices.ContainsFunc(b.said, func(s stateSentence) bool {
		return inOtherState.MatchString(s.said) || onlyOnce.MatchString(s.said) || slices.ContainsFunc(values, func(v string) bool {
			v = strings.ToLower(v)
			return strings.Contains(s.said, v) || strings.Contains(s.said, strings.ReplaceAll(v, "_", " "))
		})
	})
}
