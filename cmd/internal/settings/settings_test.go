package settings_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/settings"
)

// grammar is a command line with each kind of flag.
type grammar struct {
	Send sendFlags `cmd:""`
	Show showFlags `cmd:""`
	Bare struct {
		Alone string `help:"Of a command without settings."`
	} `cmd:""`
}

type sendFlags struct {
	NoConfig bool
	Target   string
	Server   int
	Input    string   `placeholder:"FILE|URL"`
	Out      string   `placeholder:"FORMAT=PATH"`
	Items    []string `sep:"none" help:"Repeatable."`
	Run      string
	Key      string
	Quiet    bool
	Loud     bool
	Format   string `enum:"text,json" default:"text"`
}

type showFlags struct {
	NoConfig bool
	Format   string `enum:"text,page" default:"text"`
}

// bench is a folder with an environment.
type bench struct {
	folder string
	env    map[string]string
	src    settings.Source
}

func newBench(t *testing.T, file string) *bench {
	t.Helper()
	b := &bench{folder: t.TempDir(), env: map[string]string{}}
	if file != "" {
		require.NoError(t, os.WriteFile(filepath.Join(b.folder, settings.Name), []byte(file), 0o600))
	}
	b.src = settings.Source{Folder: b.folder, Home: b.folder, Getenv: func(n string) string { return b.env[n] },
		Rules: settings.Rules{
			Secret:   func(flag, _ string) bool { return flag == "key" },
			Explicit: []string{"run"},
			Instead:  [][2]string{{"target", "server"}},
		}}
	return b
}

// parse parses a command line with the settings of the bench.
func (b *bench) parse(t *testing.T, args ...string) (*grammar, *settings.Settings, error) {
	t.Helper()
	var g grammar
	var s *settings.Settings
	parser, err := kong.New(&g, kong.WithBeforeResolve(func(ctx *kong.Context) (err error) {
		if s, err = settings.Load(ctx, b.src); err == nil {
			ctx.AddResolver(s)
		}
		return err
	}))
	require.NoError(t, err)
	_, err = parser.Parse(args)
	return &g, s, err
}

func TestTheCommandLineIsStrongerThanTheEnvironmentAndThatThanTheFile(t *testing.T) {
	for _, c := range []struct {
		args, env, file, want, origin string
	}{
		{"--run=flag", "env", "run: file", "flag", "flag"},
		{"", "env", "run: file", "env", "environment CONFORMANCE_RUN"},
		{"", "", "run: file", "file", "settings.yaml:1"},
		{"", "", "run: file\nprofiles: {p: {run: other}}", "other", "settings.yaml:2 (profile p)"},
		{"", "", "quiet: true", "", "default"},
	} {
		b := newBench(t, "")
		b.env["CONFORMANCE_RUN"] = c.env
		require.NoError(t, os.WriteFile(filepath.Join(b.folder, "settings.yaml"), []byte(c.file), 0o600))
		b.src.File = "settings.yaml"
		if strings.Contains(c.file, "profiles") {
			b.src.Profile = "p"
		}
		g, s, err := b.parse(t, strings.Fields("send "+c.args)...)
		require.NoError(t, err)
		assert.Equal(t, c.want, g.Send.Run)
		assert.Equal(t, c.origin, s.Origin("run"))
	}
}

func TestAStrongerSourceOfOneOfTwoFlagsReplacesTheOther(t *testing.T) {
	b := newBench(t, "server: 2\nquiet: true")
	g, _, err := b.parse(t, "send", "--target", "here")
	require.NoError(t, err)
	assert.Equal(t, "here", g.Send.Target)
	assert.Zero(t, g.Send.Server)
	assert.True(t, g.Send.Quiet)
}

func TestWhatIsFalseReplacesNothing(t *testing.T) {
	b := newBench(t, "loud: true\nprofiles: {p: {quiet: true}}")
	b.src.Rules.Instead = [][2]string{{"loud", "quiet"}}
	for _, c := range []struct {
		profile, env, flag string
		loud, quiet        bool
	}{
		{"", "", "", true, false},
		{"", "false", "", true, false},
		{"", "no", "", true, false},
		{"", "", "--quiet=false", true, false},
		{"", "true", "", false, true},
		{"", "", "--quiet", false, true},
		{"p", "", "", false, true},
	} {
		b.src.Profile, b.env["CONFORMANCE_QUIET"] = c.profile, c.env
		g, _, err := b.parse(t, strings.Fields("send "+c.flag)...)
		require.NoError(t, err)
		assert.Equal(t, []bool{c.loud, c.quiet}, []bool{g.Send.Loud, g.Send.Quiet}, "%+v", c)
	}
}

