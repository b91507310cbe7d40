package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
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

// unchanged judges the answer to a request that has the entity tag of an earlier read in
// If-None-Match.
func unchanged(p *rule.Input, before *rule.Earlier) rule.Outcome {
	switch {
	case before.Tag == "" || !p.Got.Accepts():
		return rule.None
	case p.Got.Success() && p.Exchange.Response.Get("ETag") != before.Tag:
		return rule.None
	}
	return verdictOf(p.Got.Status == http.StatusNotModified, p, "304, because the ETag is the current one")
}

// reread returns the last read of what the answer shows again. It is nil if there is none, or if
// one of the two shows nothing.
func reread(p *rule.Input) *rule.Earlier {
	before := p.Last(http.MethodGet)
	if before == nil || before.Op != p.Op || !p.Got.Success() || before.Got.Reading.Root() == nil || p.Got.Reading.Root() == nil {
		return nil
	}
	return before
}

// strongChange reports whether the answer and an earlier one have strong entity tags and differ in
// a member that a request changed.
func strongChange(p *rule.Input, before *rule.Earlier) bool {
	return strongTag(before.Tag) && strongTag(p.Exchange.Response.Get("ETag")) && (changedBy(p, before, http.MethodPatch) || changedBy(p, before, http.MethodPut))
}

// changedBy reports whether the answer differs from an earlier one in a member to which the last
// request with a method gave another value.
func changedBy(p *rule.Input, before *rule.Earlier, method string) bool {
	by := p.Last(method)
	if by == nil || !by.Got.Success() || by.Sent == nil || by.Sent.Body == nil || by.Sent.Body.Root() == nil {
		return false
	}
	return slices.ContainsFunc(by.Sent.Body.Root().Members, func(m jsontree.Member) bool {
		was, is := before.Got.Reading.Root().Get(m.Name), p.Got.Reading.Root().Get(m.Name)
		return was != nil && is != nil && !jsontree.Equal(was, is) && jsontree.Equal(is, m.Value)
	})
}
