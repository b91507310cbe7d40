// Package attestation reads the recorded attestations with the library of in-toto, as
// those who verify them do. It is a module of its own, so that the suite does not depend on
// that library.
package attestation

import (
	"os"
	"path/filepath"
	"testing"

	result "github.com/in-toto/attestation/go/predicates/test_result/v0"
	statement "github.com/in-toto/attestation/go/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
)

func TestEachRecordedAttestationIsAStatementWithATestResult(t *testing.T) {
	paths, err := filepath.Glob("../../conformance/formats/testdata/*.intoto.json")
	require.NoError(t, err)
	require.Greater(t, len(paths), 5)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var s statement.Statement
		require.NoError(t, protojson.Unmarshal(text, &s), "%s: a member that is not in the specification", path)
		assert.NoError(t, s.Validate(), path)
		assert.Equal(t, "https://in-toto.io/attestation/test-result/v0.1", s.GetPredicateType(), path)

		predicate, err := protojson.Marshal(s.GetPredicate())
		require.NoError(t, err)
		var r result.TestResult
		require.NoError(t, protojson.Unmarshal(predicate, &r), "%s: a member that the predicate does not have", path)
		assert.Contains(t, []string{"PASSED", "WARNED", "FAILED"}, r.GetResult(), path)
		require.NotEmpty(t, r.GetConfiguration(), path)
		for _, x := range r.GetConfiguration() {
			assert.NoError(t, x.Validate(), path)
		}
	}
}
