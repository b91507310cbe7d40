package auth

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAShellMakesTheShownCredential(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	escape := strings.NewReplacer("\\", `\\`, `"`, `\"`)
	for _, token := range []string{"s3cr3t-T0ken.abcXYZ_Kii", "user:pass-W0rd.0123456789-aBcDeFgHiJkLmNoP", "12345678901234567"} {
		var script strings.Builder
		var list []near
		for _, n := range slices.Concat(partials(), hashes(), rewritten()) {
			if !useful(same, n.make)(token) {
				continue
			}
			list = append(list, n)
			show := n.show
			if !strings.Contains(show, "$(") {
				show = escape.Replace(show)
			}
			script.WriteString("printf '%s\\n' \"" + show + "\"\n")
		}
		c := exec.Command(bash, "-c", script.String())
		c.Env = append(os.Environ(), "CONFORMANCE_TOKEN="+token)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		require.Len(t, lines, len(list), "%s", out)
		for i, n := range list {
			assert.Equal(t, n.make(token), lines[i], n.name)
		}
	}
}

func TestACredentialOfTheSameHashHasThatHash(t *testing.T) {
	hash := func(times uint32) func(string) uint32 {
		return func(s string) (h uint32) {
			for i := range len(s) {
				h = h*times + uint32(s[i])
			}
			return h
		}
	}
	of := map[string]func(string) uint32{"same-hash-31": hash(31), "same-hash-33": hash(33), "same-hash-37": hash(37), "same-sum": hash(1),
		"same-xor": func(s string) (h uint32) {
			for i := range len(s) {
				h ^= uint32(s[i])
			}
			return h
		},
		"same-adler": func(s string) uint32 {
			a, b := uint32(1), uint32(0)
			for i := range len(s) {
				a = (a + uint32(s[i])) % 65521
				b = (b + a) % 65521
			}
			return b<<16 | a
		}}
	for _, n := range hashes() {
		for _, token := range []string{"s3cr3t-T0ken.abcXYZ", "DEADBEEF0123456789", "deadbeefdeadbeef"} {
			if got := n.make(token); of[n.name] != nil && assert.NotEqual(t, token, got, n.name) {
				assert.Equal(t, of[n.name](token), of[n.name](got), "%s %s", n.name, got)
				assert.Len(t, got, len(token))
			}
		}
	}
}
