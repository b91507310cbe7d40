package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/reference/services/crud"
)

func TestTheListHasEveryFaultAndVariant(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, 0, run([]string{"--list"}, &out, &errs))
	assert.Equal(t, len(crud.Faults())+len(crud.Unjudged())+len(crud.Variants()), strings.Count(out.String(), "\n"))
	assert.Empty(t, errs.String())
}

func TestAnUnknownNameIsRefused(t *testing.T) {
	for _, args := range [][]string{{"--fault", "x"}, {"--variant", "x"}, {"--x"}} {
		var out, errs bytes.Buffer
		assert.Equal(t, 2, run(args, &out, &errs), "%q", args)
		assert.Empty(t, out.String())
		assert.NotEmpty(t, errs.String())
	}
}

func TestAnAddressThatCannotBeUsedIsSaid(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, 1, run([]string{"--addr", "127.0.0.1:none"}, &out, &errs))
	assert.Contains(t, errs.String(), "serve: listen")
}
