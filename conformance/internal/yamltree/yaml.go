package yamltree

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

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
