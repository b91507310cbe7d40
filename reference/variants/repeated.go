package variants

import (
	"math/big"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference/internal/alter"
)

// repeated drops all but the last, or all but the first, of the members of one
// name.
func repeated(last bool) func([]byte) []byte {
	return func(b []byte) []byte {
		if jsontext.Value(b).IsValid() || !jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true)) {
			return b
		}
		pairs, ok := alter.Object(b, jsontext.AllowDuplicateNames(true))
		if !ok {
			return b
		}
		var kept []alter.Pair
		at := map[string]int{}
		for _, p := range pairs {
			// A nested object with repeated names is taken for any value.
			if !jsontext.Value(p.Value).IsValid() {
				p.Value = "{}"
			}
			i, again := at[p.Name]
			switch {
			case !again:
				at[p.Name] = len(kept)
				kept = append(kept, p)
			case last:
				kept[i] = p
			}
		}
		return alter.Text(kept)
	}
}

var number = regexp.MustCompile(`^-?[0-9]`)

// roundedAway drops a fraction that a double cannot hold.
func roundedAway(v string) string {
	if !number.MatchString(v) || len(v) > 100 {
		return v
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || f > 1e15 || f < -1e15 || f != float64(int64(f)) {
		return v
	}
	if exact, ok := new(big.Rat).SetString(v); !ok || exact.IsInt() {
		return v
	}
	return strconv.FormatInt(int64(f), 10)
}
