//go:build linux && slow && !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// composed is a document of 10 MB with so many operations, whose bodies are put together
// from components that have others inside.
func composed(operations int) string {
	const families, levels, members = 60, 3, 12
	words := strings.Repeat("Words that say what this member is for. ", 4)
	var b strings.Builder
	b.WriteString(`{"openapi":"3.0.3","info":{"title":"t","version":"1"},"components":{"schemas":{"E":{"type":"object"}`)
	for level := range levels {
		for i := range families {
			fmt.Fprintf(&b, `,"C%d_%d":{"type":"object","required":["m0"],"properties":{`, level, i)
			for k := range members {
				fmt.Fprintf(&b, `"m%d":{"type":"string","maxLength":%d,"description":%q},`, k, 40+k, words)
			}
			if level+1 < levels {
				for k := range 3 {
					fmt.Fprintf(&b, `"c%d":{"$ref":"#/components/schemas/C%d_%d"},`, k, level+1, (3*i+7*k)%families)
				}
			}
			b.WriteString(`"end":{"type":"boolean"}}}`)
		}
	}
	b.WriteString(`}},"paths":{`)
	for i := range operations {
		body := func(of int) string {
			return fmt.Sprintf(`"content":{"application/json":{"schema":{"type":"object","required":["data"],"properties":{"data":{"$ref":"#/components/schemas/C0_%d"},"x%d":{"type":"integer","description":%q}}}}}`, of%families, i, strings.Repeat(words, 24))
		}
		fmt.Fprintf(&b, `"/r%d":{"post":{"requestBody":{"required":true,%s},"responses":{"200":{"description":"ok",%s},"400":{"description":"no"}}}},`, i, body(i), body(i+1))
	}
	return strings.TrimSuffix(b.String(), ",") + "}}"
}

func TestADocumentOf1100OperationsIsListedWithin512MiB(t *testing.T) {
	text := composed(1100)
	require.Greater(t, len(text), 9<<20)
	path := filepath.Join(t.TempDir(), "composed.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	exit, said, took := listed(t, path)
	assert.Zero(t, exit, said)
	assert.Less(t, took, maxOfDocument, "%d MB", took>>20)
}
