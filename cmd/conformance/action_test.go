package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/internal/sample"
)

// action is a composite action of GitHub.
type action struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Runs struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Shell, Run, Uses string
	Env, With                      map[string]string
}

const actionFolder = ".github/actions/conformance"

func readAction(t *testing.T) action {
	t.Helper()
	var a action
	require.NoError(t, yaml.Unmarshal([]byte(source(t, actionFolder+"/action.yml")), &a))
	require.Equal(t, "composite", a.Runs.Using)
	require.Len(t, a.Runs.Steps, 6)
	return a
}

// checks asks bash whether it understands a script.
func checks(t *testing.T, name, script string) {
	t.Helper()
	cmd := exec.Command("bash", "-n")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s: %s", name, out)
}

func TestTheActionPutsNoInputIntoAScript(t *testing.T) {
	for _, s := range readAction(t).Runs.Steps {
		if s.Run == "" {
			assert.NotEmpty(t, s.Uses, s.Name)
			continue
		}
		assert.Equal(t, "bash", s.Shell, s.Name)
		assert.NotContains(t, s.Run, "${{", "%s: an input would be run as a command: hand it over in the environment", s.Name)
		checks(t, s.Name, s.Run)
	}
}

// githubWorkflow is a workflow file.
type githubWorkflow struct {
	Jobs map[string]struct{ Steps []actionStep }
}

// usesTheAction wants that a workflow runs the action with inputs that it has.
func usesTheAction(t *testing.T, text string) {
	t.Helper()
	var w githubWorkflow
	require.NoError(t, yaml.Unmarshal([]byte(text), &w))
	a, used := readAction(t), 0
	for name, job := range w.Jobs {
		for _, s := range job.Steps {
			checks(t, name, s.Run)
			if !strings.Contains(s.Uses, "/"+actionFolder+"@") {
				continue
			}
			used++
			for input := range s.With {
				assert.Contains(t, a.Inputs, input)
			}
			for input, is := range a.Inputs {
				assert.True(t, !is.Required || s.With[input] != "", "%s is missing", input)
			}
		}
	}
	assert.Positive(t, used)
}

func TestTheWorkflowOfTheGuideUsesTheActionAsItIs(t *testing.T) {
	usesTheAction(t, workflow(t))
}

// linkProgram puts the program under test into a folder.
func linkProgram(t *testing.T, folder string) {
	t.Helper()
	program, err := exec.LookPath("conformance")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(folder, 0o777))
	require.NoError(t, os.Symlink(program, filepath.Join(folder, "conformance")))
}

// ended runs a command and gives what it printed, and its exit code.
func ended(t *testing.T, cmd *exec.Cmd) (string, int) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError), string(out))
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// workspace is a checkout in which steps of the action run.
type workspace struct {
	t      *testing.T
	dir    string
	path   string // $PATH
	inputs map[string]string
	done   map[string]string // the outputs of the step run
}

func newWorkspace(t *testing.T, inputs map[string]string) *workspace {
	dir := t.TempDir()
	for _, folder := range []string{"temp/conformance", "work/api", "tools"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o777))
	}
	return &workspace{t: t, dir: dir, path: filepath.Join(dir, "tools") + ":" + os.Getenv("PATH"), inputs: inputs, done: map[string]string{}}
}

// say gives the value of ${{ ... }} in a text.
func (w *workspace) say(a action, text string) string {
	return regexp.MustCompile(`\$\{\{ (.*?) \}\}`).ReplaceAllStringFunc(text, func(m string) string {
		name := strings.Trim(m, "${} ")
		if input, found := strings.CutPrefix(name, "inputs."); found {
			require.Contains(w.t, a.Inputs, input)
			if v, given := w.inputs[input]; given {
				return v
			}
			return w.say(a, a.Inputs[input].Default)
		}
		values := map[string]string{"github.action_path": filepath.Join(root(w.t), actionFolder), "github.server_url": "https://github.example",
			"github.action_repository": "someone/conformance"}
		require.Contains(w.t, values, name)
		return values[name]
	})
}

// step runs a step of the action and gives what it printed, and its exit code.
func (w *workspace) step(name string) (string, int) {
	w.t.Helper()
	a := readAction(w.t)
	for _, s := range a.Runs.Steps {
		if s.Name != name {
			continue
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run) // as GitHub does
		cmd.Dir = filepath.Join(w.dir, "work")
		cmd.Env = append(os.Environ(), "PATH="+w.path, "RUNNER_TEMP="+filepath.Join(w.dir, "temp"), "GITHUB_OUTPUT="+filepath.Join(w.dir, "output"),
			"GITHUB_STEP_SUMMARY="+filepath.Join(w.dir, "summary"), "CONFORMANCE_TOKEN="+w.inputs["TOKEN"])
		for k, v := range s.Env {
			cmd.Env = append(cmd.Env, k+"="+w.say(a, v))
		}
		return ended(w.t, cmd)
	}
	require.Fail(w.t, "no step "+name)
	return "", 0
}

