package hints

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

var (
	notListed = regexp.MustCompile(`(?i)\b(disappears? from|(not|neither|never|no longer) (found nor |be |appears? (in|on) )?(listed|lists?)|(removed|gone) from (the|all|every) lists?)\b`)
	deleted   = regexp.MustCompile(`(?i)\b(deleted|removed)\b`)
	inTheList = regexp.MustCompile(`(?i)\b(is|appears?|added|adds|shown|found|listed) (then |also )?(in|on|to) (the|every|all|each) lists?\b|\b(in|on) (the|every|each) list (from|as soon|at once|right|immediately)\b`)
	newest    = regexp.MustCompile(`(?i)\b(newest|latest|most recent(ly (added|created|made|posted))?|last (added|created|made|posted)) (\w+ )?(come |comes |is |are )?first\b`)
	// outranked matches texts that put something else before the newest items.
	outranked = regexp.MustCompile(`(?i)\b(then|within|among|each|per|group\w*|pinned|sticky|followed)\b|\bfirst\b.*\bfirst\b`)
	countsAll = regexp.MustCompile(`(?i)\b(all|other) pages\b|\bfilters?\b|\bmatch(es|ing)?\b|\bregardless of\b.{0,20}\b(page|paging|pagination|limit|offset)\b`)
	roughly   = regexp.MustCompile(`(?i)\b(this|the current|a|each) page\b|\b(approximate\w*|estimate\w*|about|roughly|at most|up to|capped|may|might|can)\b`)
	onlySome  = regexp.MustCompile(`(?i)\bonly\b`)
	maxItems  = regexp.MustCompile(`(?i)\b(max(imum|imal)?|at most|up to|number of|how many|size)\b`)
	inOrder   = regexp.MustCompile(`(?i)\b(sort|order|ascend|descend)`)
	ofPages   = regexp.MustCompile(`(?i)\b(skip\w*|page|pages|cursor|next_?cursor|offset|before|after|next)\b`)
)

// Unlisted returns the sentence that says that what was deleted is in no list any more.
func Unlisted(texts []Text) *report.Evidence {
	return says("what was deleted is in no list", texts, notListed)
}

// Gone returns the sentence about the answer 410 that says that it is for what was deleted.
func Gone(texts []Text) *report.Evidence {
	return says("410 is for what was deleted", texts, deleted)
}

// Listed returns the sentence that says that what was made is in the list of such things.
func Listed(texts []Text) *report.Evidence {
	return saysAlways("what was made is in the list", texts, inTheList)
}

// NewestFirst returns the sentence that says that the newest items come first in a list.
func NewestFirst(texts []Text) *report.Evidence {
	said := saysAlways("the newest items come first", texts, newest)
	for _, t := range texts {
		if said != nil && t.Place == said.Place && outranked.MatchString(t.Said) {
			return nil
		}
	}
	return said
}

// CountsAll returns the sentence that says of a total that it counts the items of all pages: "How
// many match the filters, on all pages together."
func CountsAll(t Text) *report.Evidence {
	return saysPlainly("it counts the items of all pages", t, countsAll, roughly)
}

// Only returns the sentence that says of a parameter that it keeps items out.
func Only(t Text) *report.Evidence {
	return says("the list has only items with this value", []Text{t}, onlySome)
}

// Bounds returns the sentence that says of a parameter that it bounds how many items a page has.
func Bounds(t Text) *report.Evidence {
	return says("it bounds how many items a page has", []Text{t}, maxItems)
}

// Pages returns the sentence that says of a parameter that it chooses a page.
func Pages(t Text) *report.Evidence { return says("it chooses a page", []Text{t}, ofPages) }

// Sorts returns the sentence that says of a parameter that it orders the items.
func Sorts(t Text) *report.Evidence { return says("it orders the items", []Text{t}, inOrder) }

// Sentences about the order of two members, of which the second is named: "must be after
// starts_on", "must not lie before `invoice_date`".
const (
	isLater   = `(?:after|later than|(?:not|neither|never) (?:be |lie |come )?(?:before|earlier than|less than|below|smaller than)|on or after|no earlier than|greater than|larger than|higher than|above|at least)`
	isEarlier = `(?:before|earlier than|(?:not|neither|never) (?:be |lie |come )?(?:after|later than|exceed|greater than|above|larger than)|on or before|no later than|less than|lower than|smaller than|below|at most|must not exceed|may not exceed)`
	between   = `[^.;:]{0,24}?`
)

// Later reports whether what is said of a member, or of the whole object, puts it behind another
// one, and Earlier whether it puts it before that.
func Later(own, whole, member, other string) bool { return ranks(isLater, own, whole, member, other) }

// Earlier is the contrary of Later.
func Earlier(own, whole, member, other string) bool {
	return ranks(isEarlier, own, whole, member, other)
}

