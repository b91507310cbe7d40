package checks

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

// listing is one answer of the case's operation: a page of a list.
type listing struct {
	is    *openapi.Listing
	sent  *message.Sent
	page  resource.Page
	items []*jsontree.Value
	keys  []string
}

// listings returns the pages of a case, in the order in which they were asked for. It
// returns nil if one of them is not a list.
func listings(p *rule.Input) []listing {
	l := p.Op.Listing
	if l == nil {
		return nil
	}
	var out []listing
	add := func(sent *message.Sent, got *rule.Answer) bool {
		if !got.Success() {
			return false
		}
		one := listing{is: l, sent: sent, page: got.Page()}
		items, found := one.page.Items(l)
		one.items = items
		for _, item := range items {
			one.keys = append(one.keys, resource.Key(l, item))
		}
		out = append(out, one)
		return found
	}
	for i := range p.History {
		if e := &p.History[i]; e.Op == p.Op && !add(e.Sent, e.Got) {
			return nil
		}
	}
	if !add(p.Sent, p.Got) {
		return nil
	}
	return out
}

// asked returns what the bytes of the request say at a parameter, or nil.
func (l *listing) asked(p *openapi.Parameter) *jsontree.Value {
	if p == nil {
		return nil
	}
	return l.sent.Body.At(p.Place())
}

// limit returns the largest number of items that the request asks for: what it says, or
// the default. It is 0 if neither is known.
func (l *listing) limit() int64 {
	if l.is.Limit == nil {
		return 0
	}
	v := l.asked(l.is.Limit)
	if v == nil {
		v = l.is.Limit.Schema.Default
	}
	if v == nil {
		return 0
	}
	n, _ := jsontree.Int64(v.Text)
	return n
}

// first reports whether the request asks for no later page.
func (l *listing) first() bool { return l.asked(l.is.Follows()) == nil }

// ends reports whether no page follows, as far as the answer says.
func (l *listing) ends() bool { return l.is.Cursor == nil || l.page.Next(l.is) == nil }

// reaches reports whether a page is a first one with room for an item of another page: it has fewer
// items than that page, or it is in order and ends with an item that comes behind this one.
func reaches(p *rule.Input, page, other *listing, item *jsontree.Value) bool {
	if !page.first() {
		return false
	}
	if page.ends() && page.limit() == other.limit() && len(page.items) < len(other.items) {
		return true
	}
	o := orderOf(page)
	if o == nil || len(page.items) == 0 {
		return false
	}
	last, is := page.items[len(page.items)-1].Get(o.Member), item.Get(o.Member)
	if last == nil || is == nil || inDirection(o, is, last) >= 0 {
		return false
	}
	_, wrong := inOrder(p, o, page.items)
	return wrong == ""
}

// skipped returns how many items are before those of the answer, as far as the request
// says so. First is the offset of the first item, or the number of the first page.
func (l *listing) skipped(first int64) int64 {
	by := l.is.Follows()
	v := l.asked(by)
	if v == nil || by == l.is.Cursor {
		return 0
	}
	n, _ := jsontree.Int64(v.Text)
	if by == l.is.Page {
		size := int64(len(l.items)) // full pages are before it
		if l.limit() == 1 {
			size = 1
		}
		return (n - first) * size
	}
	return n - first
}

// walk returns the pages of few items that follow each other, with the page of many
// items that was read before and after them. It is not ok if the list changed meanwhile,
// or does not tell its items apart.
func walk(p *rule.Input) (pages []listing, whole listing, ok bool) {
	var large []listing
	l := p.Op.Listing
	for _, one := range listings(p) {
		switch v := one.asked(l.Limit); {
		case v == nil:
		case v.Text == strconv.FormatInt(l.Few, 10):
			pages = append(pages, one)
		case v.Text == strconv.FormatInt(l.Many, 10):
			large = append(large, one)
		}
	}
	if len(large) != 2 || len(pages) < 2 || len(large[0].keys) != len(large[1].keys) {
		return nil, listing{}, false
	}
	seen := map[string]bool{}
	for i, key := range large[0].keys {
		if key == "" || seen[key] || key != large[1].keys[i] {
			return nil, listing{}, false
		}
		seen[key] = true
	}
	if l.Cursor != nil {
		for i := 1; i < len(pages); i++ {
			if pages[i].asked(l.Cursor) == nil {
				pages = pages[:i] // the page before names no other
			}
		}
	}
	return pages, large[0], true
}

// counted counts items in words.
func counted(n int) string {
	if n == 1 {
		return "1 item"
	}
	return strconv.Itoa(n) + " items"
}

// fewItems is how many items a list may have that is one page for certain, if the document
// has no limit for pages.
const fewItems = 5

// waits reports whether a thing says that it is not there for all yet.
func waits(v *jsontree.Value) bool {
	if v == nil {
		return false
	}
	says := func(text string) bool {
		text = strings.ToLower(text)
		return slices.ContainsFunc([]string{"pending", "moderat", "approv", "publish", "visib", "draft", "hidden", "queue", "review", "schedul", "spam", "status", "state"},
			func(word string) bool { return strings.Contains(text, word) })
	}
	return slices.ContainsFunc(v.Members, func(m jsontree.Member) bool {
		return says(m.Name) || m.Value.Kind == jsontree.String && says(m.Value.Text)
	})
}
