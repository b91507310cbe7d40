package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/spec"
)

// What other services read of the examples is here as far as it is used: a key that is
// not known is a mistake.

func strictly(t *testing.T, path string, list ...any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader([]byte(source(t, "testdata/examples/"+path))), yaml.Strict())
	for _, into := range list {
		require.NoError(t, d.Decode(into), path)
	}
}

func TestEveryExampleIsListed(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(root(t), "testdata", "examples"))
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			assert.Contains(t, source(t, "testdata/examples/README.md"), "| ["+e.Name()+"]("+e.Name()+"/")
		}
	}
}

func TestTheExampleForGitHubUsesTheActionAsItIs(t *testing.T) {
	text := source(t, "testdata/examples/github/conformance.yml")
	usesTheAction(t, text)
	knowsFlags(t, "args", "conformance run "+strings.Join(strings.Fields(text[strings.Index(text, "args: |")+7:])[:2], " "))
}

// TestTheShardsOfGitHubAreMerged: what the action writes for each part is what the last
// job reads.
func TestTheShardsOfGitHubAreMerged(t *testing.T) {
	text := source(t, "testdata/examples/github/shards.yml")
	usesTheAction(t, strings.ReplaceAll(text, "${{ matrix.shard }}", "1"))
	knowsFlags(t, "shards.yml", text)
	assert.Contains(t, text, "shard: [1, 2, 3, 4]")
	assert.Contains(t, text, "args: --shard=${{ matrix.shard }}/4")
	knowsFlags(t, "args", "conformance run --shard=1/4")
	assert.Contains(t, text, "artifact: shard-${{ matrix.shard }}")
	assert.Contains(t, text, "with: {pattern: shard-*, path: shards}")
	assert.Contains(t, text, "conformance merge shards/*/conformance.json", "each artifact is a folder of its name")
	assert.Contains(t, source(t, actionFolder+"/action.yml"), "json=conformance.json")
}

func TestTheExampleForGitLabSetsVariablesThatAreRead(t *testing.T) {
	var file struct {
		Include     []struct{ Remote string }
		Conformance struct {
			Extends   string
			Services  []struct{ Name, Alias string }
			Variables map[string]string
		}
	}
	strictly(t, "gitlab/.gitlab-ci.yml", &file)
	assert.Equal(t, ".conformance", file.Conformance.Extends)
	assert.True(t, strings.HasSuffix(file.Include[0].Remote, "/.ci/gitlab.yml"))
	template := source(t, ".ci/gitlab.yml")
	text := source(t, "testdata/examples/gitlab/shards.gitlab-ci.yml")
	assert.Contains(t, text, "  parallel: 4\n")
	assert.Contains(t, text, "  extends: .conformance-merge\n")
	file.Conformance.Variables["CONFORMANCE_SHARD"] = "auto"
	for name := range file.Conformance.Variables {
		if !knowsVariable(t, name) {
			assert.Contains(t, template, "    "+name+":")
		}
	}
}

// security is what a container must not be allowed (the restricted Pod Security Standard).
type security struct {
	RunAsNonRoot             bool              `yaml:"runAsNonRoot"`
	SeccompProfile           map[string]string `yaml:"seccompProfile"`
	AllowPrivilegeEscalation *bool             `yaml:"allowPrivilegeEscalation"`
	ReadOnlyRootFilesystem   bool              `yaml:"readOnlyRootFilesystem"`
	Capabilities             map[string][]string
}

// KubernetesHead is what every resource of Kubernetes begins with. The YAML reader fills
// embedded structs only if their names are exported.
type KubernetesHead struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
}

