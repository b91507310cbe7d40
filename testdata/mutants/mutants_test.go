package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The mutants are not run here; go run ./testdata/mutants does.
func TestEveryMutantStillFitsTheCode(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	all, err := packages()
	require.NoError(t, err)
	list, err := choose(all, options{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, m := range list {
		_, err := mutate(root, m)
		assert.NoError(t, err, m.Name)
		assert.NotEqual(t, m.Old, m.New, m.Name)
		assert.NotEmpty(t, m.Why, m.Name)
		assert.False(t, seen[m.Name], "two mutants are called %s", m.Name)
		seen[m.Name] = true
	}
}

func TestAMutantThatDoesNotFitIsAnErrorAndNoDeath(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	l := lab{root: root, dir: t.TempDir()}
	_, err = l.try(t.Context(), placed{mutant{Name: "gone", File: "throttle.go", Old: "no such text", New: "x"}, "conformance/internal/client"})
	assert.ErrorContains(t, err, "the old text occurs 0 times in conformance/internal/client/throttle.go, not once")
	_, err = l.try(t.Context(), placed{mutant{Name: "broken", File: "times.go", Old: "paceStep = 32", New: "paceStep = ="}, "conformance/internal/client"})
	assert.ErrorContains(t, err, "the mutant does not compile")
}

func TestAnUnknownNameOrPackageIsAnError(t *testing.T) {
	for _, args := range [][]string{{"none"}, {"--package", "none"}, {"--bad"}} {
		var stdout, stderr strings.Builder
		assert.Equal(t, 2, run(args, &stdout, &stderr), args)
		assert.Empty(t, stdout.String())
		assert.NotEmpty(t, stderr.String())
	}
}

func TestWhatNoticedAMutantIsNamed(t *testing.T) {
	assert.Equal(t, "TestOne/row", noticed("    --- FAIL: TestOne/row (0.00s)\n--- FAIL: TestOne (0.00s)\nFAIL\n"))
	assert.Equal(t, "panic: test timed out after 2m0s", noticed("panic: test timed out after 2m0s\n\tgoroutine 1\n"))
	assert.Equal(t, "the tests fail", noticed("exit status 2\n"))
}

// module makes a module with one package and its test, and changes to it. The test
// holds that Add adds; nothing holds what Name says.
func module(t *testing.T, wanted string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module sums\n\ngo 1.26\n",
		"sum/sum.go":      "package sum\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Name() string { return \"sum\" }\n",
		"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != " + wanted + " {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	t.Chdir(dir)
}

func sums(name, old, replacement string) placed {
	return placed{mutant{Name: name, File: "sum.go", Old: old, New: replacement, Why: "for the test"}, "sum"}
}

func TestAMutantDiesOnlyIfATestNoticesItAndTheFilesStayAsTheyWere(t *testing.T) {
	module(t, "5")
	before, err := os.ReadFile("sum/sum.go")
	require.NoError(t, err)
	var out bytes.Buffer
	survive, err := tryAll(t.Context(), []placed{
		sums("subtracts", "a + b", "a - b"),
		sums("renamed", `"sum"`, `"total"`),
		sums("broken", "a + b", "a +"),
		sums("gone", "a * b", "a"),
	}, time.Minute, &out)
	assert.Equal(t, 1, survive)
	assert.ErrorContains(t, err, "broken: the mutant does not compile")
	assert.ErrorContains(t, err, "gone: the old text occurs 0 times in sum/sum.go")
	for _, line := range []string{`(?m)^dies +subtracts +\S+  TestAdd$`, `(?m)^survives +renamed +\S+  for the test$`,
		`(?m)^fails +broken `, `(?m)^fails +gone `, `(?m)^1 of 4 die$`} {
		assert.Regexp(t, line, out.String())
	}
	after, err := os.ReadFile("sum/sum.go")
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

func TestNoMutantIsTriedIfTheTestsFailWithoutOne(t *testing.T) {
	module(t, "6")
	var out bytes.Buffer
	_, err := tryAll(t.Context(), []placed{sums("subtracts", "a + b", "a - b")}, time.Minute, &out)
	assert.ErrorContains(t, err, "the tests fail without a mutant")
	assert.NotContains(t, out.String(), "dies")
}

func TestAnInterruptedRunCountsNoDeath(t *testing.T) {
	module(t, "5")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	_, err := tryAll(ctx, []placed{sums("subtracts", "a + b", "a - b")}, time.Minute, &out)
	assert.ErrorIs(t, err, context.Canceled)
	assert.NotContains(t, out.String(), "dies")
}

func TestTheMutantsOfOnePackageOrNameAreChosenInTheOrderOfTheList(t *testing.T) {
	all := []mutated{{"x/one", []mutant{{Name: "a"}, {Name: "b"}}}, {"x/two", []mutant{{Name: "c"}}}}
	for _, row := range []struct {
		o    options
		want string
	}{
		{options{}, "a b c"}, {options{pkg: "one"}, "a b"}, {options{names: []string{"c", "a"}}, "a c"}, {options{pkg: "two", names: []string{"c"}}, "c"},
	} {
		chosen, err := choose(all, row.o)
		require.NoError(t, err)
		var names []string
		for _, m := range chosen {
			names = append(names, m.Name)
		}
		assert.Equal(t, row.want, strings.Join(names, " "))
	}
}

func TestTheListNamesEveryMutantWithItsPackage(t *testing.T) {
	var stdout, stderr strings.Builder
	assert.Zero(t, run([]string{"--list", "--package", "client"}, &stdout, &stderr))
	assert.Empty(t, stderr.String())
	lines := strings.Count(stdout.String(), "\n")
	assert.Greater(t, lines, 10)
	assert.Equal(t, lines, strings.Count(stdout.String(), "client "))
}
