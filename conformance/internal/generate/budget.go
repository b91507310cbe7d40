package generate

import "fmt"

// What a generated value spends at most.
const (
	// MostBody is the bytes of the plainest value: a larger one may rightly be
	// refused.
	MostBody = 32 << 10

	mostText    = 8 << 10 // bytes of one generated text
	mostItems   = 1000    // items that an array, members that an object must have
	mostPattern = 1 << 21 // steps of the patterns of one value
)

// spend counts what a value takes; false where it is over the budget, and the
// value is then of no use.
func (g *Gen) spend(bytes int) bool {
	g.Took += bytes
	if g.made += bytes; g.made > MostBody {
		g.exceed(fmt.Sprintf("more than %d kB in the plainest body", MostBody>>10))
	}
	return g.Over == ""
}

func (g *Gen) exceed(what string) {
	if g.Over == "" {
		g.Over = what
	}
}
