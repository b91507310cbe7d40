package main

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"

	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// subject is something that the target is made of: NAME@ALGORITHM:DIGEST.
type subject report.Subject

// digest is an algorithm as in-toto names it, and the number of its hexadecimal digits.
type digest struct {
	name   string
	digits []int
}

func digests() []digest {
	return []digest{{"sha256", []int{64}}, {"sha384", []int{96}}, {"sha512", []int{128}}, {"gitCommit", []int{40, 64}}}
}

// UnmarshalText reads a subject. The name may have a colon and an @, as that of an image.
func (s *subject) UnmarshalText(text []byte) error {
	const form = "write NAME@sha256:DIGEST"
	at := strings.LastIndex(string(text), "@")
	name, rest := string(text[:max(at, 0)]), string(text[at+1:])
	algorithm, value, found := strings.Cut(rest, ":")
	if name == "" || !found {
		return usagef(form, "%q names no digest", text)
	}
	value = strings.ToLower(value)
	var known []string
	for _, d := range digests() {
		known = append(known, d.name)
		if d.name != algorithm {
			continue
		}
		if _, err := hex.DecodeString(value); err != nil || !slices.Contains(d.digits, len(value)) {
			return usagef(form, "%q: a %s digest has %d hexadecimal digits", cmp.Or(value, "nothing"), algorithm, d.digits[0])
		}
		*s = subject{Name: name, Algorithm: algorithm, Digest: value}
		return nil
	}
	return usagef(cmp.Or(nearest.Hint(algorithm, known), "use one of "+strings.Join(known, ", ")), "unknown digest %s", algorithm)
}
