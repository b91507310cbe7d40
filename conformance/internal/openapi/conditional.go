package openapi

import (
	"net/http"

	"plantstore/conformance/internal/hints"
)

// conditional notes the operations of which the document says only that they can answer 304.
func (c *Contract) conditional() {
	said := func(at string) hints.Text { return hints.Text{Place: at, Said: prose(c.root.At(at))} }
	for _, op := range c.Operations {
		listed := op.Lists(http.StatusNotModified)
		if listed == nil {
			continue
		}
		texts := []hints.Text{said("/info"), said(op.Pointer)}
		for _, p := range op.Parameters {
			texts = append(texts, p.Text())
		}
		op.MayCompare = hints.MayCompare(said(listed.Pointer), texts)
	}
}

// Text is what the document says of the parameter.
func (p *Parameter) Text() hints.Text { return hints.Text{Place: p.Pointer, Said: p.Says} }