func ranks(order, own, whole, member, other string) bool {
	other = "`?\\b" + regexp.QuoteMeta(other) + "\\b"
	named := "\\b" + regexp.QuoteMeta(member) + "\\b" + between
	return regexp.MustCompile("(?i)"+order+between+other).MatchString(own) || regexp.MustCompile("(?i)"+named+order+between+other).MatchString(whole)
}

// idOf matches descriptions such as "The id of the class."
var idOf = regexp.MustCompile(`(?i)^(?:the )?(?:id|identifier) of (?:the|an?) (\w+)\b`)

// IDOf returns what a description says that a member has the id of, or an empty text.
func IDOf(said string) string {
	if m := idOf.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// namesTime matches the names of members that say when something was or is.
var namesTime = regexp.MustCompile(`(?i)(date|time|year|month|day|when|age|version|born|released|published)$|_at$|(?-i:[a-z]At)$`)

// NamesTime reports whether the name of a member says that it has a time.
func NamesTime(name string) bool { return namesTime.MatchString(name) }

var (
	inOtherState = regexp.MustCompile(`\b(another|other) (state|status|phase|stage)s?\b|\b(state|status) other than\b`)
	otherwise    = regexp.MustCompile(`\botherwise\b(\W+\w+){0,6}?\W+(409|refused|rejected)\b|\b409 otherwise\b`)
	onlyOnce     = regexp.MustCompile(`\bonce\b.*\b(further|second|another|repeated)\b.*\b(refused|rejected|409)\b`)
	andNot       = regexp.MustCompile(`\W+(and|but) not\b.*$`)
	ofPermission = regexp.MustCompile(`\b(409|(can|may) (be|only)|allowed|possible|refused|rejected|cannot)\b`)
	ofRoles      = regexp.MustCompile(`\bonly (an?|the|its|their) (owner|author|creator|admin\w*|organi[sz]er|host|member|user|client)s?\b`)
)

// RefusedIn returns the sentence that clearly says that the operation is refused for a resource
// whose state was and is one of some values. It is empty if there is none, or if there are no such
// values. Again says that the operation itself changed the state.
func (b *StateBound) RefusedIn(values []string, was, is string, again bool) string {
	was, is = stateToken(was), stateToken(is)
	if b == nil || len(values) == 0 || was == is || was == "" || is == "" {
		return ""
	}
	others := []string{was}
	for _, v := range values {
		if v = stateToken(v); v != "" && v != is && v != was {
			others = append(others, v)
		}
	}
	spelled := speller(append([]string{is}, others...))
	// "It can be closed" says what is done, and not in which state.
	done := regexp.MustCompile(`\b(be|been|being) (` + alternatives(append([]string{is}, others[1:]...)) + `)\b`)
	for _, s := range b.said {
		said := stateSaid(andNot.ReplaceAllString(done.ReplaceAllString(spelled(s.said), "$1 done"), ""))
		if b.ofOther(said, append([]string{is}, others...)) {
			continue
		}
		refused := false
		if said.names(is) {
			refused = !slices.ContainsFunc(others, said.names) && said.refuses(is)
		} else {
			refused = said.allowsOnly(was) || again && (slices.ContainsFunc(others, said.allowsOnly) || onlyOnce.MatchString(string(said))) ||
				inOtherState.MatchString(string(said)) && leftOut(stateSaid(spelled(b.text)), others, is, again)
		}
		if refused {
			return s.written
		}
	}
	return ""
}

// ofOther reports whether a text is about the state of something else: "an active team".
func (b *StateBound) ofOther(said stateSaid, values []string) bool {
	ofWhat := regexp.MustCompile(`\b(` + alternatives(values) + `) ([a-z][a-z-]*)`)
	return slices.ContainsFunc(ofWhat.FindAllStringSubmatch(string(said), -1), func(m []string) bool { return b.others[m[2]] })
}

// leftOut reports whether a state is none of those in which a text allows an operation that it
// refuses in all others.
func leftOut(text stateSaid, others []string, is string, again bool) bool {
	return again && !text.beginsIn(is) || !text.names(is) && slices.ContainsFunc(others, text.names)
}

// stateSaid is a text in which each state is one word.
type stateSaid string

func (s stateSaid) names(state string) bool { return hasWord(string(s), state) }

// near reports whether the text has two things in this order, with at most so many words between
// them.
func (s stateSaid) near(first, second, maximum string) bool {
	return regexp.MustCompile(`\b(` + first + `)\b(\W+\w+){0,` + maximum + `}?\W+(` + second + `)\b`).MatchString(string(s))
}

// allowsOnly reports whether it says that only resources in a state are allowed.
func (s stateSaid) allowsOnly(state string) bool {
	if !s.names(state) {
		return false
	}
	state = regexp.QuoteMeta(state)
	return s.near(`only`, state, "5") && ofPermission.MatchString(string(s)) && !ofRoles.MatchString(string(s)) ||
		s.near(`(is|are|was|were) (no|not|no longer)( in| yet)?( an?| the)?( state| status)?|isn't( an?)?|aren't`, state, "0") ||
		s.near(`unless`, state, "5") ||
		s.near(`must|has to|have to|needs? to`, state, "3") && !s.near(state, `first|before`, "1") ||
		otherwise.MatchString(string(s))
}

// refuses reports whether it says that resources in a state are refused.
func (s stateSaid) refuses(state string) bool {
	state = regexp.QuoteMeta(state)
	if s.near(`not|isn't|aren't|never|unless|until|till|before|except|without|only|must|has to|have to|becomes?|to|into|as`, state, "2") || s.near(state, `first|before`, "1") {
		return false
	}
	return s.near(state, `cannot|can't|can no longer|takes? no|(is|are) (refused|rejected|answered with 409)|409`, "6") || s.near(`already`, state, "2")
}

// beginsIn reports whether it says more of a state than that an operation leads to it.
func (s stateSaid) beginsIn(state string) bool {
	state = regexp.QuoteMeta(state)
	all := regexp.MustCompile(`\b`+state+`\b`).FindAllString(string(s), -1)
	led := regexp.MustCompile(`(\b(to|into|becomes?|become|is|are|as)( an?)? |(→|->) *|\bmakes?\b(\W+\w+){0,6}?\W+)`+state+`\b`).FindAllString(string(s), -1)
	return len(all) > len(led)
}

// stateToken returns a value as one word: "in progress", "in-progress" and "in_progress" are the
// same.
func stateToken(value string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(value), func(c rune) bool { return c == ' ' || c == '-' || c == '_' }), "_")
}

