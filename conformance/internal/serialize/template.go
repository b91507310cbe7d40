package serialize

import "strings"

// part is a piece of a segment of a template: literal text, or the name of an
// expression.
type templatePart struct {
	text       string
	expression bool
}

// readTemplate returns the parts of each segment of a path template.
func readTemplate(template string) [][]templatePart {
	var out [][]templatePart
	for segment := range strings.SplitSeq(template, "/") {
		parts := []templatePart{}
		for segment != "" {
			open := strings.IndexByte(segment, '{')
			end := -1
			if open >= 0 {
				end = strings.IndexByte(segment[open:], '}')
			}
			if end < 2 { // no expression, or one without a name
				parts = append(parts, templatePart{text: segment})
				break
			}
			if open > 0 {
				parts = append(parts, templatePart{text: segment[:open]})
			}
			parts = append(parts, templatePart{text: segment[open+1 : open+end], expression: true})
			segment = segment[open+end+1:]
		}
		out = append(out, parts)
	}
	return out
}

// unit is one byte of a path and how many bytes it takes on the wire.
type unit struct {
	b    byte
	from int
}

func units(raw string) []unit {
	var out []unit
	for i := 0; i < len(raw); i++ {
		u := unit{raw[i], i}
		if c, ok := triplet(raw[i:]); ok {
			u.b, i = c, i+2
		}
		out = append(out, u)
	}
	return out
}

// matchSegment splits a segment among the expressions of its parts, by their order.
// ways is how many ways there are to do so: 0, 1, or 2 for more. An expression takes
// at least one byte.
func matchSegment(parts []templatePart, raw string) (texts []string, ways uint8) {
	us := units(raw)
	n := len(us)
	// count[j][i]: in how many ways the parts from j match what follows unit i.
	count := make([][]uint8, len(parts)+1)
	for j := range count {
		count[j] = make([]uint8, n+1)
	}
	count[len(parts)][n] = 1
	literals := make([][]unit, len(parts))
	for j := len(parts) - 1; j >= 0; j-- {
		if parts[j].expression {
			sum := uint8(0)
			for i := n - 1; i >= 0; i-- {
				sum = min(2, sum+count[j+1][i+1])
				count[j][i] = sum
			}
			continue
		}
		literals[j] = units(parts[j].text)
		for i := 0; i+len(literals[j]) <= n; i++ {
			if startsWith(us[i:], literals[j]) {
				count[j][i] = count[j+1][i+len(literals[j])]
			}
		}
	}
	if ways = count[0][0]; ways == 0 {
		return nil, 0
	}
	at := func(i int) int {
		if i == n {
			return len(raw)
		}
		return us[i].from
	}
	for i, j := 0, 0; j < len(parts); j++ {
		if !parts[j].expression {
			i += len(literals[j])
			continue
		}
		end := i + 1
		for count[j+1][end] == 0 {
			end++
		}
		texts = append(texts, raw[at(i):at(end)])
		i = end
	}
	return texts, ways
}

func startsWith(us, literal []unit) bool {
	for i := range literal {
		if us[i].b != literal[i].b {
			return false
		}
	}
	return true
}
