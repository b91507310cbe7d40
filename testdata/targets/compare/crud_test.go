package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference/services/crud"
)

func TestANameAloneDecidesWhatIsInTheSample(t *testing.T) {
	all := crudServers(1)
	assert.Len(t, all, 1+len(crud.Variants())+len(crud.Faults()))
	assert.Equal(t, right, all[0].kind)
	sample := crudServers(3)
	assert.Greater(t, len(sample), len(all)/4)
	assert.Less(t, len(sample), len(all)/2)
	for i, s := range sample {
		assert.True(t, slices.ContainsFunc(all, func(other crudServer) bool { return other.kind == s.kind && other.name == s.name }), s.name)
		if i > 1 {
			assert.True(t, s.kind == fault || sample[i-1].kind == variant, "variants come first")
		}
	}
}

func TestARunThatIsInTheResultsIsNotRepeated(t *testing.T) {
	const oneIn = 101
	servers := crudServers(oneIn)
	first := slices.IndexFunc(servers, func(s crudServer) bool { return s.kind == fault })
	require.Positive(t, first, "choose another sample")
	faults := len(servers) - first
	dir := t.TempDir()
	nth := strconv.Itoa(first + 1)
	suite := script(t, dir, "suite", "echo x >>"+dir+"/runs; [ $(wc -l <"+dir+"/runs) -ne "+nth+" ] || { echo 'WARN late (SHOULD)'; exit 0; }")
	st := script(t, dir, "st", baseline+"echo x >>"+dir+"/runs-of-st; exit 1")
	args := []string{"--crud", strconv.Itoa(oneIn), "--max-examples", "5", "--results", dir + "/results", "--conformance", suite, "--schemathesis", st}
	var out, errs, again bytes.Buffer
	require.Equal(t, 0, run(t.Context(), append(args, "--only", "conformance"), &out, &errs), errs.String())
	assert.Empty(t, out.String(), "a page without Schemathesis")
	require.Equal(t, 0, run(t.Context(), args, &out, &errs), errs.String())
	assert.Contains(t, out.String(), "This suite and Schemathesis 0.1.2 judged")
	one, several := count{}, count{}
	for i, s := range servers[first:] {
		if s.several {
			several.add(i == 0)
		} else {
			one.add(i == 0)
		}
	}
	none := func(c count) string { return count{all: c.all}.String() }
	rights := strconv.Itoa(first)
	for _, row := range []string{
		"| conformance | " + one.String() + " | " + several.String() + " | 0 of " + rights + " | 0 |",
		"| conformance --effort smoke | " + none(one) + " | " + none(several) + " | 0 of " + rights + " | 0 |",
		"| schemathesis --max-examples 5 | " + none(one) + " | " + none(several) + " | " + rights + " of " + rights + " | 0 |",
		"| schemathesis --continue-on-failure on what it missed | " + none(one) + " | " + none(several) + " | 1 of 1 | 0 |",
		"| " + servers[first].name + " | " + servers[first].doc + " | late | 0 |",
		"| as-it-is | the service without fault or variant | - | 0 |",
	} {
		assert.Contains(t, out.String(), "\n"+row)
	}
	require.Equal(t, 0, run(t.Context(), args, &again, &errs), errs.String())
	assert.Equal(t, out.String(), again.String())
	for file, runs := range map[string]int{"runs": 2 * len(servers), "runs-of-st": len(servers) + 1 + faults} {
		b, err := os.ReadFile(dir + "/" + file)
		require.NoError(t, err)
		assert.Equal(t, runs, strings.Count(string(b), "x"), file)
	}
}

func TestTheFlagsOfTheCRUDServiceAreRefusedWithAnotherServer(t *testing.T) {
	for _, args := range [][]string{{"--crud", "4", "--results", "r"}, {"--crud", "4", "--max-examples", "5"},
		{"--crud", "4", "--max-examples", "5", "--results", "r", "--target", "http://127.0.0.1:1"}} {
		var out, errs strings.Builder
		assert.Equal(t, 2, run(t.Context(), args, &out, &errs), args)
		assert.Contains(t, errs.String(), "compare: --crud ")
	}
}

// TestThePublishedTableHasTheServersOfItsSampleAndCountsThem reads ../CRUD.md, which
// nobody makes in a test: it takes half an hour.
func TestThePublishedTableHasTheServersOfItsSampleAndCountsThem(t *testing.T) {
	b, err := os.ReadFile("../CRUD.md")
	require.NoError(t, err)
	text := string(b)
	made := regexp.MustCompile(`--crud (\d+) --max-examples (\d+)`).FindStringSubmatch(text)
	require.NotNil(t, made)
	oneIn, err := strconv.Atoi(made[1])
	require.NoError(t, err)
	var ones, severals [2]count // of this suite and of Schemathesis
	for _, s := range crudServers(oneIn) {
		_, line, found := strings.Cut(text, "\n| "+s.name+" | "+s.doc+" | ")
		if !assert.True(t, found, "%s is missing: make the page again", s.name) || s.kind != fault {
			continue
		}
		cells := strings.Split(line, " | ")
		require.Greater(t, len(cells), 6)
		for i, cell := range []string{cells[0], cells[6]} {
			if s.several {
				severals[i].add(cell != "-")
			} else {
				ones[i].add(cell != "-")
			}
		}
	}
	for i, tool := range []string{"conformance", "schemathesis --max-examples " + made[2]} {
		row := "\n| " + tool + " | " + ones[i].String() + " | " + severals[i].String() + " | "
		assert.True(t, strings.Contains(text, row), "the page has not the row%s", row)
	}
}
