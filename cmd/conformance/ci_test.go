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

// knowsVariable wants that an environment variable is that of a flag of run. It reports
// whether the variable is one of ours at all.
func knowsVariable(t *testing.T, name string) bool {
	t.Helper()
	flag, ours := strings.CutPrefix(name, "CONFORMANCE_")
	if ours {
		knowsFlags(t, name, "conformance run --"+strings.ToLower(strings.ReplaceAll(flag, "_", "-")))
	}
	return ours
}

// gitlabJob is a job of the template for GitLab.
type gitlabJob struct {
	Image     string
	Variables map[string]string
	Script    []string
	Artifacts struct {
		When    string
		Paths   []string
		Reports map[string]string
	}
}

// gitlabTemplate reads what GitLab would run.
func gitlabTemplate(t *testing.T) map[string]gitlabJob {
	t.Helper()
	var template map[string]gitlabJob
	require.NoError(t, yaml.Unmarshal([]byte(source(t, ".ci/gitlab.yml")), &template))
	return template
}

// lastLine is the last line of a job, as a command in a folder.
func lastLine(job gitlabJob, folder string, env ...string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", job.Script[3])
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	return cmd
}

func TestTheTemplateOfGitLabKeepsTheReportsOfARunThatFails(t *testing.T) {
	template := gitlabTemplate(t)
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
		knowsVariable(t, name)
	}
	assert.Equal(t, "golang:1.26", job.Image)
}

// TestTheJobOfGitLabFailsWithoutATarget runs the last line of the template.
func TestTheJobOfGitLabFailsWithoutATarget(t *testing.T) {
	dir := t.TempDir()
	linkProgram(t, filepath.Join(dir, ".conformance"))
	out, code := ended(t, lastLine(gitlabTemplate(t)[".conformance"], dir, "CONFORMANCE_TARGET=", "CONFORMANCE_WAIT=1s"))
	assert.Equal(t, 2, code, "the server inside the suite is not tested instead: %s", out)
}

// TestTheImageHasOneStaticProgramAndNoRoot reads the Dockerfile; .ci/run builds it where
// there is a builder.
func TestTheImageHasOneStaticProgramAndNoRoot(t *testing.T) {
	var stages [][]string
	for line := range strings.Lines(source(t, ".ci/Dockerfile")) {
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
	assert.Contains(t, source(t, ".ci/release"), "CGO_ENABLED=0 exec go build", "static: there is no C library in the image")
	assert.Contains(t, source(t, ".ci/release"), "-o bin/")
	assert.Contains(t, source(t, "go.mod"), "\ngo 1.26", "the image of the compiler has the version of go.mod")
	assert.Equal(t, []string{"FROM gcr.io/distroless/static-debian12:nonroot", "COPY --from=build /src/bin/conformance /usr/local/bin/conformance",
		"WORKDIR /work", "USER 65532:65532", `ENTRYPOINT ["/usr/local/bin/conformance"]`, `CMD ["--help"]`}, stages[1], "a number as user, so that Kubernetes sees that it is not root")
}

// TestTheShardsOfGitLabAreMerged runs the last lines of both jobs, as parallel: 2 does.
func TestTheShardsOfGitLabAreMerged(t *testing.T) {
	template := gitlabTemplate(t)
	s, err := proof.StartFault("id-numeric-string")
	require.NoError(t, err)
	defer s.Close()
	dir := t.TempDir()
	linkProgram(t, filepath.Join(dir, ".conformance"))
	line := func(job string, env ...string) (string, int) {
		return ended(t, lastLine(template[job], dir, append(env, "CONFORMANCE_TOKEN="+s.Token, "CONFORMANCE_ONLY=newplant-id-*", "CONFORMANCE_EFFORT=gate", "CONFORMANCE_DRAWS=0", "CONFORMANCE_TARGET="+s.URL)...))
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
