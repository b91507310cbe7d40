// Package serialize writes the parameters of a request as text, and reads them
// back, by style, explode, allowReserved and content (OpenAPI 3.1, 4.8.12; RFC
// 6570; RFC 3986). It does the same for bodies that are not JSON: forms, texts and
// binary content (OpenAPI 3.1, 4.8.14 and 4.8.15; RFC 7578; RFC 1866).
//
// Reading gives back what writing has written: nothing is written that servers have to guess
// at. Reading takes any text.
package serialize

import (
	"errors"
	"fmt"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Encoded is what the parameters of a request are on the wire.
type Encoded struct {
	Path   string           // percent-encoded, from the template
	Query  string           // without "?"
	Header []exchange.Field // one field for each header parameter that has a value
	Cookie []string         // "name=value" pairs, for the one Cookie field
}

// Write writes the members path, query, header and cookie of values, each an object
// by parameter name, in their order. The template is a path of the document, such as
// "/a/{id}.json". A member of query, header or cookie that no parameter has is
// written by the default style. An empty array or object writes nothing (RFC 6570,
// 2.3).
func WriteParameters(template string, list []*openapi.Parameter, values *jsontree.Value) (Encoded, error) {
	var out Encoded
	var err error
	if out.Path, err = writePath(template, list, values.Get("path")); err != nil {
		return Encoded{}, err
	}
	pairs, err := writeAll(list, "query", values.Get("query"), writeQuery)
	if err != nil {
		return Encoded{}, err
	}
	out.Query = strings.Join(pairs, "&")
	if out.Cookie, err = writeAll(list, "cookie", values.Get("cookie"), writeCookie); err != nil {
		return Encoded{}, err
	}
	for _, m := range membersOf(values.Get("header")) {
		p := named(list, "header", m.Name)
		text, ok, err := writeHeader(p, m.Value)
		if err != nil {
			return Encoded{}, noText(p, err)
		}
		switch {
		case ok && !exchange.IsToken(p.Name):
			return Encoded{}, noText(p, errors.New("the name is no token (RFC 9110, 5.6.2): choose another one"))
		case ok:
			out.Header = append(out.Header, exchange.Field{Name: p.Name, Value: text})
		}
	}
	return out, nil
}

// WriteForm writes the members of an object as the pairs of a form: like a query,
// but with blanks as "+" (RFC 1866, 8.2.1).
func WriteForm(list []*openapi.Parameter, v *jsontree.Value) (string, error) {
	pairs, err := writeAll(list, "query", v, writeQuery)
	return strings.ReplaceAll(strings.Join(pairs, "&"), "%20", "+"), err
}

func writeAll(list []*openapi.Parameter, in string, v *jsontree.Value, write func(*openapi.Parameter, *jsontree.Value) ([]string, error)) ([]string, error) {
	var out []string
	for _, m := range membersOf(v) {
		p := named(list, in, m.Name)
		pairs, err := write(p, m.Value)
		if err != nil {
			return nil, noText(p, err)
		}
		out = append(out, pairs...)
	}
	return out, nil
}

func noText(p *openapi.Parameter, err error) error {
	return fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
}

func membersOf(v *jsontree.Value) []jsontree.Member {
	if v == nil {
		return nil
	}
	return v.Members
}

// named returns the parameter of that name, or one with the defaults.
func named(list []*openapi.Parameter, in, name string) *openapi.Parameter {
	for _, p := range list {
		if p.In == in && (p.Name == name || in == "header" && strings.EqualFold(p.Name, name)) {
			return p
		}
	}
	style := "form"
	if in == "header" || in == "path" {
		style = "simple"
	}
	return &openapi.Parameter{Name: name, In: in, Style: style, Explode: style == "form"}
}

// writePath fills the template in.
func writePath(template string, list []*openapi.Parameter, v *jsontree.Value) (string, error) {
	var out []string
	for _, parts := range readTemplate(template) {
		var segment strings.Builder
		for _, p := range parts {
			if !p.expression {
				segment.WriteString(escapeLiteral(p.text))
				continue
			}
			param := named(list, "path", p.text)
			text, err := writeExpression(param, v.Get(p.text))
			if err != nil {
				return "", noText(param, err)
			}
			segment.WriteString(text)
		}
		text := segment.String()
		if len(parts) > 0 && (text == "." || text == "..") {
			return "", fmt.Errorf("path %s: a segment %q is removed on the way: choose another value", template, text)
		}
		out = append(out, text)
	}
	for _, m := range membersOf(v) {
		if !strings.Contains(template, "{"+m.Name+"}") {
			return "", fmt.Errorf("path %s has no {%s}: remove the value", template, m.Name)
		}
	}
	return strings.Join(out, "/"), nil
}
