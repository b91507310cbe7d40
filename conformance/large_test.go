package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// largeDocument is a document as generators write them: schemas that refer to
// each other in circles, a page of text for each member, and
// operations on a collection and on its items.
func largeDocument(schemas, members, operations int) []byte {
	var b strings.Builder
	text := strings.Repeat("What this member holds, when it is there, and who may change it. ", 3)
	ref := func(i int) string { return fmt.Sprintf(`{"$ref":"#/components/schemas/Thing%d"}`, i%schemas) }
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"Large","version":"1"},"components":{"schemas":{`)
	for i := range schemas {
		fmt.Fprintf(&b, `"Thing%d":{"type":"object","required":["id","name"],"properties":{`, i)
		b.WriteString(`"id":{"type":"integer","format":"int64"},"name":{"type":"string","maxLength":100}`)
		for k := range members - 2 {
			to := ref(i*7 + k*13 + 1)
			member := [...]string{to, `{"type":"array","items":` + to + `}`, `{"allOf":[` + to + `]}`, `{"oneOf":[` + to + `,{"type":"string"}]}`,
				`{"type":"string","enum":["a","b"],"description":"` + text + `"}`, `{"type":"object","additionalProperties":` + to + `}`}[k%6]
			fmt.Fprintf(&b, `,"member%d":%s`, k, member)
		}
		fmt.Fprintf(&b, `},"description":%q},`, strings.Repeat(text, 20))
	}
	b.WriteString(`"Error":{"type":"object"}}},"paths":{`)
	for i := range operations {
		content := `"content":{"application/json":{"schema":` + ref(i) + `}}`
		answers := `"responses":{"200":{"description":"taken",` + content + `}}`
		byID := `{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],` + answers + `}`
		fmt.Fprintf(&b, `"/things%d":{"post":{"requestBody":{"required":true,%s},%s}},"/things%d/{id}":{"get":%s,"delete":%s}`,
			i, content, answers, i, byID, byID)
		if i < operations-1 {
			b.WriteByte(',')
		}
	}
	b.WriteString("}}")
	return []byte(b.String())
}

// Every operation of a large document is tried with about as many requests as one of
// a small document, and what is left out is told by name.
func TestEveryOperationOfALargeDocumentHasCasesAndWhatIsLeftOutIsNamed(t *testing.T) {
	const operations = 10
	document := largeDocument(200, 20, operations)
	require.Greater(t, len(document), 1<<19)
	got, err := conformance.List(t.Context(), conformance.Config{Spec: document, SpecName: "large.json", Effort: "smoke"})
	require.NoError(t, err)

	assert.LessOrEqual(t, got.Cases, 3*operations*30)
	assert.Contains(t, strings.Join(got.LeftOut, "\n"), "the schema goes deeper than it is tried")
	tried := map[string]bool{}
	for _, r := range got.Requirements {
		if r.Cases > 0 {
			tried[strings.Join(strings.SplitN(r.Requirement, "-", 3)[:2], "-")] = true
		}
	}
	for i := range operations {
		for _, method := range []string{"get", "post", "delete"} {
			assert.True(t, tried[fmt.Sprintf("%s-things%d", method, i)], "%s of %d has no case at all", method, i)
		}
	}
}
