package rules

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/rule"
)

// fieldOf returns a header field of the request as it was sent, or nothing.
func fieldOf(p *rule.Input, field string) string {
	if p.Exchange.Request == nil {
		return ""
	}
	return p.Exchange.Request.Field(field)
}

// justRead returns the request right before this one, if it reads the thing, or nil.
func justRead(p *rule.Input) *rule.Earlier {
	n := len(p.History) - 1
	if n < 0 || p.History[n].Op.Method != http.MethodGet || p.History[n].Aside || p.History[n].Got == nil {
		return nil
	}
	return &p.History[n]
}

// strongTag reports whether a text is one strong entity tag.
func strongTag(text string) bool {
	return len(text) > 1 && text[0] == '"' && strings.IndexByte(text[1:], '"') == len(text)-2
}

// beforeWrite returns the read right before a request that writes, if it shows the current
// strong entity tag, and the last write of the same operation before that one. They are nil
// if there are none.
func beforeWrite(p *rule.Input) (read, write *rule.Earlier) {
	read = justRead(p)
	if read == nil || !read.Got.Success() || !strongTag(read.Tag) {
		return nil, nil
	}
	by, at := p.Wrote()
	if at < 1 || by.Op != p.Op || by.Aside {
		return nil, nil
	}
	return read, by
}