// TestTheActionNamesTheBrokenClauseOnTheLineOfTheDocument builds the program as the action
// does, and runs it against a server with a fault.
func TestTheActionNamesTheBrokenClauseOnTheLineOfTheDocument(t *testing.T) {
	sample.OneIn(t, 5)
	s, err := proof.StartFault("id-numeric-string")
	require.NoError(t, err)
	defer s.Close()
	w := newWorkspace(t, map[string]string{"target": s.URL, "document": "api/openapi.yaml", "TOKEN": s.Token,
		"args": "--only=newplant-id-*\n\n--seed\n7", "artifact": "conformance"})
	document := source(t, "spec/openapi.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "work/api/openapi.yaml"), []byte(document), 0o666))
	out, code := w.step("Build conformance")
	require.Zero(t, code, out)

	out, code = w.step("Run conformance")
	assert.Equal(t, 1, code, out)
	place := regexp.MustCompile(`(?m)^::error file=api/openapi.yaml,line=(\d+),title=(.*?)::newplant-id-integer`).FindStringSubmatch(out)
	require.NotNil(t, place, out)
	title := strings.NewReplacer("%3A", ":", "%2C", ",").Replace(place[2])
	_, shown, _ := strings.Cut(source(t, guide+"/ci.md"), "\napi/openapi.yaml, line "+place[1]+" · "+title+"\n")
	shown, _, _ = strings.Cut(shown, "\n```")
	other := regexp.MustCompile(`/id = "\d+"|http://[^ ]+`) // another one with each seed, and with each server
	assert.Contains(t, other.ReplaceAllString(out, ""), other.ReplaceAllString(strings.ReplaceAll(shown, "\n", "%0A"), ""), "the guide shows this annotation")
	assert.NotEmpty(t, shown, "the guide shows it on line %s as %s", place[1], title)
	var line int
	_, err = fmt.Sscan(place[1], &line)
	require.NoError(t, err)
	assert.Contains(t, strings.Split(document, "\n")[line-1], "integer", "the line of the clause")
	for name, want := range map[string]string{"output": "exit-code=1\n", "summary": "newplant-id-integer", "work/conformance-reports/conformance.html": "newplant-id-integer",
		"work/conformance-reports/conformance.sarif": `"newplant-id-integer"`, "work/conformance-reports/conformance.json": `"seed": 7`, "work/conformance-reports/conformance.xml": "<testsuites"} {
		text, err := os.ReadFile(filepath.Join(w.dir, name))
		require.NoError(t, err, name)
		assert.Contains(t, string(text), want, name)
	}
}

func TestTheActionDoesNotTestTheServerInTheSuiteWhenTheTargetIsEmpty(t *testing.T) {
	w := newWorkspace(t, map[string]string{"target": ""})
	linkProgram(t, filepath.Join(w.dir, "temp/conformance"))
	out, code := w.step("Run conformance")
	assert.Equal(t, 2, code)
	assert.Contains(t, out, "--target is empty")
}

// TestTheActionDownloadsWhatAReleaseHas has a curl that copies files of a release, with the
// names that .ci/goreleaser.yaml gives them.
func TestTheActionDownloadsWhatAReleaseHas(t *testing.T) {
	release := source(t, ".ci/goreleaser.yaml")
	assert.Contains(t, release, "name_template: '{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}'")
	assert.Contains(t, release, "name_template: checksums.txt")
	archive := fmt.Sprintf("conformance_0.1.0_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	data := archived(t, "conformance", "#!/bin/sh\necho downloaded\n")

	for name, row := range map[string]struct {
		sum  string
		code int
	}{"the right one": {fmt.Sprintf("%x", sha256.Sum256(data)), 0}, "another one": {strings.Repeat("0", 64), 1}} {
		w := newWorkspace(t, map[string]string{"version": "v0.1.0"})
		files := filepath.Join(w.dir, "someone/conformance/releases/download/v0.1.0")
		require.NoError(t, os.MkdirAll(files, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(files, archive), data, 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(files, "checksums.txt"), []byte(row.sum+"  "+archive+"\n"), 0o666))
		curl := "#!/bin/sh\nfor last; do :; done\ncase $last in https://github.example/*) cp '" + w.dir + "'/\"${last#https://github.example/}\" . ;; *) exit 1 ;; esac\n"
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, "tools/curl"), []byte(curl), 0o777))
		out, code := w.step("Download conformance")
		assert.Equal(t, row.code, code, "%s: %s", name, out)
		program := filepath.Join(w.dir, "temp/conformance/conformance")
		if row.code != 0 {
			assert.NoFileExists(t, program, "what does not fit its checksum is not unpacked")
			continue
		}
		said, err := exec.Command(program).Output()
		require.NoError(t, err)
		assert.Equal(t, "downloaded\n", string(said))
	}
}

// archived is a tar.gz with one program.
func archived(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	require.NoError(t, out.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}))
	_, err := out.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, out.Close())
	require.NoError(t, zip.Close())
	return b.Bytes()
}
