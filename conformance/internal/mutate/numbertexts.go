package mutate

import (
	"math/big"
	"strconv"
	"strings"
)

// numberGroup is one kind of number; "#" is replaced with the fresh number of the
// place.
type numberGroup struct {
	kind  string
	items []string
}

// spelled fills a listed number: "#" is the fresh one, "+64#" that much above
// the power of two.
func spelled(item, fresh string) string {
	if power, ok := strings.CutPrefix(item, "+"); ok {
		bits, err := strconv.Atoi(strings.TrimSuffix(power, "#"))
		n, whole := new(big.Int).SetString(fresh, 10)
		if err != nil || !whole {
			return fresh
		}
		return n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(bits))).String()
	}
	if fresh == "0" && strings.HasPrefix(item, "-#") {
		fresh = "1" // -0 is no negative number
	}
	return strings.ReplaceAll(item, "#", fresh)
}
