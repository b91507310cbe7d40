package serialize

import (
	"errors"
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// flat is a value whose parts are texts: one, a list, or a list with names.
type flat struct {
	kind  jsontree.Kind // String, Array or Object
	texts []string
	names []string
}

// flatten returns the texts of a value. No style can write anything deeper.
func flatten(v *jsontree.Value) (flat, error) {
	if v == nil {
		return flat{}, errors.New("no value: give one")
	}
	if v.Raw == "" && (v.Kind == jsontree.Array || v.Kind == jsontree.Object) {
		out := flat{kind: v.Kind}
		for _, item := range v.Items {
			text, err := Scalar(item)
			if err != nil {
				return flat{}, err
			}
			out.texts = append(out.texts, text)
		}
		for _, m := range v.Members {
			text, err := Scalar(m.Value)
			if err != nil {
				return flat{}, fmt.Errorf("member %q: %w", m.Name, err)
			}
			out.names, out.texts = append(out.names, m.Name), append(out.texts, text)
		}
		return out, nil
	}
	text, err := Scalar(v)
	return flat{kind: jsontree.String, texts: []string{text}}, err
}

// Scalar returns the text of a string, number or boolean. Any other value has none.
func Scalar(v *jsontree.Value) (string, error) {
	switch {
	case v == nil:
	case v.Raw != "":
		return v.Raw, nil
	case v.Kind == jsontree.Bool && v.Bool:
		return "true", nil
	case v.Kind == jsontree.Bool:
		return "false", nil
	case v.Kind == jsontree.Number || v.Kind == jsontree.String:
		return v.Text, nil
	case v.Kind != jsontree.Null:
		return "", fmt.Errorf("an %s inside has no text: send a flat value", v.Kind)
	}
	return "", errors.New("null has no text: leave it out")
}

// empty reports whether the value writes nothing.
func (f flat) empty() bool { return len(f.texts) == 0 }

// join writes the parts with a separator between them. The names stand before
// their values, as parts of their own or, exploded, with "=".
func (f flat) join(separator string, explode bool, esc func(string) string) string {
	var parts []string
	for i, text := range f.texts {
		switch {
		case f.kind == jsontree.Object && explode:
			parts = append(parts, esc(f.names[i])+"="+esc(text))
		case f.kind == jsontree.Object:
			parts = append(parts, esc(f.names[i]), esc(text))
		default:
			parts = append(parts, esc(text))
		}
	}
	return strings.Join(parts, separator)
}

// each is join for pairs of their own: the name of the parameter with each item,
// or, for an object, the names of its members.
func (f flat) each(name string, esc func(string) string) []string {
	var out []string
	for i, text := range f.texts {
		if f.kind == jsontree.Object {
			name = esc(f.names[i])
		}
		out = append(out, name+"="+esc(text))
	}
	return out
}

// refuse returns an error if a part has one of the characters: there is no way to
// write them in this style.
func (f flat) refuse(p *openapi.Parameter, chars string) error {
	if f.kind == jsontree.String {
		return nil
	}
	for _, list := range [][]string{f.texts, f.names} {
		for _, text := range list {
			if i := strings.IndexAny(text, chars); i >= 0 {
				return fmt.Errorf("style %s has no form for %q inside: choose another value", p.Style, text[i:i+1])
			}
		}
	}
	return nil
}

// content returns the text of a parameter with content, as one string.
func content(p *openapi.Parameter, v *jsontree.Value) (*jsontree.Value, error) {
	if p.Media == "" || v == nil {
		return v, nil
	}
	if openapi.IsJSON(p.Media) {
		style := jsontree.Style{}
		if p.In == "header" {
			style.Escape = jsontree.ASCII
		}
		return jsontree.NewString(string(v.EmitStyle(style))), nil
	}
	text, err := Scalar(v)
	return jsontree.NewString(text), err
}