// speller returns a function that writes each of some tokens in a text as one word.
func speller(tokens []string) func(text string) string {
	split := slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return !strings.Contains(t, "_") })
	if len(split) == 0 {
		return func(text string) string { return text }
	}
	re := regexp.MustCompile(`\b(` + strings.ReplaceAll(alternatives(split), "_", "[ _-]") + `)\b`)
	return func(text string) string { return re.ReplaceAllStringFunc(text, stateToken) }
}

// alternatives returns an expression that matches each of some words.
func alternatives(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, regexp.QuoteMeta(w))
	}
	return strings.Join(out, "|")
}

var (
	neverBack = regexp.MustCompile(`(?i)\b(never|not|no longer)\b.{0,30}\b(returned|shown?|sent back|included|part of|present|appears?|visible|disclosed|exposed|given back|comes? back)\b`)
	sometimes = regexp.MustCompile(`(?i)\b(unless|except|by default|again|once|after|afterwards|later|other than)\b`)
)

// NeverBack returns the sentence that says of a member that no answer has it: "It is never returned."
func NeverBack(t Text) *report.Evidence {
	return saysPlainly("no answer has it", t, neverBack, sometimes)
}

// sentAgain matches what descriptions say of a request that is sent again.
var sentAgain = regexp.MustCompile(`(?i)\b(idempoten\w*|same|repeat\w*|retr(y|ies|ied|ying)|replay\w*|again|duplicates?|twice|once)\b`)

// SentAgain returns the description of a header field by whose value a server knows a request that
// is sent again, such as Idempotency-Key.
func SentAgain(field string, t Text) *report.Evidence {
	if !strings.HasPrefix(Flat(trimX(field)), "idempotency") || !sentAgain.MatchString(t.Said) {
		return nil
	}
	return &report.Evidence{Fact: "a request that is sent again makes nothing new", Place: t.Place, Quote: t.Said}
}

var (
	sentenceEnd   = regexp.MustCompile(`[.;!?]\s|\n\s*\n`)
	ofConditional = regexp.MustCompile(`(?i)\b304\b|not modified|if-none-match`)
	ofChoice      = regexp.MustCompile(`(?i)\b(may|might|can|could)\s+(\w+\s+)?(answer|return|respond|reply|result|yield|get|receive|be)\b|\boptional`)
)

// MayCompare returns the sentence that says only that the answer to a request with If-None-Match
// can be 304: "GET takes If-None-Match and may answer 304."
func MayCompare(ofAnswer Text, others []Text) *report.Evidence {
	const fact = "the answer may be another one than 304"
	var out *report.Evidence
	if ofChoice.MatchString(ofAnswer.Said) {
		out = &report.Evidence{Fact: fact, Place: ofAnswer.Place, Quote: ofAnswer.Said}
	}
	for _, t := range others {
		for _, sentence := range sentenceEnd.Split(t.Said, -1) {
			if ofConditional.MatchString(sentence) && ofChoice.MatchString(sentence) {
				out = cmp.Or(out, &report.Evidence{Fact: fact, Place: t.Place, Quote: sentence})
			}
		}
	}
	return out
}
