package message_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

func TestACurlCommandHasTheQuery(t *testing.T) {
	doc := fake.Plants(t)
	m := doc.Plan.Preflight(doc.Op(), plan.Identity{Seed: 1}, 0).Baseline()
	m.Query = "x=1&y=[]"
	assert.Equal(t, "curl -g -i ", doc.Endpoint.Curl(m)[:11], "brackets stand for themselves")
	assert.Contains(t, doc.Endpoint.Curl(m), " 'http://target/plants?x=1&y=[]' ")
}

// In a shell, curl is given the fields that the suite sends.
func TestAShellMakesTheCredentialOfACommand(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	doc := fake.Plants(t)
	many := "$(printf 'x%.0s' {1..40})"
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "curl"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700))
	for show, value := range map[string]func(string) string{
		"Bearer $CONFORMANCE_TOKEN":        func(t string) string { return "Bearer " + t },
		"Bearer invalid" + many:            func(string) string { return "Bearer invalid" + strings.Repeat("x", 40) },
		"Bearer " + many:                   func(string) string { return "Bearer " + strings.Repeat("x", 40) },
		"Bearer $CONFORMANCE_TOKEN" + many: func(t string) string { return "Bearer " + t + strings.Repeat("x", 40) },
		"Bearer ${TOKEN}":                  func(string) string { return "Bearer ${TOKEN}" },
		"Bearer ' OR '1'='1":               func(string) string { return "Bearer ' OR '1'='1" },
	} {
		m := &message.Message{Op: doc.Op(), Raw: []byte("{}"), Credentials: []message.Presented{{Field: "Authorization", Value: value, Show: show}}}
		c := exec.Command(bash, "-c", doc.Endpoint.Curl(m))
		c.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "CONFORMANCE_TOKEN=" + fake.Token}
		out, err := c.Output()
		require.NoError(t, err, show)
		assert.Contains(t, strings.Split(string(out), "\n"), "Authorization: "+value(fake.Token), show)
	}
}
