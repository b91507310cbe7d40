package conformance

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/report"
)

// lists says how the operations of a document list things, as far as something may be
// promised of it.
func lists(ops []*contract.Operation) []report.List {
	var out []report.List
	for _, op := range ops {
		l := op.Listing
		if l == nil {
			continue
		}
		row := report.List{Operation: op.Name(), Total: l.Total + l.TotalField}
		if l.Limit != nil {
			row.Limit = l.Limit.Name
		}
		if by := l.Follows(); by != nil && l.Limit != nil && l.Key != "" {
			switch by {
			case l.Offset:
				row.Offset = by.Name
			case l.Page:
				row.Page = by.Name
			default:
				row.Cursor, row.Next = by.Name, l.Next+l.NextField
			}
		}
		for _, f := range l.Filters {
			if name := f.Parameter.Name; !slices.Contains(row.Filters, name) {
				row.Filters = append(row.Filters, name)
			}
		}
		if len(l.Orders) > 0 {
			row.Sort = l.Orders[0].Parameter.Name
		}
		if len(row.Keys())+len(row.Filters) > 0 {
			out = append(out, row)
		}
	}
	return out
}
