package checks

// rangeRows are the histories that read a part of a resource.
func rangeRows() map[string]historyRow {
	add, read := said{"add", `{"a":"x1"}`, 201, `{"id":"k1","a":"x1"}`, ""}, said{"read", "", 200, `{"a":1}`, ""}
	old, changed := read.tagged(`"1"`), read.tagged(`"2"`)
	part := func(of, came string) said { return said{"read", "", 206, came, "Content-Range: " + of} }
	return map[string]historyRow{
		"partial-content": {
			passes:  [][]said{{add, old, part("bytes 1-2/7", `"a`)}, {add, old, part("bytes 0-6/*", `{"a":1}`)}, {add, read, part("bytes 1-2/9", `"a`)}},
			fails:   [][]said{{add, old, part("bytes 1-2/7", `"a"`)}, {add, old, part("", `"a`)}, {add, old, part("bytes 1-2/8", `"a`)}, {add, old, part("bytes 5-7/7", `"a"`)}, {add, old, part("1-2/7", `"a`)}},
			neither: [][]said{{add, old, old}, {add, changed, part("bytes 1-2/9", `"a`)}, {add, part("bytes 1-2/7", `"a`)}},
			got:     "3",
		},
	}
}
