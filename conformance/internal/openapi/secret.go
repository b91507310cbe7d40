package openapi

import (
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/report"
)

// said returns what the document says of what a pointer names.
func (c *Contract) said(pointer string) hints.Text {
	return hints.Text{Place: pointer, Said: prose(c.follow(c.root.At(pointer)))}
}

// NeverBack returns the sentence that says of what a pointer names that no answer has it, or nil.
func (c *Contract) NeverBack(pointer string) *report.Evidence {
	return hints.NeverBack(c.said(pointer))
}

// CountsAll returns the sentence that says of what a pointer names that it counts the things of all
// pages, or nil.
func (c *Contract) CountsAll(pointer string) *report.Evidence {
	return hints.CountsAll(c.said(pointer))
}

// KeepsSecrets returns such a sentence if there is one about each writeOnly member in the body of
// an operation.
func (c *Contract) KeepsSecrets(op *Operation) *report.Evidence {
	var out *report.Evidence
	for _, m := range op.writeOnly() {
		if out = c.NeverBack(m.Schema.Pointer); out == nil {
			return nil
		}
	}
	return out
}
