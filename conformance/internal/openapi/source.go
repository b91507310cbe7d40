package openapi

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
)

// Sources says where the keywords of a schema stand that references and allOf were
// merged into. A large document has a hundred thousand of them and few are asked for,
// so the pointer of one is put together on demand.
type Sources struct {
	list []source
	more bool // keywords that nobody asks for: a hostile schema may have any number
}

// source is a keyword and the JSON pointer of the schema that it stands in.
type source struct{ keyword, schema string }

// Of returns the JSON pointer of a keyword that a validator checks or that says how a
// string is encoded. It is empty if the schema does not have it.
func (s Sources) Of(keyword string) string {
	if i := s.index(keyword); i >= 0 {
		return s.list[i].schema + "/" + jsontree.EscapePointer(keyword)
	}
	return ""
}

// Has reports whether the schema has such a keyword.
func (s Sources) Has(keyword string) bool { return s.index(keyword) >= 0 }

// Empty reports whether the schema has no keyword at all.
func (s Sources) Empty() bool { return len(s.list) == 0 && !s.more }

func (s Sources) index(keyword string) int {
	return slices.IndexFunc(s.list, func(k source) bool { return k.keyword == keyword })
}

// set records where a keyword stands; the last place counts.
func (s *Sources) set(keyword, schema string) {
	if _, judged := judging[keyword]; !judged && keyword != "contentMediaType" && keyword != "contentEncoding" {
		s.more = true
	} else if i := s.index(keyword); i >= 0 {
		s.list[i].schema = schema
	} else {
		s.list = append(s.list, source{keyword, schema})
	}
}

// without returns a copy that does not have a keyword.
func (s Sources) without(keyword string) Sources {
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(k source) bool { return k.keyword == keyword })
	return s
}
