// Package yamltree reads YAML or JSON text into a jsontree.Value and remembers
// where each node stands, so that a complaint about a document can name its
// line and column.
//
// Plain scalars follow the core schema of YAML 1.2 (section 10.3), not the
// looser habits of YAML 1.1: yes, 0b1 and 1_000 are strings.
package yamltree

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"plantstore/conformance/internal/jsontree"
)

// The limits that keep a hostile document cheap.
const (
	maxDepth = 1000
	maxNodes = 1_500_000
)

// Tree is one document and the place of its nodes.
type Tree struct {
	Root *jsontree.Value
	// Faults are the members that ParseLoosely could not read as they are.
	Faults []Fault

	name   string
	loose  bool
	places places
	sizes  sizes
}

// Error is a complaint about the text of a document.
type Error struct {
	Name      string
	Line, Col int // counted from 1, the column in characters
	Msg       string
	one       bool // about one value: the others can be read
}

// about says that an error is about one value.
func (e *Error) about() *Error {
	e.one = true
	return e
}

// Error gives "name:line:col: what" in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.Msg)
}

// Parse reads one document. Text that is JSON is read as such; a file named
// .json must be. Every error is an *Error. Refused by name: duplicate keys,
// several documents, keys that are not scalars, tags outside the
// core schema, .inf and .nan, nesting beyond 1000, more than 1.5 million nodes.
// Merge keys (<<) and aliases are resolved; their nodes stand where the anchor does.
func Parse(name string, b []byte) (*Tree, error) { return parse(name, b, usual(), false) }

func parse(name string, b []byte, s sizes, loose bool) (*Tree, error) {
	text := strings.TrimPrefix(string(b), "\uFEFF")
	t := &Tree{name: name, sizes: s, loose: loose}
	if i := invalidUTF8(text); i >= 0 {
		return nil, t.errAt(placeOf(text, i), "invalid UTF-8")
	}
	isJSON, err := t.parseJSON(text)
	if isJSON || strings.EqualFold(filepath.Ext(name), ".json") {
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	if err := t.parseYAML(text); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Tree) errAt(p place, format string, args ...any) *Error {
	msg := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return &Error{Name: t.name, Line: int(max(p.line, 1)), Col: int(max(p.col, 1)), Msg: msg}
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

// typed types an unquoted scalar by the core schema (YAML 1.2.2, section
// 10.3.2). The message is not empty if JSON has no such value.
func typed(s string) (v *jsontree.Value, msg string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return jsontree.NewNull(), ""
	case "true", "True", "TRUE":
		return jsontree.NewBool(true), ""
	case "false", "False", "FALSE":
		return jsontree.NewBool(false), ""
	case ".nan", ".NaN", ".NAN":
		return nil, s + " has no JSON value"
	}
	unsigned := strings.TrimLeft(s, "+-")
	switch unsigned {
	case ".inf", ".Inf", ".INF":
		if len(s)-len(unsigned) <= 1 {
			return nil, s + " has no JSON value"
		}
	}
	if n, ok, msg := number(s); ok || msg != "" {
		return n, msg
	}
	return jsontree.NewString(s), ""
}

// maxBased bounds hexadecimal and octal numbers, whose conversion is not linear.
const maxBased = 1000

// number reads an int or float of the core schema. A spelling that is JSON's
// too is kept; any other is brought to the nearest one.
func number(s string) (v *jsontree.Value, ok bool, msg string) {
	if jsontree.ValidNumber(s) {
		return jsontree.NewNumber(s), true, ""
	}
	for prefix, base := range map[string]int{"0x": 16, "0o": 8} {
		if rest, found := strings.CutPrefix(s, prefix); found && based(rest, base) {
			if len(rest) > maxBased {
				return nil, false, "number of too many digits"
			}
			n, _ := new(big.Int).SetString(rest, base)
			return jsontree.NewNumber(n.String()), true, ""
		}
	}
	sign, rest := "", s
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || strings.TrimLeft(whole+fraction, "0123456789") != "" {
		return nil, false, ""
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	spelled := sign + whole + fraction + exponent
	if !jsontree.ValidNumber(spelled) {
		return nil, false, ""
	}
	return jsontree.NewNumber(spelled), true, ""
}

func based(s string, base int) bool {
	digits := "0123456789abcdefABCDEF"
	if base == 8 {
		digits = "01234567"
	}
	return s != "" && strings.Trim(s, digits) == ""
}

// parseJSON reads the text by JSON's own grammar, which is exact where YAML
// readers differ (escapes, tabs, numbers). It reports whether the text is JSON;
// an error may come with either answer.
func (t *Tree) parseJSON(text string) (bool, error) {
	d, err := jsontree.ParseText(text, maxDepth, maxNodes)
	var syntax *jsontree.SyntaxError
	var depth *jsontree.DepthError
	var size *jsontree.SizeError
	switch {
	case errors.As(err, &syntax):
		return false, t.errAt(placeOf(text, syntax.Offset), "%s", syntax.Msg)
	case errors.As(err, &depth):
		return false, t.errAt(placeOf(text, depth.Offset), "nested deeper than %d", maxDepth)
	case errors.As(err, &size):
		return true, t.errAt(placeOf(text, size.Offset), "more than %d values: split the document", maxNodes)
	}
	twice := false
	for _, i := range d.Issues {
		switch {
		case i.Kind == jsontree.DuplicateName && t.loose:
			twice = true
		case i.Kind == jsontree.DuplicateName:
			name, _ := jsontree.UnescapePointer(i.Pointer[strings.LastIndexByte(i.Pointer, '/')+1:])
			return true, t.errAt(placeOf(text, i.Offset), "duplicate key %q", name)
		default:
			return true, t.errAt(placeOf(text, i.Offset), "%s", i.Kind)
		}
	}
	if twice {
		t.onlyFirst(d.Root, text)
	}
	t.Root, t.places.json = d.Root, text
	return true, nil
}

// Fault is a member that cannot be read as it is. A key that is there twice keeps its first value:
// readers differ in which one they take. A value that JSON does not have is null.
type Fault struct {
	In    *jsontree.Value
	Name  string
	Err   *Error // the complaint about it
	Twice bool
}

// ParseLoosely is Parse for a document that somebody else wrote, of which one bad part must not
// cost the rest: duplicate keys and values that JSON does not have are no error, but listed in Faults.
func ParseLoosely(name string, b []byte) (*Tree, error) { return parse(name, b, usual(), true) }

// repeated notes a key that was there before. It returns the error where that is not
// allowed.
func (t *Tree) repeated(in *jsontree.Value, name string, err *Error) error {
	if !t.loose {
		return err
	}
	t.Faults = append(t.Faults, Fault{In: in, Name: name, Err: err, Twice: true})
	return nil
}

// onlyFirst drops the members of JSON text whose name was there before.
func (t *Tree) onlyFirst(v *jsontree.Value, text string) {
	for _, item := range v.Items {
		t.onlyFirst(item, text)
	}
	seen := make(map[string]bool, len(v.Members))
	kept := v.Members[:0]
	for _, m := range v.Members {
		if seen[m.Name] {
			_ = t.repeated(v, m.Name, t.errAt(placeOf(text, int(m.Value.Mark)-1), "duplicate key %q", m.Name))
			continue
		}
		seen[m.Name] = true
		kept = append(kept, m)
		t.onlyFirst(m.Value, text)
	}
	v.Members = kept
}

// parseYAML reads the text as YAML. The library recurses and is known to panic
// on odd input, so depth is bounded before it starts and panics become errors.
func (t *Tree) parseYAML(text string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.errAt(place{}, "cannot be read as YAML (%v)", p)
		}
	}()
	if len(text) > t.sizes.from {
		c := t.converter()
		if t.Root, err = c.parts(text); !errors.Is(err, errWhole) {
			return err
		}
		if t.places, t.Faults = (places{}), nil; len(text) > t.sizes.whole {
			return t.errAt(place{}, "%d bytes that are no block mapping: want one, or less than %d", len(text), t.sizes.whole)
		}
	}
	tokens := lexer.Tokenize(text)
	if p, deep := tooDeep(tokens); deep {
		return t.errAt(p, "nested deeper than %d", maxDepth)
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return t.translate(err)
	}
	body, err := t.only(file)
	if err != nil {
		return err
	}
	c := t.converter()
	t.Root, err = c.value(body, 0, place{1, 1}, place{})
	return err
}

