package contract

import (
	"net/http"
	"regexp"
	"strings"

	"plantstore/conformance/report"
)

// Replaces is the sentence that says that a PUT replaces everything. The zero value says nothing.
type Replaces struct{ Evidence *report.Evidence }

var replacesAll = regexp.MustCompile(`(?i)\breplaces? (everything|all (of |the )?(members|fields|properties|values|attributes)|the (whole|entire|complete|full) \w+|every (member|field|property|attribute))\b|\b(full|complete|entire) replacement\b`)

func (l *loader) replaces(op *Operation, pointer string) Replaces {
	if op.Method != http.MethodPut || op.Partial != nil {
		return Replaces{}
	}
	at := pointer + "/description"
	for sentence := range sentences(text(l.root, at)) {
		if replacesAll.MatchString(sentence) {
			return Replaces{&report.Evidence{Fact: "a PUT replaces everything", Place: at, Quote: sentence}}
		}
	}
	return Replaces{}
}

// Member reports whether it replaces a member: the sentence does not name it, as in "Replaces
// everything but the slug".
func (r Replaces) Member(name string) bool {
	return r.Evidence != nil && !wordIn(strings.ToLower(r.Evidence.Quote), strings.ToLower(name))
}
