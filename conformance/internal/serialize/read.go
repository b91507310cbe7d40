package serialize

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Reading is what the bytes of a request say.
type ParameterReading struct {
	// Values has a section for each place that has parameters, in the order path, query,
	// header, cookie. Their members are in the order of the list.
	Values *jsontree.Value
	// Reasons say why a server may refuse a value or read it otherwise, with paths
	// such as "/query/limit".
	Reasons []schema.Reason
	// Unknown are the names in the query and in cookies that no parameter has, such
	// as "/query/x". A header that no parameter has means nothing.
	Unknown []string
	// Ambiguous reports whether servers may split a value in different ways. A reason
	// says where.
	Ambiguous bool
	// Mismatch reports whether the path does not match the template.
	Mismatch bool
}

// reader collects a reading.
type reader struct {
	out   *ParameterReading
	said  map[schema.Reason]bool   // made with the first reason: most requests give none
	kinds map[*schema.Schema]kinds // made with the first value
}

func newReader() *reader {
	return &reader{out: &ParameterReading{Values: jsontree.NewObject()}}
}

// Read reads what Write writes, and anything else.
func ReadParameters(template string, list []*openapi.Parameter, got Encoded) *ParameterReading {
	r := newReader()
	for _, section := range []struct {
		name  string
		given bool // something is read even where no parameter is expected
		read  func([]*openapi.Parameter) []*jsontree.Value
	}{
		{"path", true, func(of []*openapi.Parameter) []*jsontree.Value { return r.path(template, of, got.Path) }},
		{"query", got.Query != "", func(of []*openapi.Parameter) []*jsontree.Value {
			return newPairs(r, "/query", of, got.Query, false).values()
		}},
		{"header", false, func(of []*openapi.Parameter) []*jsontree.Value { return r.header(of, got.Header) }},
		{"cookie", len(got.Cookie) > 0, func(of []*openapi.Parameter) []*jsontree.Value {
			return newCookies(r, of, got.Cookie).values()
		}},
	} {
		var of []*openapi.Parameter
		for _, p := range list {
			if p.In == section.name {
				of = append(of, p)
			}
		}
		if len(of) == 0 && !section.given {
			continue
		}
		object := jsontree.NewObject()
		for i, v := range section.read(of) {
			if v != nil {
				object.Members = append(object.Members, jsontree.M(of[i].Name, v))
			}
		}
		if len(of) > 0 {
			r.out.Values.Members = append(r.out.Values.Members, jsontree.M(section.name, object))
		}
	}
	return r.out
}

// ReadForm reads what WriteForm writes. Values is the object itself, and its
// members are at "/name".
func ReadForm(list []*openapi.Parameter, text string) *ParameterReading {
	r := newReader()
	for i, v := range newPairs(r, "", list, text, true).values() {
		if v != nil {
			r.out.Values.Members = append(r.out.Values.Members, jsontree.M(list[i].Name, v))
		}
	}
	return r.out
}

// Twice is why a server may refuse a parameter that comes several times and is no list.
const Twice = "twice"

// because adds a reason, once.
func (r *reader) because(path, what string) {
	reason := schema.Reason{Path: path, What: what}
	if !r.said[reason] && len(r.out.Reasons) < maxReasons {
		if r.said == nil {
			r.said = map[schema.Reason]bool{}
		}
		r.said[reason] = true
		r.out.Reasons = append(r.out.Reasons, reason)
	}
}

// maxReasons bounds the reasons that are listed.
const maxReasons = 256

func (r *reader) ambiguous(path, what string) {
	r.out.Ambiguous = true
	r.because(path, what)
}

func (r *reader) kindsOf(s *schema.Schema) kinds {
	k, ok := r.kinds[s]
	if !ok {
		if r.kinds == nil {
			r.kinds = map[*schema.Schema]kinds{}
		}
		k = kindsOf(s, 0)
		r.kinds[s] = k
	}
	return k
}

// scalar reads one text by its schema.
func (r *reader) scalar(s *schema.Schema, text, path string) *jsontree.Value {
	v, reasons := scalar(s, r.kindsOf(s), text)
	for _, what := range reasons {
		r.because(path, what)
	}
	return v
}

// content reads the text of a parameter with content.
func (r *reader) content(p *openapi.Parameter, text, path string) *jsontree.Value {
	if !openapi.IsJSON(p.Media) {
		return r.scalar(p.Schema, text, path)
	}
	v, reasons := JSON(p.Schema, text)
	for _, what := range reasons {
		r.because(path, what)
	}
	return v
}

// The bounds of a JSON text inside another text.
const (
	jsonDepth = 64
	jsonNodes = 100_000
)

// JSON reads a JSON text inside another text. A text that is not JSON is a string, with
// a reason if the schema allows strings.
func JSON(s *schema.Schema, text string) (*jsontree.Value, []string) {
	doc, err := jsontree.ParseText(text, jsonDepth, jsonNodes)
	if err != nil {
		if kindsOf(s, 0)&isText == 0 {
			return jsontree.NewString(text), nil
		}
		return jsontree.NewString(text), []string{"not JSON"}
	}
	var reasons []string
	for _, i := range doc.Issues {
		reasons = append(reasons, i.Kind.String())
	}
	return doc.Root, reasons
}

