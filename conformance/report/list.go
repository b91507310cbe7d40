package report

// List is what an operation that lists things seems to have: the names of its
// parameters, and where its answer says more. What it does not have is empty.
type List struct {
	Operation string `json:"operation"` // operationId, or the slug
	Limit     string `json:"limit,omitempty"`
	Offset    string `json:"offset,omitempty"`
	Page      string `json:"page,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
	// Next and Total are JSON pointers into the answer, or names of header fields.
	Next    string   `json:"next,omitempty"`
	Total   string   `json:"total,omitempty"`
	Filters []string `json:"filters,omitempty"`
	Sort    string   `json:"sort,omitempty"`
}

// Keys returns what a requirements file says of the list, by name.
func (l List) Keys() [][2]string {
	var out [][2]string
	for _, key := range [][2]string{{"limit", l.Limit}, {"offset", l.Offset}, {"page", l.Page}, {"cursor", l.Cursor}, {"next", l.Next}, {"total", l.Total}, {"sort", l.Sort}} {
		if key[1] != "" {
			out = append(out, key)
		}
	}
	return out
}
