package checks

import (
	"net/http"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// short reports whether a key is one that something else may have by chance.
func short(key *jsontree.Value) bool {
	const least = 8
	return utf8.RuneCountInString(key.Text) < least
}

// missedRead returns the last request that read the thing which a PUT names, if it did not find
// it. It is nil if there is none, and if the key may be in use by chance.
func missedRead(p *rule.Input) *rule.Earlier {
	key, read := keySent(p.Op, p.Sent), p.Last(http.MethodGet)
	if key == nil || short(key) || read == nil || read.Got == nil || !read.Got.Missing() {
		return nil
	}
	if asked := keySent(read.Op, read.Sent); asked == nil || asked.Text != key.Text {
		return nil
	}
	return read
}

// keyName returns the name of the last expression of a path, or an empty text.
func keyName(op *openapi.Operation) string {
	names := openapi.Expressions(op.Path)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1]
}

// keySent returns the value of the last expression of a path, as it was sent, or nil.
func keySent(op *openapi.Operation, sent *message.Sent) *jsontree.Value {
	name := keyName(op)
	if name == "" {
		return nil
	}
	return sent.Body.At(openapi.PathPlace(name))
}