func (t *Tree) converter() *converter {
	return &converter{t: t, anchors: map[string]*anchor{}, names: map[string]string{}}
}

// tooDeep finds nesting that would exhaust the stack of a recursive reader:
// brackets, entries side by side on one line, chains of tags and anchors.
func tooDeep(tokens token.Tokens) (place, bool) {
	flow, inLine, chain, line := 0, 0, 0, int32(0)
	for _, tk := range tokens {
		if p := placeOfToken(tk); p.line != line {
			line, inLine = p.line, 0
		}
		switch tk.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow == 0 {
				inLine++
			}
		}
		switch tk.Type {
		case token.TagType, token.AnchorType, token.MappingKeyType:
			chain++
		case token.StringType, token.CommentType:
		default:
			chain = 0
		}
		column := 0
		if tk.Type == token.SequenceEntryType || tk.Type == token.MappingKeyType {
			column = int(placeOfToken(tk).col) / 2
		}
		if max(flow, inLine, chain, column) > maxDepth {
			return placeOfToken(tk), true
		}
	}
	return place{}, false
}

// only gives the body of the single document.
func (t *Tree) only(file *ast.File) (ast.Node, error) {
	var body ast.Node
	for _, doc := range file.Docs {
		if d, ok := doc.Body.(*ast.DirectiveNode); ok {
			if d.Name != nil && d.Name.String() != "YAML" {
				return nil, t.errAt(placeOfToken(d.Start), "directive %%%s is not supported", d.Name)
			}
			continue
		}
		if doc.Body == nil && doc.Start == nil {
			continue
		}
		if body != nil {
			p := place{}
			if doc.Start != nil {
				p = placeOfToken(doc.Start)
			} else if doc.Body != nil {
				p = placeOfToken(doc.Body.GetToken())
			}
			return nil, t.errAt(p, "more than one document")
		}
		if body = doc.Body; body == nil {
			body = &ast.NullNode{BaseNode: &ast.BaseNode{}} // "---" alone
		}
	}
	if body == nil {
		return nil, t.errAt(place{}, "no document")
	}
	return body, nil
}

// translate keeps the message and place of a library error, not its excerpt.
func (t *Tree) translate(err error) error {
	var e interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &e) {
		return t.errAt(placeOfToken(e.GetToken()), "%s", e.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return t.errAt(place{}, "%s", first)
}

func placeOfToken(tk *token.Token) place {
	if tk == nil || tk.Position == nil {
		return place{}
	}
	return place{int32(tk.Position.Line), int32(tk.Position.Column)}
}
