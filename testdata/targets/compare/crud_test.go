package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/testdata/crud"
)

func TestTheSampleGoesByTheOrderOfNames(t *testing.T) {
	all := crudServers(1)
	variants, faults := 0, 0
	for _, v := range crud.Variants() {
		if v.Alone() {
			variants++
		}
	}
	for _, f := range crud.Faults() {
		if f.Alone() {
			faults++
		}
	}
	assert.Len(t, all, 1+variants+faults)
	assert.Equal(t, right, all[0].kind)
	sample := crudServers(3)
	at := 1 + (variants+2)/3
	assert.Equal(t, all[1].name, sample[1].name)
	assert.Equal(t, all[4].name, sample[2].name)
	assert.Equal(t, fault, sample[at].kind)
	assert.Equal(t, variant, sample[at-1].kind)
	assert.Equal(t, all[1+variants+3].name, sample[at+1].name)
}

func TestARunThatIsInTheResultsIsNotRepeated(t *testing.T) {
	dir := t.TempDir()
	// The third server is the fault.
	suite := script(t, dir, "suite", "echo x >>"+dir+"/runs; [ $(wc -l <"+dir+"/runs) -lt 3 ] || { echo 'FAIL late (MUST)'; exit 1; }")
	st := script(t, dir, "st", baseline+"echo x >>"+dir+"/runs-of-st; exit 1")
	args := []string{"--crud", "1000", "--max-examples", "5", "--results", dir + "/results", "--conformance", suite, "--schemathesis", st}
	var out, errs, again bytes.Buffer
	require.Equal(t, 0, run(t.Context(), args, &out, &errs), errs.String())
	assert.Contains(t, out.String(), "This suite and Schemathesis 0.1.2 judged")
	for _, row := range []string{
		"| conformance | 1 of 1 | 0 of 2 | 0 |",
		"| schemathesis --max-examples 5 | 0 of 1 | 2 of 2 | 0 |",
		"| schemathesis --continue-on-failure on what it missed | 0 of 1 | 1 of 1 | 0 |",
		"| accepted-as-202 | createUser answers 202, which is not documented | late | 0 |",
		"| as-it-is | the service without fault or variant | - | 0 |",
	} {
		assert.Contains(t, out.String(), "\n"+row)
	}
	require.Equal(t, 0, run(t.Context(), args, &again, &errs), errs.String())
	assert.Equal(t, out.String(), again.String())
	for file, runs := range map[string]int{"runs": 3, "runs-of-st": 5} {
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
	nth, err := strconv.Atoi(made[1])
	require.NoError(t, err)
	_, faults, found := strings.Cut(text, "\n## Faults\n")
	require.True(t, found)
	faults, rights, found := strings.Cut(faults, "\n## Right servers\n")
	require.True(t, found)
	tried, ours, theirs := 0, 0, 0
	for _, s := range crudServers(nth) {
		section := rights
		if s.kind == fault {
			section = faults
		}
		_, line, found := strings.Cut(section, "\n| "+s.name+" | "+s.doc+" | ")
		if !assert.True(t, found, "%s is missing: make the page again", s.name) || s.kind != fault {
			continue
		}
		tried++
		if cells := strings.Split(line, " | "); assert.Greater(t, len(cells), 4) {
			if cells[0] != "-" {
				ours++
			}
			if cells[3] != "-" {
				theirs++
			}
		}
	}
	count := func(n int) string { return strconv.Itoa(n) + " of " + strconv.Itoa(tried) }
	assert.Contains(t, text, "\n| conformance | "+count(ours)+" | ")
	assert.Contains(t, text, "\n| schemathesis --max-examples "+made[2]+" | "+count(theirs)+" | ")
}
