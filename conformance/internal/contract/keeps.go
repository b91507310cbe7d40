package contract

import (
	"net/http"
	"regexp"
	"strings"
)

// Sentences that say that a PATCH leaves all but the members that it has as they are.
var (
	keepsRest = regexp.MustCompile(`(?i)\b(omitted|left out|absent|missing|(not|n't) (be )?(given|sent|provided|included|present|specified|supplied|set|passed|named)|(all|any) others?|(all|the|any) other (members|fields|properties|attributes|values))\b.{0,40}\b(keep|keeps|kept|unchanged|untouched|remains?|retains?|retained|stays?|preserved|not (be )?(changed|modified|touched))\b`)
	onlyGiven = regexp.MustCompile(`(?i)\bonly (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b.{0,40}\b(changed?|updated?|modified|replaced)\b|\b(changes?|updates?|modif(?:y|ies)|replaces?) only (the )?(members|fields|properties|attributes|values) (that|which|you|given|sent|provided|present|supplied|in)\b`)
)

// keeps returns where the document says that members which a request leaves out keep their
// values: in what it says of the operation, of the request or of its schema.
func (l *loader) keeps(op *Operation, pointer string) string {
	if op.Method != http.MethodPatch || op.Body == nil || op.Body.Shape == nil || op.Whole {
		return ""
	}
	body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
	for _, at := range []string{pointer, body, op.Body.Shape.Schema.Pointer} {
		v := l.root.At(at)
		if at != "" && v.Get("$ref") != nil {
			at, v = l.resolve(at)
		}
		for _, name := range []string{"/description", "/summary"} {
			says := strings.Join(strings.Fields(text(v, name)), " ")
			for sentence := range strings.SplitSeq(says, ". ") {
				if keepsRest.MatchString(sentence) || onlyGiven.MatchString(sentence) {
					return at + name
				}
			}
		}
	}
	return ""
}
