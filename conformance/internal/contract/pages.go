package contract

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
)

// Pages lists the usual names, as Flat writes them, of parameters that number the pages of a
// list.
func Pages() []string {
	return []string{"page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage"}
}

// UnknownPage is why a server may refuse the number of a page.
const UnknownPage = "the number of a page that may not be there"

// numbersPage reports whether a query parameter has the number of a page that may not be
// there: any but the first, which is 0 or 1.
func numbersPage(path string, m jsontree.Member) bool {
	return path == "/query" && m.Value.Kind == jsontree.Number && slices.Contains(Pages(), Flat(m.Name)) && m.Value.Text != "0" && m.Value.Text != "1"
}
