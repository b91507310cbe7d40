package faults

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
)

// comparisons lets in a token that only looks like the right one to a careless
// comparison.
func comparisons() []Fault {
	alike := func(of func(string) uint32) func(given, token string) bool {
		return func(given, token string) bool { return of(given) == of(token) }
	}
	hash := func(by uint32) func(string) uint32 {
		return func(s string) (h uint32) {
			for i := range len(s) {
				h = h*by + uint32(s[i])
			}
			return h
		}
	}
	xor := func(s string) (x uint32) {
		for i := range len(s) {
			x ^= uint32(s[i])
		}
		return x + uint32(len(s))<<8
	}
	return []Fault{
		{Name: "token-same-hash", Breaks: bearerToken, Rare: true,
			Doc: "compares the hash that Java makes of the token", alter: token(alike(hash(31)))},
		{Name: "token-same-djb-hash", Breaks: bearerToken, Rare: true,
			Doc: "compares the hash of Bernstein of the token", alter: token(alike(hash(33)))},
		{Name: "token-same-sum", Breaks: bearerToken, Rare: true,
			Doc: "compares the sum of the bytes of the token", alter: token(alike(hash(1)))},
		{Name: "token-same-xor", Breaks: bearerToken, Rare: true,
			Doc: "compares length and xor of the bytes of the token, as a constant-time loop with a mistake does", alter: token(alike(xor))},
		{Name: "token-as-pattern", Breaks: bearerToken, Rare: true,
			Doc: "takes the given token for a regular expression that the right one matches",
			alter: token(func(given, token string) bool {
				re, err := regexp.Compile("^(?:" + given + ")$")
				return err == nil && given != "" && re.MatchString(token)
			})},
		{Name: "token-as-wildcard", Breaks: bearerToken, Rare: true,
			Doc: "takes the given token for a pattern with wildcards, as LIKE does",
			alter: token(func(given, token string) bool {
				matched, err := path.Match(given, token)
				return err == nil && matched
			})},
		{Name: "token-digest", Breaks: bearerToken, Rare: true,
			Doc: "takes the stored digest of the token for the token",
			alter: token(func(given, token string) bool {
				sum := sha256.Sum256([]byte(token))
				return given == token || strings.EqualFold(given, hex.EncodeToString(sum[:]))
			})},
		{Name: "token-second-half", Breaks: bearerToken, Rare: true,
			Doc: "compares the length and the second half of the token",
			alter: token(func(given, token string) bool {
				return len(given) == len(token) && given[len(given)/2:] == token[len(token)/2:]
			})},
	}
}
