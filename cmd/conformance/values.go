package main

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// The types of flag values. Each refuses what the engine would have to guess
// at, with a hint, and none repeats a value that may be secret.

// duration is a time span above zero; zero means it was not given.
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return usagef("write a duration such as 500ms, 10s or 2m", "%q is not a positive duration", text)
	}
	*d = duration(v)
	return nil
}

// seed is a number from 1, so that zero can mean it was not given.
type seed uint64

// maxSeed keeps a seed exact in every reader of JSON.
const maxSeed = 1<<53 - 1

func (s *seed) UnmarshalText(text []byte) error {
	if string(text) == "random" {
		var b [8]byte
		_, _ = rand.Read(b[:]) // crypto/rand.Read never fails
		*s = seed(binary.LittleEndian.Uint64(b[:])%maxSeed + 1)
		return nil
	}
	v, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || v == 0 {
		return usagef(cmp.Or(nearest.Hint(string(text), []string{"random"}), "write a whole number from 1 up, or random"), "%q is not a seed", text)
	}
	*s = seed(v)
	return nil
}

// draws is the number of random cases for a class as the engine takes it: zero
// was not given, minus one means none.
type draws int

func (d *draws) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 0 || v > 1_000_000 {
		return usagef("write a whole number from 0 to 1000000", "%q is not a number of draws", text)
	}
	if *d = draws(v); v == 0 {
		*d = -1
	}
	return nil
}

// workers is a number of connections.
type workers int

func (w *workers) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 || v > 1024 {
		return usagef("write a whole number from 1 to 1024", "%q is not a number of workers", text)
	}
	*w = workers(v)
	return nil
}

// shard is one of several equal parts; the zero value is the whole.
type shard struct{ number, of int }

func (s *shard) UnmarshalText(text []byte) error {
	number, of, _ := strings.Cut(string(text), "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || i > n {
		return usagef("write the shard and how many there are, such as 1/4", "%q is not a shard", text)
	}
	*s = shard{i, n}
	return nil
}

// rate is requests a second.
type rate float64

func (r *rate) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return usagef("write the number of requests per second, above zero", "%q is not a rate", text)
	}
	*r = rate(v)
	return nil
}

// oneOf refuses a word that is not in a list, and offers the nearest.
func oneOf(word string, list []string, what string) error {
	if slices.Contains(list, word) {
		return nil
	}
	hint := "write " + strings.Join(list, " or ")
	if near := nearest.Names(word, list); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef(hint, what, word)
}

// levels are those that can gate.
func levels() []string {
	return []string{strings.ToLower(string(report.Must)), strings.ToLower(string(report.Should)), strings.ToLower(string(report.Suspected))}
}

// gates are the words of --fail-on: levels and categories of findings.
func gates() []string {
	out := levels()
	for _, c := range report.Categories() {
		if !slices.Contains(out, string(c)) {
			out = append(out, string(c))
		}
	}
	return out
}

// failOn says which failures fail a run.
type failOn report.Gate

func (g *failOn) UnmarshalText(text []byte) error {
	*g = failOn(strings.ToUpper(string(text)))
	for word := range strings.SplitSeq(string(text), ",") {
		if err := oneOf(word, gates(), "unknown level or category %q"); err != nil {
			return err
		}
	}
	return nil
}

// pattern selects requirements or cases.
type pattern string

func (p *pattern) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return usagef("write an id; * matches any characters", "the pattern is empty")
	}
	*p = pattern(text)
	return nil
}

// header is a header line "Name: value" that is sent with every request.
type header string

func (h *header) UnmarshalText(text []byte) error {
	name, value, found := strings.Cut(string(text), ":")
	value = strings.Trim(value, " \t")
	if !found || value == "" || !isToken(name) || strings.ContainsFunc(value, unicode.IsControl) {
		// The value may be a secret: it is not repeated.
		return usagef("write 'Name: value' in quotes", "not a header line")
	}
	name = http.CanonicalHeaderKey(name)
	if slices.Contains([]string{"Host", "Content-Length", "Transfer-Encoding"}, name) {
		return usagef("the suite sets it", "%s cannot be set", name)
	}
	*h = header(name + ": " + value)
	return nil
}

// isToken reports whether a name may be that of a header field (RFC 9110, 5.6.2).
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("!#$%&'*+-.^_`|~", r)))
	})
}

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
