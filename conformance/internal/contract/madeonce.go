package contract

import (
	"regexp"
	"strings"
)

// sentAgain matches what descriptions say of a request that is sent again.
var sentAgain = regexp.MustCompile(`(?i)\b(idempoten\w*|same|repeat\w*|retr(y|ies|ied|ying)|replay\w*|again|duplicates?|twice|once)\b`)

// MadeOnce returns the header field by whose value a server knows a request that is sent again,
// such as Idempotency-Key, if the requirements file or its description says so. It is nil if there is none.
func (o *Operation) MadeOnce() *Parameter {
	if o.Accepted.MadeOnce != nil {
		return o.Accepted.MadeOnce
	}
	for _, p := range o.Parameters {
		if p.In == "header" && strings.HasPrefix(Flat(trimX(p.Name)), "idempotency") && sentAgain.MatchString(p.Says) {
			return p
		}
	}
	return nil
}
