package contract

import (
	"net/http"
	"regexp"
)

var (
	sentenceEnd   = regexp.MustCompile(`[.;!?]\s|\n\s*\n`)
	ofConditional = regexp.MustCompile(`(?i)\b304\b|not modified|if-none-match`)
	ofChoice      = regexp.MustCompile(`(?i)\b(may|might|can|could)\s+(\w+\s+)?(answer|return|respond|reply|result|yield|get|receive|be)\b|\boptional`)
)

// conditional notes the operations of which the document says only that they can answer 304: "GET
// takes If-None-Match and may answer 304."
func (c *Contract) conditional() {
	general := prose(c.root.Get("info"))
	for _, op := range c.Operations {
		listed := op.Lists(http.StatusNotModified)
		if listed == nil {
			continue
		}
		op.MayCompare = ofChoice.MatchString(prose(c.root.At(listed.Pointer)))
		texts := []string{general, prose(c.root.At(op.Pointer))}
		for _, p := range op.Parameters {
			texts = append(texts, p.Says)
		}
		for _, text := range texts {
			for _, sentence := range sentenceEnd.Split(text, -1) {
				op.MayCompare = op.MayCompare || ofConditional.MatchString(sentence) && ofChoice.MatchString(sentence)
			}
		}
	}
}
