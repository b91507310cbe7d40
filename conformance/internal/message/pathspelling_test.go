package message

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAPathWithAnEncodedLetterIsTheSamePath(t *testing.T) {
	for path, want := range map[string]string{"/plants": "/%70lants", "/1/Zoo%20s": "/1/%5Aoo%20s", "/": "/", "/%2F1": "/%2F1", "/%2Fa": "/%2F%61"} {
		assert.Equal(t, want, encoded(path), path)
	}
	for path, want := range map[string]string{"/%70lants": "/plants", "/%5aoo": "/Zoo", "/%2Fa%5B%7E%20": "/%2Fa%5B%7E%20", "/%4": "/%4", "/%x1": "/%x1"} {
		assert.Equal(t, want, decoded(path), path)
	}
}

func TestEverySpellingOfAPathIsUndoneWhereItTellsNothingElse(t *testing.T) {
	for template, want := range map[string][]PathSpelling{
		"/plants":     {LetterEncoded, SlashBehind, SlashTwice, DotBefore, UpperCase, SemicolonBehind},
		"/1":          {SlashBehind, SlashTwice, DotBefore, SemicolonBehind},
		"/plants/":    {LetterEncoded, SlashTwice, DotBefore, UpperCase, SemicolonBehind},
		"/users/{id}": {LetterEncoded, SlashTwice, DotBefore, UpperCase},
		"/{id}":       {SlashTwice, DotBefore},
		"/":           {DotBefore, SemicolonBehind},
	} {
		assert.Equal(t, want, PathSpellings(template), template)
	}
	for _, row := range []struct{ template, path, plain string }{
		{"/users/{id}", "/Users/A;x", "/users/A;x"},
		{"/users/{id}", "/users/", "/users/"},
		{"/users/{id}/pets", "/users/A/pets/", "/users/A/pets"},
		{"/users/{id}/pets", "//users/%41/pets;x", "/users/A/pets"},
		{"/plants", "/Plants", "/plants"},
	} {
		assert.Equal(t, row.plain, usualPath(row.template, row.path), row.path)
	}
}
