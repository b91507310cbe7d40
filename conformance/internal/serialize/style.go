package serialize

import (
	"errors"
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// writeExpression writes what stands for {name} in a path.
func writeExpression(p *openapi.Parameter, v *jsontree.Value) (string, error) {
	f, err := flattened(p, v)
	if err != nil {
		return "", err
	}
	if strings.Join(f.texts, "") == "" {
		return "", errors.New("an empty value has no text in a path: give another one")
	}
	esc := escaper(p, f, segmentKeep)
	switch {
	case p.Media != "":
		return f.join(",", false, esc), nil
	case p.Style == "label":
		if !p.Explode {
			return "." + f.join(",", false, esc), nil
		}
		return "." + f.join(".", true, esc), f.refuse(p, ".")
	case p.Style == "matrix" && p.Explode:
		return ";" + strings.Join(f.each(escape(p.Name, ""), esc), ";"), nil
	case p.Style == "matrix":
		return ";" + escape(p.Name, "") + "=" + f.join(",", false, esc), nil
	case p.Style == "simple":
		return f.join(",", p.Explode, esc), nil
	}
	return "", unknownStyle(p)
}

// writeQuery writes the pairs of a query parameter.
func writeQuery(p *openapi.Parameter, v *jsontree.Value) ([]string, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return nil, err
	}
	esc, name := escaper(p, f, reservedKeep), escape(p.Name, "")
	separator, taken := ",", "" // a comma inside is escaped
	switch style := p.Style; {
	case p.Media != "":
		return f.each(name, esc), nil
	case style == "deepObject":
		return writeDeep(p, f, esc)
	case style == "spaceDelimited":
		separator, taken = "%20", " "
	case style == "pipeDelimited":
		separator, taken = "%7C", "|"
	case style != "form":
		return nil, unknownStyle(p)
	}
	if p.Explode {
		return f.each(name, esc), nil
	}
	return []string{name + "=" + f.join(separator, false, esc)}, f.refuse(p, taken)
}

func writeDeep(p *openapi.Parameter, f flat, esc func(string) string) ([]string, error) {
	if f.kind != jsontree.Object {
		return nil, errors.New("style deepObject writes objects alone: send an object")
	}
	var out []string
	for i, text := range f.texts {
		key := f.names[i]
		if key == "" || strings.ContainsAny(key, "[]") {
			return nil, fmt.Errorf("style deepObject has no form for the member %q: choose another name", key)
		}
		out = append(out, escape(p.Name+"["+key+"]", "")+"="+esc(text))
	}
	return out, nil
}

// writeHeader writes the value of a field; false if there is none. A field has no
// percent-encoding, so what it cannot hold has no text (RFC 9110, 5.5).
func writeHeader(p *openapi.Parameter, v *jsontree.Value) (string, bool, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return "", false, err
	}
	if f.kind != jsontree.String {
		for _, part := range append(f.texts[:len(f.texts):len(f.texts)], f.names...) {
			if part != strings.Trim(part, " \t") {
				return "", false, errors.New("blanks at the end of an item of a header are not kept: choose another value")
			}
		}
		if err := f.refuse(p, ","); err != nil {
			return "", false, err
		}
		if strings.Contains(strings.Join(f.names, ""), "=") && p.Explode {
			return "", false, errors.New("an exploded object in a header has no form for a name with \"=\": choose another name")
		}
	}
	text := f.join(",", p.Explode, func(text string) string { return text })
	if text != strings.Trim(text, " \t") {
		return "", false, errors.New("blanks at the end of a header are not kept: choose another value")
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c > '~' {
			return "", false, fmt.Errorf("a header cannot hold the byte %#02x: choose another value", c)
		}
	}
	return text, true, nil
}

// writeCookie writes the pairs of a cookie parameter. Exploded parts are pairs of
// their own: "&" means nothing in a Cookie field (RFC 6265, 4.2.1).
func writeCookie(p *openapi.Parameter, v *jsontree.Value) ([]string, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return nil, err
	}
	keep := cookieKeep
	if f.kind == jsontree.String {
		keep += "&="
	}
	esc := func(text string) string { return escape(text, keep) }
	if p.Style == "cookie" { // nothing is escaped (OpenAPI 3.2, 4.12.6)
		esc = func(text string) string { return text }
		for _, text := range f.texts {
			if escape(text, cookieKeep+"&=%,") != text {
				return nil, fmt.Errorf("a cookie cannot hold %q without an escape: choose another value", text)
			}
		}
		if err := f.refuse(p, ","); err != nil && !p.Explode {
			return nil, err
		}
	}
	names := []string{p.Name}
	if f.kind == jsontree.Object && p.Explode {
		names = f.names
	}
	for _, name := range names {
		if name == "" || escape(name, "!#$&'*+^`|") != name {
			return nil, fmt.Errorf("%q is no name of a cookie: choose another one", name)
		}
	}
	if p.Explode || p.Media != "" {
		return f.each(p.Name, esc), nil
	}
	return []string{p.Name + "=" + f.join(",", false, esc)}, nil
}

// flattened returns the texts of a value by content or by style.
func flattened(p *openapi.Parameter, v *jsontree.Value) (flat, error) {
	v, err := content(p, v)
	if err != nil {
		return flat{}, err
	}
	return flatten(v)
}

// escaper returns how texts are percent-encoded. Inside a list the comma and "="
// are delimiters.
func escaper(p *openapi.Parameter, f flat, reserved string) func(string) string {
	keep := ""
	if p.AllowReserved {
		keep = reserved
		if f.kind == jsontree.String {
			keep += ",="
		}
	}
	return func(text string) string { return escape(text, keep) }
}

func unknownStyle(p *openapi.Parameter) error {
	return fmt.Errorf("style %q is none of a %s parameter: correct the document", p.Style, p.In)
}
