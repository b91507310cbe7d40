package openapi

import (
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// UnknownPage is why a server may refuse the number of a page.
const UnknownPage = "the number of a page that may not be there"

// numbersPage reports whether a query parameter has the number of a page that may not be
// there: any but the first, which is 0 or 1.
func numbersPage(path string, m jsontree.Member) bool {
	return path == "/query" && m.Value.Kind == jsontree.Number && hints.Called(m.Name, hints.Page) && m.Value.Text != "0" && m.Value.Text != "1"
}
