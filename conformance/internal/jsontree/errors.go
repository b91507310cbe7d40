package jsontree

import (
	"fmt"
	"slices"
)

// SyntaxError says that a text is not JSON by the grammar of RFC 8259.
type SyntaxError struct {
	Offset  int    // byte offset of the first byte that cannot be right
	Pointer string // JSON pointer of the place, at most 200 bytes
	Msg     string
}

// Error gives the offset, the place and the reason in one line.
func (e *SyntaxError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Msg)
	}
	return fmt.Sprintf("invalid JSON at byte %d, %q: %s", e.Offset, e.Pointer, e.Msg)
}

// DepthError says that a text nests deeper than the limit; what follows the
// offset was not looked at (RFC 8259, section 9 allows such limits).
type DepthError struct {
	Limit  int
	Offset int
}

// Error gives the limit and the offset of the bracket that exceeds it.
func (e *DepthError) Error() string {
	return fmt.Sprintf("JSON nested deeper than %d at byte %d", e.Limit, e.Offset)
}

// SizeError says that a text holds more values than the limit.
type SizeError struct {
	Limit  int
	Offset int
}

// Error returns the limit and the offset of the first value beyond it.
func (e *SizeError) Error() string {
	return fmt.Sprintf("JSON of more than %d values at byte %d", e.Limit, e.Offset)
}

// IssueKind names a defect that the grammar allows but that harms interoperation.
type IssueKind uint8

// The kinds of issue, with the section of RFC 8259 that warns of them.
const (
	DuplicateName IssueKind = iota // section 4
	InvalidUTF8                    // section 8.1
	LoneSurrogate                  // section 8.2
	ByteOrderMark                  // section 8.1
)

// String names the issue as reports do.
func (k IssueKind) String() string {
	switch k {
	case DuplicateName:
		return "duplicate name"
	case InvalidUTF8:
		return "invalid UTF-8"
	case LoneSurrogate:
		return "lone surrogate"
	case ByteOrderMark:
		return "byte order mark"
	}
	return fmt.Sprintf("issue %d", uint8(k))
}

// Issue is one such defect and its place. For DuplicateName the offset is that
// of the later name; for the encoding issues that of the first bad byte or escape.
type Issue struct {
	Kind    IssueKind
	Offset  int
	Pointer string // at most 200 bytes
}

// Document is a parsed text.
type Document struct {
	Root *Value
	// Issues in the order found: the first 16, and always the first of each kind.
	Issues []Issue
	// Depth is the number of containers around the deepest point; 0 for a scalar.
	Depth int
}

// Has reports whether the text has an issue of that kind.
func (d *Document) Has(k IssueKind) bool {
	return d != nil && slices.ContainsFunc(d.Issues, func(i Issue) bool { return i.Kind == k })
}

const maxIssues = 16

// wants reports whether another issue of the kind is kept: asked first, since
// building its pointer costs the depth.
func (d *Document) wants(k IssueKind) bool { return len(d.Issues) < maxIssues || !d.Has(k) }
