package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/spec"
)

func TestWhatIsRememberedIsReadAsBefore(t *testing.T) {
	plain, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	mindful, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	mindful.Remember(openapi.ForOne)
	long := `{"id":1,"name":"` + strings.Repeat("a", 10_000) + `"}`
	for _, body := range []string{`{"id":1,"name":"a"}`, `{"id":1.5,"name":""}`, `{"id":1}`, ``, `{`, "\xff\xfe{\x00}\x00", `{"a":1,"a":2}`, long} {
		want := plain.Operations[0].Body.Shape.Read([]byte(body))
		for range 3 {
			got := mindful.Operations[0].Body.Shape.Read([]byte(body))
			assert.Equal(t, want, got, "%.80q", body)
			got.Kind = 77
			got.Violations, got.Reasons = append(got.Violations, openapi.Violation{}), append(got.Reasons, openapi.Reason{What: "mine"})
		}
	}
}

func TestTheOldestIsForgottenWhereThereIsNoRoom(t *testing.T) {
	plain, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	forgetful, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	forgetful.Remember(100)
	for round := range 2 {
		for i := range 50 {
			body := fmt.Appendf(nil, `{"id":%d,"name":"a"}`, i)
			assert.Equal(t, plain.Operations[0].Body.Shape.Read(body), forgetful.Operations[0].Body.Shape.Read(body), "round %d, %s", round, body)
		}
	}
}
