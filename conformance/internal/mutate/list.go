package mutate

import "slices"

// List gives every keyword, in the order in which the table shows them.
func Keywords() []Keyword {
	return slices.Concat(values(), numbers(), texts(), memberKeywords(), items(), combined(), formats(), directed())
}
