package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
)

const inForm = "application/x-www-form-urlencoded"

// ofPets diagnoses a server of several media types and returns the ids of the findings.
func ofPets(t *testing.T, unchecked, refused string) (ids []string, found []Finding) {
	t.Helper()
	return ofServer(t, fake.SeveralMedia, unchecked, refused)
}

func ofServer(t *testing.T, text, unchecked, refused string) (ids []string, found []Finding) {
	t.Helper()
	d := fake.Of(t, text, fakerun.Mutators(t, "baseline", "missing-members", "keyword-violations", "wrong-types")...)
	run := fakerun.Of(t, d, d.Pets(unchecked, refused))
	_, found = Diagnose(t.Context(), run)
	for _, f := range found {
		ids = append(ids, run.Judge.Bound[f.At].ID)
	}
	return ids, found
}

func TestAMediaTypeThatIsNotCheckedIsOneFailure(t *testing.T) {
	ids, found := ofPets(t, inForm, "")
	assert.Equal(t, []string{"post-pets-application-x-www-form-urlencoded-body-name-required"}, ids)
	require.Len(t, found, 1)
	assert.Equal(t, inForm, found[0].Unchecked)
	assert.Len(t, found[0].Also, 3, "maxLength, type and minimum")
}

func TestSameBytesThatAreNotCheckedUnderOneNameAreItsFailure(t *testing.T) {
	ids, _ := ofPets(t, "text/json", "")
	assert.Equal(t, []string{"post-pets-text-json-body-refused"}, ids)
}

func TestARefusedMediaTypeIsChargedToItself(t *testing.T) {
	for media, want := range map[string]string{"text/json": "post-pets-text-json-valid-accepted",
		inForm: "post-pets-application-x-www-form-urlencoded-valid-accepted"} {
		ids, _ := ofPets(t, "", media)
		assert.Equal(t, []string{want}, ids)
	}
}

func TestAServerThatChecksNothingDoesNotFailInOneMediaType(t *testing.T) {
	const other = "application/x-www-form-urlencoded: {schema: {type: object, required: [nick], properties: {nick: {type: string, maxLength: 5}}}}"
	text := strings.Replace(fake.SeveralMedia, "application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}", other, 1)
	require.Contains(t, text, "nick")
	_, found := ofServer(t, text, "*", "")
	require.NotEmpty(t, found)
	for _, f := range found {
		assert.Empty(t, f.Unchecked)
	}
}

func TestWhatIsWrongInTheFirstMediaTypeIsNotAboutAnother(t *testing.T) {
	ids, found := ofPets(t, "application/json", "")
	assert.Len(t, ids, 6, "each keyword by itself: %v", ids)
	for _, f := range found {
		assert.Empty(t, f.Unchecked)
	}
}