func TestTheJobOfKubernetesIsRestrictedAndReadsItsSettings(t *testing.T) {
	var settings struct {
		KubernetesHead `yaml:",inline"`
		Data           map[string]string
	}
	var job struct {
		KubernetesHead `yaml:",inline"`
		Spec           struct {
			BackoffLimit          int `yaml:"backoffLimit"`
			ActiveDeadlineSeconds int `yaml:"activeDeadlineSeconds"`
			Template              struct {
				Spec struct {
					RestartPolicy                string   `yaml:"restartPolicy"`
					AutomountServiceAccountToken bool     `yaml:"automountServiceAccountToken"`
					SecurityContext              security `yaml:"securityContext"`
					Containers                   []struct {
						Name, Image string
						Args        []string
						Env         []struct {
							Name      string
							ValueFrom map[string]map[string]string `yaml:"valueFrom"`
						}
						SecurityContext security                     `yaml:"securityContext"`
						Resources       map[string]map[string]string `yaml:"resources"`
						VolumeMounts    []struct {
							Name      string
							MountPath string `yaml:"mountPath"`
							ReadOnly  bool   `yaml:"readOnly"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name      string
						ConfigMap map[string]string `yaml:"configMap"`
					}
				}
			}
		}
	}
	strictly(t, "kubernetes/job.yaml", &settings, &job)
	assert.Equal(t, []string{"v1", "ConfigMap", "batch/v1", "Job"}, []string{settings.APIVersion, settings.Kind, job.APIVersion, job.Kind})
	pod := job.Spec.Template.Spec
	assert.Equal(t, "Never", pod.RestartPolicy)
	assert.True(t, pod.SecurityContext.RunAsNonRoot)
	require.Len(t, pod.Containers, 1)
	c := pod.Containers[0]
	assert.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
	assert.Equal(t, settings.Metadata.Name, pod.Volumes[0].ConfigMap["name"])
	assert.Equal(t, pod.Volumes[0].Name, c.VolumeMounts[0].Name)
	assert.Equal(t, "CONFORMANCE_TOKEN", c.Env[0].Name)

	// The program reads the settings as they would be mounted.
	folder := t.TempDir()
	for name, text := range settings.Data {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	d := newDesk()
	var args []string
	for _, a := range c.Args {
		args = append(args, strings.Replace(a, c.VolumeMounts[0].MountPath, folder, 1))
	}
	require.Equal(t, exitConformant, d.exec(args...), d.stderr.String())
	assert.Equal(t, "http://api:8080", d.got.Target)
}

func TestTheMergeOfKubernetesReadsWhatTheShardsWrite(t *testing.T) {
	shards, merge := source(t, "testdata/examples/kubernetes/shards.yaml"), source(t, "testdata/examples/kubernetes/merge.yaml")
	assert.Contains(t, shards, "json=/reports/shard-$(PART).json,")
	assert.Contains(t, merge, "args: [merge, '/reports/shard-*.json', --report, html=/reports/conformance.html, --no-color]")
	knowsFlags(t, "merge.yaml", "conformance merge --report --no-color")
	for _, text := range []string{shards, merge} {
		assert.Contains(t, text, "claimName: conformance-reports\n")
	}
}

func TestTheExampleOfComposeRunsTheImage(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Image, User      string
			Build            map[string]string
			Command, Volumes []string
			Environment      map[string]string
			DependsOn        []string `yaml:"depends_on"`
		}
	}
	strictly(t, "compose/compose.yaml", &file)
	suite := file.Services["conformance"]
	assert.FileExists(t, filepath.Join(root(t), suite.Build["dockerfile"]))
	assert.Contains(t, suite.Command, "http://"+suite.DependsOn[0]+":8080")
	assert.Contains(t, file.Services, suite.DependsOn[0])
	assert.Equal(t, []string{".:/work"}, suite.Volumes, "the folder that the image works in")
	knowsFlags(t, "compose.yaml", "conformance "+strings.Join(suite.Command, " "))

	// The command works in the folder of a project that has nothing but its document.
	s, err := proof.StartReference(nil)
	require.NoError(t, err)
	defer s.Close()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "api"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "api", "openapi.yaml"), spec.OpenAPI, 0o600))
	cmd := exec.Command("conformance", strings.Split(strings.ReplaceAll(strings.Join(suite.Command, "\n"), "http://api:8080", s.URL), "\n")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CONFORMANCE_TOKEN="+s.Token, "CONFORMANCE_EFFORT=smoke")
	out, code := ended(t, cmd)
	assert.Zero(t, code, out)
	assert.FileExists(t, filepath.Join(dir, "reports", "conformance.html"))
}

// TestTheFormulaOfHomebrewInstallsWhatTheProgramPrints runs the commands of the formula
// that are ours.
func TestTheFormulaOfHomebrewInstallsWhatTheProgramPrints(t *testing.T) {
	text := source(t, "testdata/examples/homebrew/conformance.rb")
	knowsFlags(t, "conformance.rb", "conformance run --effort smoke --quiet")
	assert.Contains(t, text, `conformance run --effort smoke --quiet`)
	assert.Contains(t, text, `"./cmd/conformance"`)
	assert.Contains(t, text, `license "Apache-2.0"`)
	assert.Contains(t, source(t, "LICENSE"), "Version 2.0, January 2004")
	assert.Contains(t, text, `"completion", shells: [:bash, :zsh, :fish]`)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		out, code := ended(t, exec.Command("conformance", "completion", shell))
		assert.Zero(t, code, out)
		assert.Contains(t, out, "conformance")
	}
	out, code := ended(t, exec.Command("conformance", "man"))
	assert.Zero(t, code, out)
	assert.Regexp(t, `^\.TH CONFORMANCE 1 `, out)
}

// TestTheHookRefusesADocumentThatCannotBeRead runs the command of the hook, as pre-commit
// does: with the names of the files at its end.
func TestTheHookRefusesADocumentThatCannotBeRead(t *testing.T) {
	var file struct {
		Repos []struct {
			Repo  string
			Hooks []struct {
				ID, Name, Language, Entry, Files string
				RequireSerial                    bool `yaml:"require_serial"`
			}
		}
	}
	strictly(t, "pre-commit/.pre-commit-config.yaml", &file)
	var offered []struct {
		ID, Name, Description, Language, Entry, Files string
		RequireSerial                                 bool `yaml:"require_serial"`
	}
	strictly(t, "pre-commit/.pre-commit-hooks.yaml", &offered)
	assert.Equal(t, file.Repos[0].Hooks[0].Entry, offered[0].Entry)
	assert.Equal(t, file.Repos[0].Hooks[0].ID, offered[0].ID)
	assert.Regexp(t, offered[0].Files, "api/openapi.yaml")
	const small = "openapi: 3.1.0\ninfo: {title: Small, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: one}}}}}\n"
	good, bad := keep(t, "good.yaml", small), keep(t, "openapi.yaml", "openapi: 3.1.0\npaths: [\n")
	for _, c := range []struct {
		want  int
		files []string
	}{{0, []string{good}}, {2, []string{bad}}, {0, []string{good, good}}, {2, []string{bad, good}}, {2, []string{good, bad}}} {
		// A shell divides the entry into words as pre-commit does.
		out, code := ended(t, exec.Command("sh", append([]string{"-c", file.Repos[0].Hooks[0].Entry + ` "$@"`, "sh"}, c.files...)...))
		assert.Equal(t, c.want, code, out)
		assert.Equal(t, c.want != 0, strings.Contains(out, bad), out)
	}
}
