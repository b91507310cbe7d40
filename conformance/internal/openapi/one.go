package openapi

import "strings"

// One returns the name of a resource in one spelling: user for users, User and user.
func One(name string) string { return singular(Flat(name)) }

// singular returns the singular of an English plural, as far as its ending tells. Where that leaves
// two, a singular has the same spelling: movies are those of movy, and so is a movie.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ie") && len(word) > 3:
		return word[:len(word)-2] + "y"
	case strings.HasSuffix(word, "che"):
		return word[:len(word)-1]
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "tuses"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}
