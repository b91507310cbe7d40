package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
)

// ci reads a file of a checkout.
func ci(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

// knowsFlags wants that each flag behind a command of ours exists.
func knowsFlags(t *testing.T, name, text string) {
	t.Helper()
	text = strings.ReplaceAll(text, "\\\n", " ")
	found := regexp.MustCompile(`(?m)\bconformance (run|merge|list|diff|matrix|replay|reach|explain)\b([^\n|;&]*)`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, found, name)
	for _, m := range found {
		d := newDesk()
		require.Equal(t, exitConformant, d.exec(m[1], "--help"))
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(m[2], -1) {
			assert.Regexp(t, regexp.QuoteMeta(flag)+`\b`, d.stdout.String(), "%s: conformance %s has no %s", name, m[1], flag)
		}
	}
}

// TestTheTemplateOfGitLabKeepsTheReportsOfARunThatFails reads what GitLab would run.
func TestTheTemplateOfGitLabKeepsTheReportsOfARunThatFails(t *testing.T) {
	var template map[string]struct {
		Image     string
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Paths   []string
			Reports map[string]string
		}
	}
	text := ci(t, ".ci/gitlab.yml")
	require.NoError(t, yaml.Unmarshal([]byte(text), &template))
	job := template[".conformance"]
	require.Len(t, job.Script, 4)
	for _, line := range job.Script {
		checks(t, "gitlab.yml", line)
	}
	run := job.Script[3]
	knowsFlags(t, "gitlab.yml", run)
	assert.Equal(t, "always", job.Artifacts.When)
	for format, path := range map[string]string{"gitlab": job.Artifacts.Reports["codequality"], "junit": job.Artifacts.Reports["junit"],
		"html": strings.ReplaceAll(job.Artifacts.Paths[0], "*", "$CI_NODE_INDEX"), "json": strings.ReplaceAll(job.Artifacts.Paths[1], "*", "$CI_NODE_INDEX")} {
		assert.Contains(t, run, "--report "+format+"="+path)
	}
	merge := template[".conformance-merge"].Script
	require.Len(t, merge, 4)
	assert.Equal(t, job.Script[:3], merge[:3])
	knowsFlags(t, "gitlab.yml", merge[3])
	for name := range job.Variables {
		if flag, ours := strings.CutPrefix(name, "CONFORMANCE_"); ours {
			knowsFlags(t, name, "conformance run --"+strings.ToLower(strings.ReplaceAll(flag, "_", "-")))
		}
	}
	assert.Contains(t, text, "golang:1.26")
}

// TestTheJobOfGitLabFailsWithoutATarget runs the last line of the template.
func TestTheJobOfGitLabFailsWithoutATarget(t *testing.T) {
	var template map[string]struct{ Script []string }
	require.NoError(t, yaml.Unmarshal([]byte(ci(t, ".ci/gitlab.yml")), &template))
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".conformance"), 0o777))
	program, err := exec.LookPath("conformance")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(program, filepath.Join(dir, ".conformance/conformance")))
	cmd := exec.Command("bash", "-c", template[".conformance"].Script[3])
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CONFORMANCE_TARGET=", "CONFORMANCE_WAIT=1s")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "the server inside the suite is not tested instead: %s", out)
}

// TestTheImageHasOneStaticProgramAndNoRoot reads the Dockerfile; .ci/run builds it where
// there is a builder.
func TestTheImageHasOneStaticProgramAndNoRoot(t *testing.T) {
	var stages [][]string
	for line := range strings.Lines(ci(t, ".ci/Dockerfile")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "FROM "):
			stages = append(stages, []string{line})
		default:
			require.NotEmpty(t, stages)
			stages[len(stages)-1] = append(stages[len(stages)-1], line)
		}
	}
	require.Len(t, stages, 2)
	assert.Equal(t, []string{"FROM golang:1.26 AS build", "WORKDIR /src", "COPY go.mod go.sum ./", "RUN go mod download", "COPY . .",
		"RUN .ci/release ./cmd/conformance"}, stages[0])
	assert.Contains(t, ci(t, ".ci/release"), "CGO_ENABLED=0 exec go build", "static: there is no C library in the image")
	assert.Contains(t, ci(t, ".ci/release"), "-o bin/")
	assert.Contains(t, ci(t, "go.mod"), "\ngo 1.26", "the image of the compiler has the version of go.mod")
	assert.Equal(t, []string{"FROM gcr.io/distroless/static-debian12:nonroot", "COPY --from=build /src/bin/conformance /usr/local/bin/conformance",
		"WORKDIR /work", "USER 65532:65532", `ENTRYPOINT ["/usr/local/bin/conformance"]`, `CMD ["--help"]`}, stages[1], "a number as user, so that Kubernetes sees that it is not root")
}

// TestTheShardsOfGitLabAreMerged runs the last lines of both jobs, as parallel: 2 does.
func TestTheShardsOfGitLabAreMerged(t *testing.T) {
	var template map[string]struct{ Script []string }
	require.NoError(t, yaml.Unmarshal([]byte(ci(t, ".ci/gitlab.yml")), &template))
	s, err := proof.StartFault("id-numeric-string")
	require.NoError(t, err)
	defer s.Close()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".conformance"), 0o777))
	program, err := exec.LookPath("conformance")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(program, filepath.Join(dir, ".conformance/conformance")))
	line := func(job string, env ...string) (string, int) {
		cmd := exec.Command("bash", "-c", template[job].Script[3])
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(env, "CONFORMANCE_TOKEN="+s.Token, "CONFORMANCE_ONLY=newplant-id-*", "CONFORMANCE_TARGET="+s.URL)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			require.ErrorAs(t, err, new(*exec.ExitError), string(out))
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, n := range []string{"1", "2"} {
		out, code := line(".conformance", "CI_NODE_INDEX="+n, "CI_NODE_TOTAL=2", "CONFORMANCE_SHARD=auto")
		assert.Less(t, code, 2, out)
		assert.FileExists(t, filepath.Join(dir, "conformance"+n+".json"))
	}
	out, code := line(".conformance-merge")
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "FAIL newplant-id-integer (MUST)")
}
