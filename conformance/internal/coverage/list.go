package coverage

import "slices"

// List gives every keyword, in the order in which the table shows them.
func List() []Keyword {
	return slices.Concat(values(), numbers(), texts(), members(), items(), combined(), formats(), directed())
}
