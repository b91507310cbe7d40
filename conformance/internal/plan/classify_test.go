package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnAcceptFieldThatTakesJSONAloneIsMild(t *testing.T) {
	for value, want := range map[string]bool{
		"application/json": true, "*/*": true, "application/json, */*": true, "*/*;q=0.1": true, "application/json ; q=1.0": true,
		"": false, "text/html": false, "application/json, text/html": false, "application/*": false, "*": false,
		"application/json;q=0": false, "application/json;q=0.0": false, "application/json;q=x": false, "application/json;version=2": false,
	} {
		assert.Equal(t, want, takesJSON(value), value)
	}
}