// characters adds the reasons that lie in the characters of a decoded text.
func (r *reader) characters(text, path string) {
	for i, c := range text {
		switch {
		case c == 0:
			r.because(path, "NUL")
		case unicode.Is(unicode.Cc, c):
			r.because(path, "control character")
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			r.because(path, "invalid UTF-8")
		}
	}
}

func below(path, name string) string { return path + "/" + jsontree.EscapePointer(name) }

// itemsSeen bounds the items for which schemas of their own are looked up.
const itemsSeen = 256

// list reads the texts of an array.
func (r *reader) list(s *schema.Schema, texts []string, path string) *jsontree.Value {
	out := jsontree.NewArray()
	own := min(prefixed(s), itemsSeen)
	rest := Item(s, own)
	for i, text := range texts {
		item := rest
		if i < own {
			item = Item(s, i)
		}
		if text == "" {
			r.because(path+"/*", "empty item")
		}
		out.Items = append(out.Items, r.scalar(item, text, path+"/*"))
	}
	return out
}

// object reads the texts of an object. The first of members with one name counts.
func (r *reader) object(s *schema.Schema, names, texts []string, path string) *jsontree.Value {
	out, seen := jsontree.NewObject(), map[string]bool{}
	for i, name := range names {
		at := below(path, name)
		if seen[name] {
			r.because(at, Twice)
			continue
		}
		seen[name] = true
		member, _ := Member(s, name)
		out.Members = append(out.Members, jsontree.M(name, r.scalar(member, texts[i], at)))
	}
	return out
}

// quoted shows the beginning of a text in a reason.
func quoted(text string) string { return strconv.Quote(jsontree.Cut(text, longestShown)) }

// lenient returns the value that a lenient reader takes a text for, with the reason,
// or nil if there is none.
func lenient(k kinds, text string) (*jsontree.Value, string) {
	trimmed := strings.TrimSpace(text)
	if k&isWhole != 0 {
		if n := cmp.Or(otherBase(trimmed), lenientNumber(trimmed)); n != "" {
			return jsontree.NewNumber(n), "number spelled " + jsontree.Cut(text, longestShown)
		}
	}
	if k&isBool != 0 {
		switch strings.ToLower(trimmed) {
		case "true", "t", "yes", "y", "on", "1":
			return jsontree.NewBool(true), "boolean spelled " + jsontree.Cut(text, longestShown)
		case "false", "f", "no", "n", "off", "0":
			return jsontree.NewBool(false), "boolean spelled " + jsontree.Cut(text, longestShown)
		}
	}
	if k&isNull != 0 && k != anyKind && strings.EqualFold(trimmed, "null") {
		return jsontree.NewNull(), "null as text"
	}
	return nil, ""
}

// otherBase returns the JSON number that is meant by digits behind the prefix of their base, as
// JavaScript's Number and validators that are built on it read them. It is empty if the text is
// no such number. How a server turns text into numbers is not specified (OpenAPI 3.1.1,
// appendix B).
func otherBase(text string) string {
	if len(text) < 3 || text[0] != '0' || !strings.ContainsRune("xXoObB", rune(text[1])) {
		return ""
	}
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[text[1]|0x20]
	if n, ok := new(big.Int).SetString(text[2:], base); ok && text[2] != '-' && text[2] != '+' {
		return n.String()
	}
	return ""
}

// lenientNumber returns the JSON number that is meant by a text with a plus sign,
// leading zeros, a point at an end, underscores between digits, or digits of another
// script. It is empty if the text means none.
func lenientNumber(text string) string {
	var b strings.Builder
	previous := rune(0)
	for i, c := range text {
		switch {
		case c < 0x80 && c != '_':
			b.WriteRune(c)
		case c == '_' && unicode.IsDigit(previous) && i+1 < len(text) && text[i+1] != '_':
			if next := []rune(text[i+1 : min(len(text), i+5)])[0]; !unicode.IsDigit(next) {
				return ""
			}
		case unicode.IsDigit(c):
			b.WriteByte('0' + digitValue(c))
		default:
			return ""
		}
		previous = c
	}
	text = b.String()
	sign := ""
	switch {
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	case strings.HasPrefix(text, "-"):
		sign, text = "-", text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" {
		return ""
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point && fraction != "" {
		whole += "." + fraction
	}
	if n := sign + whole + exponent; jsontree.ValidNumber(n) {
		return n
	}
	return ""
}

// digitValue returns the value of a decimal digit: those of a script follow each
// other from zero (Unicode, 4.6).
func digitValue(c rune) byte {
	for _, r := range unicode.Nd.R16 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return byte((c - rune(r.Lo)) % 10)
		}
	}
	for _, r := range unicode.Nd.R32 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return byte((c - rune(r.Lo)) % 10)
		}
	}
	return 0
}