func TestPathsAreThoseOfTheFolderOfTheFile(t *testing.T) {
	b := newBench(t, "input: api/a.yaml\nout: json=r.json\ntarget: x/y")
	b.src.Folder = filepath.Join(b.folder, "sub", "deep")
	require.NoError(t, os.MkdirAll(b.src.Folder, 0o700))
	g, s, err := b.parse(t, "send")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join("..", "..", "api", "a.yaml"), g.Send.Input)
	assert.Equal(t, "json="+filepath.Join("..", "..", "r.json"), g.Send.Out)
	assert.Equal(t, "x/y", g.Send.Target, "no path")
	assert.Equal(t, filepath.Join("..", "..", settings.Name), s.File)
	for _, kept := range []string{"https://example.com/a.yaml", "/abs/a.yaml", "-"} {
		require.NoError(t, os.WriteFile(filepath.Join(b.folder, settings.Name), []byte("input: "+"'"+kept+"'"), 0o600))
		g, _, err = b.parse(t, "send")
		require.NoError(t, err)
		assert.Equal(t, kept, g.Send.Input)
	}
}

func TestTheSearchEndsWithARepositoryAndPassesOverSharedFolders(t *testing.T) {
	b := newBench(t, "quiet: true")
	b.src.Folder, b.src.Home = filepath.Join(b.folder, "repository", "sub"), ""
	require.NoError(t, os.MkdirAll(b.src.Folder, 0o700))
	g, _, err := b.parse(t, "send")
	require.NoError(t, err)
	assert.True(t, g.Send.Quiet)
	require.NoError(t, os.Chmod(b.folder, 0o777|os.ModeSticky))
	g, _, err = b.parse(t, "send")
	require.NoError(t, err)
	assert.False(t, g.Send.Quiet, "anybody may have left the file there")
	require.NoError(t, os.Chmod(b.folder, 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(b.folder, "repository", ".git"), 0o700))
	g, _, err = b.parse(t, "send")
	require.NoError(t, err)
	assert.False(t, g.Send.Quiet, "the file is outside the repository")
}

func TestVariablesAreReplacedOnlyInWhatIsUsed(t *testing.T) {
	b := newBench(t, "target: http://${HOST}:${PORT}/$${x}\nitems: ['${HOST}']\nprofiles: {other: {run: '${NOPE}'}}\n")
	b.env["HOST"], b.env["PORT"] = "h", "1"
	b.src.File = settings.Name
	g, _, err := b.parse(t, "send")
	require.NoError(t, err)
	assert.Equal(t, "http://h:1/${x}", g.Send.Target)
	assert.Equal(t, []string{"h"}, g.Send.Items)
	_, _, err = b.parse(t, "show")
	require.NoError(t, err)
	b.env["PORT"] = ""
	_, _, err = b.parse(t, "send")
	require.EqualError(t, err, "conformance.yaml:1: the environment variable PORT is not set or empty: set it, or remove the line")
	_, _, err = b.parse(t, "send", "--target", "x")
	require.NoError(t, err)
}

