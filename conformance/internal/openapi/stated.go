package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"

	"plantstore/conformance/internal/jsontree"
)

// forPeople are the keywords of OpenAPI and JSON Schema whose texts are for people, and ofValues those
// whose values requests and answers have.
var (
	forPeople = []string{"description", "summary", "title", "$comment"}
	ofValues  = []string{"example", "examples", "default", "enum", "const"}
)

// stated is a digest of what a document states: without its texts for people, its layout and its
// comments. A value that a request has depends on it, so that another wording changes no value.
func stated(v *jsontree.Value) string {
	h := sha256.New()
	addStated(h, v, false)
	return hex.EncodeToString(h.Sum(nil))
}

// addStated adds a value to a digest. Names reports whether the members of an object are named by
// the document: a property may be called title.
func addStated(h hash.Hash, v *jsontree.Value, names bool) {
	var b []byte
	write := func(kind byte, text string) {
		b = append(strconv.AppendInt(append(b[:0], kind), int64(len(text)), 10), ':')
		h.Write(append(b, text...)) // a hash never fails
	}
	switch v.Kind {
	case jsontree.Object:
		for _, m := range v.Members {
			if !names && m.Value.Kind == jsontree.String && slices.Contains(forPeople, m.Name) {
				continue
			}
			write('n', m.Name)
			if !names && slices.Contains(ofValues, m.Name) {
				write('v', string(m.Value.Emit()))
				continue
			}
			addStated(h, m.Value, !names && m.Name == "properties")
		}
		write('}', "")
	case jsontree.Array:
		for _, item := range v.Items {
			addStated(h, item, false)
		}
		write(']', "")
	default:
		write('v', string(v.Emit()))
	}
}
