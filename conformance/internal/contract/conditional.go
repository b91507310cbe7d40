package contract

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"plantstore/conformance/report"
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
		evidence := func(at, sentence string) {
			op.MayCompare = cmp.Or(op.MayCompare, &report.Evidence{Fact: "the answer may be another one than 304", Place: at, Quote: sentence})
		}
		if said := prose(c.root.At(listed.Pointer)); ofChoice.MatchString(said) {
			evidence(listed.Pointer, said)
		}
		texts := map[string]string{op.Pointer: prose(c.root.At(op.Pointer)), "/info": general}
		for _, p := range op.Parameters {
			texts[p.Pointer] = p.Says
		}
		for _, at := range slices.Sorted(maps.Keys(texts)) {
			for _, sentence := range sentenceEnd.Split(texts[at], -1) {
				if ofConditional.MatchString(sentence) && ofChoice.MatchString(sentence) {
					evidence(at, sentence)
				}
			}
		}
	}
}
