package proof_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
)

// page is where the proof of a service is published.
func page(service string) string {
	if service == proof.CRUD {
		return "../../../conformance/PROOF-CRUD.md"
	}
	return "../../../conformance/PROOF.md"
}

// published returns what the command made of the page of a service, and its rows:
// name, and the cells by their headings.
func published(t *testing.T, service string) (made string, names []string, cells map[string]map[string]string) {
	b, err := os.ReadFile(page(service))
	require.NoError(t, err)
	madeBy := "<!-- conformance selftest --format markdown -->\n"
	if service == proof.CRUD {
		madeBy = "<!-- conformance selftest --service crud --format markdown -->\n"
	}
	_, made, found := strings.Cut(string(b), madeBy)
	require.True(t, found, "%s has no line %s", page(service), madeBy)
	made, _, _ = strings.Cut(made, "\n## What finds them\n")
	cells = map[string]map[string]string{}
	var head []string
	for line := range strings.Lines(made) {
		row, isRow := strings.CutPrefix(line, "| ")
		if !isRow || !strings.Contains(line, " | ") {
			continue
		}
		row = strings.TrimSuffix(strings.TrimSpace(row), "|")
		list := strings.Split(strings.ReplaceAll(row, "\\|", "\x00"), "|")
		for i := range list {
			list[i] = strings.ReplaceAll(strings.TrimSpace(list[i]), "\x00", "|")
		}
		switch list[0] {
		case "fault", "variant", "target":
			head = list
			continue
		}
		require.Len(t, list, len(head))
		names, cells[list[0]] = append(names, list[0]), map[string]string{}
		for i, heading := range head {
			cells[list[0]][heading] = list[i]
		}
	}
	return made, names, cells
}

// TestThePublishedProofNamesEveryServerAsItIsNow compares the page with the
// catalogues; what the suite says of the servers is compared where the other
// tests run it.
func TestThePublishedProofNamesEveryServerAsItIsNow(t *testing.T) {
	_, names, cells := published(t, proof.PlantStore)
	var want []string
	for _, r := range proof.Catalogue(proof.PlantStore) {
		want = append(want, r.Name)
		c := cells[r.Name]
		require.NotEmpty(t, c, "%s is not on the page; how to make it anew stands on it", r.Name)
		assert.Equal(t, r.Doc, c["what it does"], r.Name)
		if r.Kind == proof.Fault {
			assert.Equal(t, r.Breaks, c["should trip"], r.Name)
		}
		assert.Equal(t, "ok", c["state"], r.Name)
	}
	assert.Equal(t, want, names, "the page is out of date; how to make it anew stands on it")
}

// TestThePublishedProofOfTheCRUDServiceNamesEveryServerAndCountsThem compares the page
// with the catalogue, and its counts with its rows.
func TestThePublishedProofOfTheCRUDServiceNamesEveryServerAndCountsThem(t *testing.T) {
	made, names, cells := published(t, proof.CRUD)
	var want []string
	faults, killed, elsewhere := 0, 0, 0
	for _, r := range proof.Catalogue(proof.CRUD) {
		want = append(want, r.Name)
		c := cells[r.Name]
		require.NotEmpty(t, c, "%s is not on the page; how to make it anew stands on it", r.Name)
		assert.Equal(t, r.Doc, c["what it does"], r.Name)
		if r.Kind == proof.Variant {
			assert.Equal(t, "ok", c["state"], r.Name)
			continue
		}
		faults++
		switch state, _, _ := strings.Cut(c["state"], " "); state {
		case "MISSED":
		case "ELSEWHERE":
			elsewhere++
		default:
			killed++
			assert.NotContains(t, c["should trip"], "#", "%s: the requirement has a name", r.Name)
			assert.Contains(t, c["tripped"], c["should trip"], r.Name)
		}
	}
	assert.Equal(t, want, names, "the page is out of date; how to make it anew stands on it")
	assert.Contains(t, made, fmt.Sprintf("\n- faults found: %d of %d (", killed, faults))
	if line := "\n- faults that fail only other MUSTs than the one they name: "; elsewhere > 0 {
		assert.Contains(t, made, fmt.Sprintf("%s%d more\n", line, elsewhere))
	} else {
		assert.NotContains(t, made, line)
	}
	assert.Contains(t, made, fmt.Sprintf("\n- false alarms: 0 over %d variants\n", len(want)-faults))
}

// asPublished compares a row with what the page says of it. A rare fault shows
// on few requests, and what it trips beside its own requirement may differ.
func asPublished(t *testing.T, rows []proof.Row, rare map[string]bool) {
	_, _, cells := published(t, proof.PlantStore)
	for i := range rows {
		r := &rows[i]
		c := cells[r.Name]
		if assert.NotEmpty(t, c, r.Name) && !rare[r.Name] {
			assert.Equal(t, c["tripped"], r.Said(), "%s: the page is out of date", r.Name)
		}
	}
}
