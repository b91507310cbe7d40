package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// returned judges whether an answer about a thing has a writeOnly value with which a request
// made or changed it, where the answer's schema says nothing of that member.
func returned(p *rule.Input, op *openapi.Operation, sent *jsontree.Value) rule.Outcome {
	root := p.Got.Reading.Root()
	is := unwrapped(root, sent)
	switch {
	case root == nil || root.Kind != jsontree.Object || sent == nil:
		return rule.None
	case is == nil:
		is = root
	}
	schema := answerSchemaOf(p, root, is)
	out := rule.None
	for _, place := range op.WriteOnly() {
		given := sent.At(place)
		if given == nil || !unusual(given) || !schema.Leaves(place) {
			continue
		}
		if now := is.At(place); now != nil && jsontree.Equal(given, now) {
			return rule.Failed("returned "+place, "no "+place+", which is writeOnly in what "+op.Name()+" takes", place+" as it was sent, in "+describe(p))
		}
		out = rule.Passed
	}
	return out
}

// answerSchemaOf returns the schema of the object in an answer that holds the thing, or nil if
// the document says nothing of it.
func answerSchemaOf(p *rule.Input, root, is *jsontree.Value) *openapi.Schema {
	if p.Got.Form == nil || p.Got.Form.Shape == nil {
		return nil
	}
	s := p.Got.Form.Shape.Schema
	if is == root {
		return s
	}
	for _, m := range root.Members {
		if q := s.Property(m.Name); m.Value == is && q != nil {
			return q.Schema
		}
	}
	return nil
}
