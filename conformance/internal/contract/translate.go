package contract

import (
	"fmt"
	"net/url"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// translate gives a copy of the document in which every schema means in JSON
// Schema 2020-12 what it means in OpenAPI, for one direction. The members keep
// their places, so pointers into the copy are pointers into the document.
func translate(root *jsontree.Value, d Direction, openapi string) *jsontree.Value {
	out := root.Clone()
	old := strings.HasPrefix(openapi, "3.0")
	out.Walk(func(_ string, v *jsontree.Value) {
		if v.Kind != jsontree.Object {
			return
		}
		dropDirected(v, d)
		if old {
			nullable(v)
			exclusive(v, "exclusiveMinimum", "minimum")
			exclusive(v, "exclusiveMaximum", "maximum")
		}
	})
	return out
}

// dropDirected removes from "required" the members that the direction does not
// carry.
func dropDirected(v *jsontree.Value, d Direction) {
	flag := "readOnly"
	if d == Answers {
		flag = "writeOnly"
	}
	required, properties := v.Get("required"), v.Get("properties")
	if required == nil || properties == nil || required.Kind != jsontree.Array {
		return
	}
	kept := make([]*jsontree.Value, 0, len(required.Items))
	for _, n := range required.Items {
		p := properties.Get(n.Text)
		if f := p.Get(flag); f == nil || !f.Bool {
			kept = append(kept, n)
		}
	}
	required.Items = kept
}

// nullable turns the keyword of OpenAPI 3.0 into a type list.
func nullable(v *jsontree.Value) {
	n, t := v.Get("nullable"), v.Get("type")
	if n == nil || !n.Bool || t == nil || t.Kind != jsontree.String {
		return
	}
	v.Set("type", jsontree.NewArray(jsontree.NewString(t.Text), jsontree.NewString("null")))
}

// exclusive turns the boolean of OpenAPI 3.0 into the number of 2020-12.
func exclusive(v *jsontree.Value, flag, limit string) {
	f, l := v.Get(flag), v.Get(limit)
	if f == nil || f.Kind != jsontree.Bool {
		return
	}
	if f.Bool && l != nil && l.Kind == jsontree.Number {
		v.Set(flag, l)
		v.Remove(limit)
		return
	}
	v.Remove(flag)
}

// fragment writes a JSON pointer as a URI fragment (RFC 6901, section 6).
func fragment(pointer string) string {
	return (&url.URL{Path: pointer}).EscapedPath()
}

// unfragment undoes fragment and drops what stands before it.
func unfragment(location string) string {
	_, f, _ := strings.Cut(location, "#")
	if p, err := url.PathUnescape(f); err == nil {
		return p
	}
	return f
}

// oneLine keeps the first line of a library's message.
func oneLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s", line)
}