func TestMistakesAreToldWithTheirLineAndTheNearestKey(t *testing.T) {
	for file, want := range map[string]string{
		"a: b":                                  `conformance.yaml:1: unknown key "a": conformance run --help lists the flags`,
		"quiet: true\ntagret: x":                `conformance.yaml:2: unknown key "tagret": did you mean target?`,
		"--quiet: true":                         `conformance.yaml:1: unknown key "--quiet": did you mean quiet?`,
		"alone: x":                              `conformance.yaml:1: unknown key "alone": conformance run --help lists the flags`,
		"profiles: {p: {tagret: x}}":            `conformance.yaml:1: unknown key "tagret": did you mean target?`,
		"profiles:\n  p: 3":                     `conformance.yaml:2: not a mapping: write the name of each profile, and its flags below`,
		"server: many":                          "conformance.yaml:1: server: ",
		"quiet: yes":                            "conformance.yaml:1: quiet: not true or false: write true or false",
		"format: pgae":                          `conformance.yaml:1: format: unknown value "pgae": write text or page`,
		"target:":                               "conformance.yaml:1: no value: write one, or remove the line",
		"target: [a]":                           "conformance.yaml:1: target takes no list: write one text",
		"items:\n- a\n- [b]":                    "conformance.yaml:3: not a text: ",
		"items: *a":                             "conformance.yaml:1: YAML aliases and anchors are not read: ",
		"target: a\ntarget: b":                  `conformance.yaml:2: mapping key "target" already defined`,
		"- a":                                   "conformance.yaml:1: not a mapping: ",
		"target: {":                             "conformance.yaml:1: ",
		"key: s3cret":                           "conformance.yaml:1: key: a credential does not belong in a file",
		"run: rm":                               "conformance.yaml:1: run runs commands, so it is not taken from a file that nobody named: ",
		"target: ${A":                           `conformance.yaml:1: "A" is not the name of an environment variable`,
		"target: a\n---\ntarget: b":             "conformance.yaml:3: a second YAML document: write one document",
		"items: " + strings.Repeat("[", 50):     "conformance.yaml:1: ",
		"items: " + strings.Repeat("[", 1001):   `conformance.yaml: more than 1000 times "[": write fewer`,
		"items: " + strings.Repeat("[", 70_000): "--config conformance.yaml: longer than 64 KiB: ",
	} {
		_, _, err := newBench(t, file).parse(t, "send")
		require.Error(t, err, file)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%s\n got %s\nwant %s", file, err, want)
		assert.NotContains(t, err.Error(), "s3cret")
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestAWordOfAnotherCommandIsRefusedOnlyThere(t *testing.T) {
	b := newBench(t, "format: page")
	g, _, err := b.parse(t, "show")
	require.NoError(t, err)
	assert.Equal(t, "page", g.Show.Format)
	_, _, err = b.parse(t, "send")
	require.EqualError(t, err, `conformance.yaml:1: format: unknown value "page": write text or json`)
}

func TestAnEmptyFileSaysNothing(t *testing.T) {
	for _, file := range []string{"# nothing\n", "\n", "---\n", "null\n", "{}\n"} {
		g, s, err := newBench(t, file).parse(t, "send")
		require.NoError(t, err, file)
		assert.Empty(t, g.Send.Target)
		assert.Equal(t, settings.Name, s.File)
	}
}

func TestAnUnknownProfileIsRefused(t *testing.T) {
	b := newBench(t, "profiles: {staging: {quiet: true}, ci: {quiet: true}}")
	for name, want := range map[string]string{
		"stagign": `conformance.yaml has no profile "stagign": did you mean staging?`,
		"else":    `conformance.yaml has no profile "else": it has staging, ci`,
	} {
		b.src.Profile = name
		_, _, err := b.parse(t, "send")
		require.EqualError(t, err, want)
	}
	b = newBench(t, "")
	b.src.Profile = "ci"
	_, _, err := b.parse(t, "send")
	require.ErrorContains(t, err, "--profile ci: there is no conformance.yaml here or above: ")
}

// compiled is the schema of settings of the grammar above.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var g grammar
	parser, err := kong.New(&g)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, settings.WriteSchema(&text, parser.Model))
	doc, err := jsonschema.UnmarshalJSON(&text)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem://settings", doc))
	s, err := c.Compile("mem://settings")
	require.NoError(t, err)
	return s
}

func TestTheSchemaTakesWhatTheReaderTakes(t *testing.T) {
	s := compiled(t)
	for file, valid := range map[string]bool{
		"target: a\nserver: 1\nquiet: true\nitems: [a, b]": true,
		"items: a":                           true,
		"format: page":                       true,
		"quiet: ${Q}":                        true,
		"profiles: {p: {target: a}}":         true,
		"tagret: a":                          false,
		"target: [a]":                        false,
		"quiet: maybe":                       false,
		"format: pgae":                       false,
		"profiles: {p: {profiles: {q: {}}}}": false,
		"profiles: {p: {tagret: a}}":         false,
		"alone: a":                           false,
	} {
		var doc any
		require.NoError(t, yaml.Unmarshal([]byte(file), &doc))
		assert.Equal(t, valid, s.Validate(doc) == nil, file)
	}
}
