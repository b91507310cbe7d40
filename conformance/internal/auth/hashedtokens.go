package auth

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
)

// hashes are credentials with the checksum or the hash of the valid one, and its usual
// digests themselves.
func hashes() []near {
	out := []near{
		{"neighbours-swapped", perl(`s/(.)(?!\1)(.)/$2$1/`), neighboursSwapped},
		{"sorted", perl(`$_ = join("", sort(split(//)))`), func(t string) string {
			b := []byte(t)
			slices.Sort(b)
			return string(b)
		}},
		{"halves-swapped", "${CONFORMANCE_TOKEN:${#CONFORMANCE_TOKEN}/2}${CONFORMANCE_TOKEN:0:${#CONFORMANCE_TOKEN}/2}",
			func(t string) string { return t[len(t)/2:] + t[:len(t)/2] }},
		sums("same-sum", sum{`[0-8A-Ya-y][1-9B-Zb-z]`, []int{1, -1}}),
		sums("same-adler", sum{`[0-8A-Ya-y][2-9C-Zc-z][0-8A-Ya-y]`, []int{1, -2, 1}}),
		// The hash of strings in Java and Kotlin, that of Bernstein, and one in many textbooks.
		sums("same-hash-31", sum{`[0-8A-Ya-y][a-y]`, []int{1, -31}}, sum{`[1-9B-Zb-z][0-9B-Z]`, []int{-1, 31}}),
		sums("same-hash-33", sum{`[0-8A-Ya-y][b-z]`, []int{1, -33}}, sum{`[1-9B-Zb-z][0-9A-Y]`, []int{-1, 33}}),
		sums("same-hash-37", sum{`[0-8A-Ya-y][f-z]`, []int{1, -37}}, sum{`[1-9B-Zb-z][0-9A-U]`, []int{-1, 37}}),
		{"same-xor", perl("s/([2-9B-Yb-y])([2-9B-Yb-y])/chr(ord($1)^1).chr(ord($2)^1)/e"), sameXor},
		{"md5-in-base64", digestShown("md5sum", 32) + ` | perl -ne 'chomp; print pack("H*", $_)' | base64)`, func(t string) string {
			d := md5.Sum([]byte(t))
			return base64.StdEncoding.EncodeToString(d[:])
		}},
		{"sha256-in-base64", digestShown("sha256sum", 64) + ` | perl -ne 'chomp; print pack("H*", $_)' | base64)`, func(t string) string {
			d := sha256.Sum256([]byte(t))
			return base64.StdEncoding.EncodeToString(d[:])
		}},
	}
	for _, d := range []struct {
		name, command string
		length        int
		of            func(string) []byte
	}{
		{"md5", "md5sum", 32, func(t string) []byte { d := md5.Sum([]byte(t)); return d[:] }},
		{"sha1", "sha1sum", 40, func(t string) []byte { d := sha1.Sum([]byte(t)); return d[:] }},
		{"sha256", "sha256sum", 64, func(t string) []byte { d := sha256.Sum256([]byte(t)); return d[:] }},
	} {
		out = append(out, near{d.name + "-in-hex", digestShown(d.command, d.length) + ")", func(t string) string { return hex.EncodeToString(d.of(t)) }})
	}
	return out
}

// digestShown begins a command that writes a digest in hexadecimal.
func digestShown(command string, length int) string {
	return fmt.Sprintf(`$(printf %%s "$CONFORMANCE_TOKEN" | %s | cut -c1-%d`, command, length)
}

// sum is neighbouring characters, and what is added to each so that a checksum stays.
type sum struct {
	pattern string
	add     []int
}

// sums changes the first characters that one of the patterns matches.
func sums(name string, list ...sum) near {
	script := ""
	patterns := make([]*regexp.Regexp, 0, len(list))
	for _, s := range list {
		patterns = append(patterns, regexp.MustCompile(s.pattern))
		if script != "" {
			script += " || "
		}
		by := ""
		for i, n := range s.add {
			if i > 0 {
				by += "."
			}
			by += fmt.Sprintf("chr(ord(substr($&,%d,1))%+d)", i, n)
		}
		script += "s/" + s.pattern + "/" + by + "/e"
	}
	return near{name, perl(script), func(t string) string {
		for k, s := range list {
			if at := patterns[k].FindStringIndex(t); at != nil {
				b := []byte(t)
				for i, n := range s.add {
					b[at[0]+i] = byte(int(b[at[0]+i]) + n)
				}
				return string(b)
			}
		}
		return t
	}}
}

func neighboursSwapped(t string) string {
	b := []byte(t)
	for i := 1; i < len(b); i++ {
		if b[i-1] != b[i] {
			b[i-1], b[i] = b[i], b[i-1]
			break
		}
	}
	return string(b)
}

// sameXor flips the lowest bit of two neighbours.
func sameXor(t string) string {
	at := regexp.MustCompile(`[2-9B-Yb-y][2-9B-Yb-y]`).FindStringIndex(t)
	if at == nil {
		return t
	}
	b := []byte(t)
	b[at[0]] ^= 1
	b[at[0]+1] ^= 1
	return string(b)
}
