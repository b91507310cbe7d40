package hints

import (
	"regexp"
	"slices"
	"strings"
)

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
func (s stateSaid) near(first, second, most string) bool {
	return regexp.MustCompile(`\b(` + first + `)\b(\W+\w+){0,` + most + `}?\W+(` + second + `)\b`).MatchString(string(s))
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
