package main

import (
	"context"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// line is the form of every complaint: one line, what failed, a hint.
func line(t *testing.T, stderr string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(stderr, "\n"), "%q", stderr)
	require.Regexp(t, `^conformance: [^A-Z].*: .+\n$`, stderr)
}

func TestUsageErrorsAreOneLineWithAHintAndExit2(t *testing.T) {
	const secret = "S3CRET"
	blank := keep(t, "token", secret+" "+secret+"\n")
	two := keep(t, "token", secret+"\n\n")
	empty := keep(t, "empty", " \n")
	dir := t.TempDir()
	for args, want := range map[string]string{
		"":                               "no command given",
		"rnu":                            `did you mean run?`,
		"nonsense":                       "see conformance --help",
		"run --targt x":                  `did you mean --target?`,
		"run -target x":                  "flags start with two dashes",
		"run " + secret:                  "too many arguments for run",
		"run http://localhost:8080":      "write the address after --target",
		"run --wait":                     "--wait has no value",
		"run --wait 3":                   `"3" is not a positive duration: write a duration such as`,
		"run --timeout -1s":              "--timeout has no value",
		"run --max-time=0s":              "not a positive duration",
		"run --seed x":                   `"x" is not a seed`,
		"run --seed 0":                   "write a whole number from 1",
		"run --draws=-1":                 "not a number of draws",
		"run --workers 0":                "not a number of workers",
		"run --rate 0":                   "not a rate",
		"run --rate NaN":                 "not a rate",
		"run --rate Inf":                 "not a rate",
		"run --fail-on may":              "write must or should",
		"run --subject api":              `"api" names no digest: write NAME@sha256:DIGEST`,
		"run --subject api@sha256:0a":    "a sha256 digest has 64 hexadecimal digits",
		"run --subject api@sha265:0a":    "unknown digest sha265",
		"run --only=":                    "the pattern is empty",
		"run --skip=":                    "the pattern is empty",
		"run --insecure=may":             "see conformance run --help",
		"run --target=":                  "--target is empty: give the base URL of your server",
		"run --token -" + secret:         "--token has no value: write --token VALUE, or --token=VALUE",
		"run --token=":                   "the token is empty",
		"run --token=" + secret + "\t":   "the token contains white space",
		"run --token=" + secret + "\x01": "not allowed in a header",
		"run --token=" + secret + "é":    "not allowed in a header",
		"run --token " + secret + " --token-file f":      "both --token and --token-file are set: use only one of them",
		"run --token-file " + blank:                      "the token contains white space",
		"run --token-file " + two:                        "the token contains white space",
		"run --token-file " + empty:                      "the file is empty",
		"run --server 0":                                 `"0" is not the number of a server: write a whole number from 1`,
		"reach --server one":                             `"one" is not the number of a server`,
		"run --server-variable x":                        `"x" is not a variable and its value: write NAME=VALUE`,
		"run --server-variable a= --server-variable a=b": "--server-variable a is set twice",
		"run --token-file nowhere":                       "--token-file nowhere: no such file or directory",
		"run --spec nowhere":                             "--spec nowhere: no such file or directory",
		"run --spec " + empty:                            "the file is empty",
		"run --requirements " + dir:                      "is a directory",
		"run --values nowhere":                           "--values nowhere: no such file or directory",
		"run --include=":                                 "the pattern is empty",
		"reach --exclude=":                               "the pattern is empty",
		"reach --write " + empty:                         "the file exists: remove it or give another name",
		"reach --write nowhere/x":                        "--write nowhere/x: no such file or directory: give a path that can be written",
		"propose":                                        "propose has no document: give the OpenAPI document with --spec",
		"propose --spec s --write " + empty:              "--spec s: no such file or directory",
		"reach x":                                        "too many arguments for reach",
		"run --ca-cert nowhere":                          "--ca-cert nowhere: no such file or directory",
		"run --header " + secret:                         "write 'Name: value'",
		"run --header X-Key: " + secret:                  "write 'Name: value'",
		"run --header authorization:" + secret:           "--header Authorization is for your own server",
		"run --header Host:" + secret:                    "Host cannot be set",
		"run --header content-length:1":                  "Content-Length cannot be set",
		"run --header Transfer-Encoding:x":               "Transfer-Encoding cannot be set",
		"run --header X:\x00":                            "write 'Name: value'",
		"run --report json":                              "write FORMAT=PATH",
		"run --report json=":                             "write FORMAT=PATH",
		"run --report xml=x":                             "use one of text, json, junit, ",
		"run --report json=usage_test.go/x":              "not a directory: give a path that can be written",
		"run --report json=" + dir:                       "is a directory",
		"run --report json=- --report junit=-":           "both write to -",
		"run --report json=x --report text=./x":          "both write to ./x",
		"run --report json=x --trace x":                  "--trace and --report both write to x",
		"run --trace nowhere/x":                          "give a path that can be written",
		"run --trace -":                                  "give the path of a file",
		"list --format xml":                              `unknown format "xml"`,
		"list --coverage --spec x":                       "--coverage describes the suite, not a document: remove --spec",
		"list x":                                         "too many arguments for list",
		"explain":                                        "no id given",
		"explain a b":                                    "too many arguments for explain",
		"replay":                                         "no case given",
		"replay x --target=":                             "--target is empty",
		"replay r.json":                                  "report r.json: no such file or directory",
		"replay r.json#0":                                "write a number from 1 up",
		"replay r.json#x":                                "write a number from 1 up",
		"replay nowhere.json#1":                          "no such file or directory: write one with --report json=nowhere.json",
		"version x":                                      "too many arguments for version",
	} {
		d := newDesk()
		fields := strings.Split(args, " ")
		if args == "" {
			fields = nil
		}
		assert.Equal(t, exitUsage, d.exec(fields...), args)
		line(t, d.stderr.String())
		assert.Contains(t, d.stderr.String(), want, args)
		assert.NotContains(t, d.stderr.String(), secret)
		assert.Empty(t, d.stdout.String(), args)
		assert.Empty(t, d.got.Target, "nothing may be sent: %s", args)
	}
}

