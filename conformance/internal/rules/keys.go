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

// keyName returns the name of the last expression of a path, or an empty text.
func keyName(op *contract.Operation) string {
	names := contract.Expressions(op.Path)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1]
}

// keySent returns the value of the last expression of a path, as it was sent, or nil.
func keySent(op *contract.Operation, sent *request.Sent) *jsontree.Value {
	name := keyName(op)
	if name == "" {
		return nil
	}
	return sent.Body.At(contract.PathPlace(name))
}
