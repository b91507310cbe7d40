package generate

import "fmt"

// Limits of one generated value.
const (
	// MostBody is the size in bytes of the largest baseline value. A server may
	// rightly refuse a larger one.
	MostBody = 32 << 10

	mostText    = 8 << 10 // bytes of one generated text
	mostItems   = 1000    // items that an array, members that an object must have
	mostPattern = 1 << 21 // steps of the patterns of one value
)

// spend counts the size of a value. It returns false if the value is over the
// budget, and then it cannot be used.
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