func TestTheTokenOfTheEnvironmentIsCheckedToo(t *testing.T) {
	d := newDesk()
	d.env[envToken] = "S3CRET S3CRET"
	assert.Equal(t, exitUsage, d.exec("run", target))
	assert.Equal(t, "conformance: CONFORMANCE_TOKEN: the token contains white space:"+
		" give the token alone, without a scheme\n", d.stderr.String())
}

func TestAnotherDocumentNeedsATarget(t *testing.T) {
	d := newDesk()
	assert.Equal(t, exitUsage, d.exec("run", "--spec", keep(t, "s.yaml", "openapi: 3.1.0")))
	assert.Contains(t, d.stderr.String(), "--spec without --target")

	d.stderr.Reset()
	d.engine.list = func(context.Context, conformance.Config) (*report.Listing, error) {
		return nil, &conformance.SetupError{Err: assert.AnError}
	}
	assert.Equal(t, exitUsage, d.exec("run", "--spec", keep(t, "s.yaml", "openapi: 3.1.0")))
	assert.Contains(t, d.stderr.String(), assert.AnError.Error(), "a broken document is the better message")
}

func TestATargetIsNamedOnlyByTheUser(t *testing.T) {
	for servers, want := range map[string]string{
		"":                       ": add --target URL",
		"/v1":                    ": add --target URL",
		"/v1 https://h/v1":       ": add --server 2 to test https://h/v1, or --target URL",
		"https://h http://other": ": add --target URL, or --server N to test one of the servers that conformance list shows",
	} {
		d := newDesk()
		d.engine.list = func(context.Context, conformance.Config) (*report.Listing, error) {
			return &report.Listing{Servers: strings.Fields(servers)}, nil
		}
		assert.Equal(t, exitUsage, d.exec("run", "--spec", keep(t, "s.yaml", "openapi: 3.1.0")))
		assert.Contains(t, d.stderr.String(), want+"\n")
		assert.Empty(t, d.got.Target)
	}
	d := newDesk()
	d.env[envToken] = "open-sesame-42"
	require.Equal(t, exitConformant, d.exec("run", "--spec", keep(t, "s.yaml", "openapi: 3.1.0"), "--server", "2", "--server-variable", "a="), d.stderr.String())
	assert.Equal(t, 2, d.got.Server)
	assert.Equal(t, map[string]string{"a": ""}, d.got.ServerVariables)
	assert.Equal(t, "open-sesame-42", d.got.Token, "it is the server of the user")
	assert.Empty(t, d.got.Target)
}

func TestHelpNamesEveryFlagAndExitCodeAndGoesToStandardOutput(t *testing.T) {
	for command, flags := range map[string]string{
		"":        "",
		"run":     "target server spec requirements value values token token-file header ca-cert insecure wait seed draws workers timeout max-time rate only skip include exclude fail-on report trace no-color",
		"list":    "format coverage spec requirements value values",
		"explain": "spec requirements",
		"replay":  "target server token token-file spec",
		"reach":   "target server spec value values include exclude format write max-time rate no-color",
		"propose": "target server spec value values include exclude format write max-time rate",
		"version": "",
	} {
		d := newDesk()
		assert.Equal(t, exitConformant, d.exec(append(strings.Fields(command), "--help")...))
		assert.Empty(t, d.stderr.String())
		for _, f := range strings.Fields(flags) {
			assert.Regexp(t, `--`+f+`\b[^\n]* {2,}\S`, d.stdout.String(), "%s --%s has no help", command, f)
		}
		if command == "" || command == "run" || command == "reach" || command == "propose" || command == "replay" {
			assert.Contains(t, d.stdout.String(), "Exit codes:")
			assert.Contains(t, d.stdout.String(), "Examples:")
		}
	}
}

func FuzzAnyCommandLineEndsInOneLine(f *testing.F) {
	for _, s := range []string{"", "run\x00--seed\x001", "replay\x00a.json#9", "run\x00--header\x00:\x00--report\x00=", "-\x00--\x00---", "list\x00--format\x00\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		for _, a := range args {
			// No file of the machine is read or written.
			if strings.ContainsAny(a, "/=.") || strings.HasPrefix(a, "--report") || strings.HasPrefix(a, "--trace") {
				return
			}
		}
		d := newDesk()
		code := d.exec(args...)
		if code == exitConformant {
			return
		}
		line(t, d.stderr.String())
		for _, r := range d.stderr.String() {
			assert.True(t, r == '\n' || unicode.IsPrint(r), "%U", r)
		}
	})
}
