package message

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAShellReadsAWordWithCommandsAsItIsMeant(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	for word, want := range map[string]string{
		`Bearer $TOKEN`:                                 `Bearer a b:c`,
		`"Bearer $TOKEN"`:                               `"Bearer a b:c"`,
		"back`tick \\ slash":                            "back`tick \\ slash",
		`Basic $(printf %s "$TOKEN" | base64 -w0)`:      `Basic YSBiOmM=`,
		`"$(printf %s "$TOKEN" | tr a Z)" $(printf x)y`: `"Z b:c" xy`,
		`$(printf %s "$(printf %s "$TOKEN")")`:          `a b:c`,
	} {
		c := exec.Command(bash, "-c", "printf %s "+quote(word, true))
		c.Env = []string{"TOKEN=a b:c", "PATH=/usr/bin:/bin"}
		out, err := c.Output()
		require.NoError(t, err, word)
		assert.Equal(t, want, string(out), word)
	}
}
