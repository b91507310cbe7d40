package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const target = "--target=http://host:1/base"

func TestFlagsOfRunReachTheEngine(t *testing.T) {
	file := keep(t, "file", "content")
	for args, want := range map[string]conformance.Config{
		"":                           {},
		"--insecure":                 {Insecure: true},
		"--wait 30s --timeout 500ms": {Wait: 30 * time.Second, Timeout: 500 * time.Millisecond},
		"--seed 18446744073709551615 --max-time 2m":             {Seed: 1<<64 - 1, MaxTime: 2 * time.Minute},
		"--draws 7 --workers 3 --rate 2.5":                      {Draws: 7, Workers: 3, Rate: 2.5},
		"--draws 0":                                             {Draws: -1},
		"--only a* --only b,c --skip d":                         {Only: []string{"a*", "b,c"}, Skip: []string{"d"}},
		"--include a --include POST --exclude /b/*":             {Include: []string{"a", "POST"}, Exclude: []string{"/b/*"}},
		"--allow-disruptive":                                    {AllowDisruptive: true},
		"--fail-on must":                                        {FailOn: report.Must},
		"--fail-on should":                                      {FailOn: report.Should},
		"--header X-A:1,2 --header x-b:3":                       {Headers: []string{"X-A: 1,2", "X-B: 3"}},
		"--ca-cert " + file:                                     {CACert: []byte("content")},
		"--spec " + file:                                        {Spec: []byte("content"), SpecName: file, Location: file},
		"--spec " + file + " --allow-ref a --allow-ref b,c":     {Spec: []byte("content"), SpecName: file, Location: file, AllowRef: []string{"a", "b,c"}},
		"--subject a:b/c@gitCommit:" + strings.Repeat("0a", 20): {Subjects: []report.Subject{{Name: "a:b/c", Algorithm: "gitCommit", Digest: strings.Repeat("0a", 20)}}},
		"--value /a=b --values " + file:                         {Values: []string{"/a=b"}, ValuesFile: []byte("content"), ValuesName: file},
		"--requirements " + file:                                {Requirements: []byte("content"), RequirementsName: file},
	} {
		d := newDesk()
		code := d.exec(append([]string{"run", target}, strings.Fields(args)...)...)
		require.Equal(t, exitConformant, code, "%s: %s", args, d.stderr.String())
		want.Target = "http://host:1/base"
		assert.NotNil(t, d.got.Warn)
		d.got.Estimated, d.got.Started, d.got.Progress, d.got.Warn, d.got.Files, d.got.Getenv = nil, nil, nil, nil, nil, nil
		assert.Equal(t, want, d.got, args)
	}
}

func TestSeedRandomIsDrawnAndShown(t *testing.T) {
	seen := map[uint64]bool{}
	for range 4 {
		d := newDesk()
		require.Equal(t, exitConformant, d.exec("run", target, "--seed", "random"))
		assert.NotZero(t, d.got.Seed)
		assert.LessOrEqual(t, d.got.Seed, uint64(1<<53-1))
		seen[d.got.Seed] = true
	}
	assert.Len(t, seen, 4)
}

func TestTokenComesFromFlagThenFileThenEnvironment(t *testing.T) {
	file := keep(t, "token", "from-file\n")
	windows := keep(t, "token", "from-file\r\n")
	for args, want := range map[string]string{
		"":                        "from-env",
		"--token from-flag":       "from-flag",
		"--token-file " + file:    "from-file",
		"--token-file " + windows: "from-file",
	} {
		d := newDesk()
		d.env[envToken] = "from-env"
		require.Equal(t, exitConformant, d.exec(append([]string{"run", target}, strings.Fields(args)...)...))
		assert.Equal(t, want, d.got.Token, args)
		assert.NotContains(t, d.stdout.String()+d.stderr.String(), want)
	}
}

func TestWithoutTargetTheEmbeddedServerIsJudgedWithItsOwnToken(t *testing.T) {
	for _, args := range [][]string{{"run"}, {"run", "--token", "mine"}, {"replay", "thing-size/0"}} {
		d := newDesk()
		d.env[envToken] = "not even a token"
		require.Equal(t, exitConformant, d.exec(args...), d.stderr.String())
		assert.Equal(t, "http://127.0.0.1:4000", d.got.Target)
		assert.Equal(t, "embedded-token", d.got.Token)
		assert.True(t, d.got.Embedded)
		assert.True(t, d.stopped)
		assert.Contains(t, d.stdout.String()+d.stderr.String(), "embedded reference server")
	}
}

func TestFlagsOfTheOtherCommandsReachTheEngine(t *testing.T) {
	file := keep(t, "file", "content")
	for _, args := range []string{"list", "explain thing-size", "replay thing-size/0 --seed 7 --draws 0 --insecure " + target} {
		d := newDesk()
		require.Equal(t, exitConformant, d.exec(strings.Fields(args+" --spec "+file+" --requirements "+file)...), d.stderr.String())
		assert.Equal(t, []byte("content"), d.got.Spec, args)
		assert.Equal(t, []byte("content"), d.got.Requirements, args)
		if strings.HasPrefix(args, "replay") {
			assert.Equal(t, "thing-size/0", d.asked)
			assert.Equal(t, uint64(7), d.got.Seed)
			assert.Equal(t, -1, d.got.Draws)
			assert.True(t, d.got.Insecure)
		}
	}
}
