package rules

import (
	"unicode/utf8"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
)

// short reports whether a key is one that something else may have by chance.
func short(key *jsontree.Value) bool {
	const least = 8
	return utf8.RuneCountInString(key.Text) < least
}

// keySent returns the key that ends the path of a request, as it was sent, or nil.
func keySent(op *contract.Operation, sent *request.Sent) *jsontree.Value {
	names := contract.Expressions(op.Path)
	if len(names) == 0 {
		return nil
	}
	return sent.Body.At(contract.PathPlace(names[len(names)-1]))
}
