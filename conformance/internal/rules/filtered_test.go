package rules

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

func TestWhatMustBeInAListDependsOnWhatSeveralValuesMean(t *testing.T) {
	value := func(text string) *jsontree.Value {
		doc, err := jsontree.Parse([]byte(text))
		require.NoError(t, err, text)
		return doc.Root
	}
	type said struct{ may, must, known bool }
	parameter := &contract.Parameter{Name: "tags", Schema: &contract.Schema{Types: []string{"array"}, Items: &contract.Schema{Enum: []*jsontree.Value{value(`"x"`), value(`"y"`)}}}}
	for _, row := range []struct {
		of, item string
		want     said
	}{
		{"all", `{"tags":["x","y","z"]}`, said{true, true, true}},
		{"all", `{"tags":["x"]}`, said{false, false, true}},
		{"any", `{"tags":["x"]}`, said{true, true, true}},
		{"", `{"tags":["x","y"]}`, said{true, true, true}},
		{"", `{"tags":["x"]}`, said{true, false, true}},
		{"", `{"tags":["z"]}`, said{false, false, true}},
		{"any", `{"tags":[]}`, said{false, false, true}},
		{"", `{"tags":null}`, said{}},
		{"all", `{}`, said{}},
	} {
		may, must, known := passes(&contract.Filter{Parameter: parameter, Member: "tags", Of: row.of}, value(`["x","y"]`), value(row.item))
		assert.Equal(t, row.want, said{may, must, known}, row.of+row.item)
	}
}

func TestATextOfAFilterMayBePartOfAValueUnlessAnEnumListsIt(t *testing.T) {
	text := func(s string) *jsontree.Value { return jsontree.NewString(s) }
	free := &contract.Filter{Parameter: &contract.Parameter{Schema: &contract.Schema{Types: []string{"string"}}}}
	listed := &contract.Filter{Parameter: &contract.Parameter{Schema: &contract.Schema{Enum: []*jsontree.Value{text("active")}}}}
	assert.True(t, matches(free, text("ann"), text("Joanna")))
	assert.False(t, matches(free, text("ann"), text("Bob")))
	assert.True(t, matches(listed, text("active"), text("ACTIVE")))
	assert.False(t, matches(listed, text("active"), text("inactive")))
	assert.True(t, matches(free, jsontree.NewNumber("1"), jsontree.NewNumber("1.0")))
	assert.False(t, matches(free, jsontree.NewBool(true), jsontree.NewBool(false)))
}
