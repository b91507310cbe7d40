package main

import (
	"fmt"
	"strings"
)

// envToken is the environment variable that holds the token.
const envToken = "CONFORMANCE_TOKEN"

// token finds the token: flag before file before environment; empty where there
// is none. No error repeats a character of it.
func (o targetOptions) token(getenv func(string) string) (string, error) {
	switch {
	case o.Token != nil && o.TokenFile != nil:
		return "", usagef("use only one of them", "both --token and --token-file are set")
	case o.Token != nil:
		return *o.Token, checkToken("--token", *o.Token, false)
	case o.TokenFile != nil:
		data, err := read("--token-file", *o.TokenFile, "give a file that contains only the token")
		if err != nil {
			return "", err
		}
		token := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		return token, checkToken("--token-file "+*o.TokenFile, token, true)
	}
	token := getenv(envToken)
	if token == "" || !o.own() {
		// The variable is often set for all of a shell: it does not matter to a
		// run that brings its own server.
		return "", nil
	}
	return token, checkToken(envToken, token, false)
}

// checkToken refuses what cannot stand behind the scheme in a header; of a file
// it says in which line that is.
func checkToken(from, token string, file bool) error {
	if token == "" {
		return usagef("give the token that your server accepts", "%s: the token is empty", from)
	}
	at := strings.IndexFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f })
	if at < 0 {
		return nil
	}
	kind := blank(token[at])
	what, hint := "the token contains white space", "give the token alone, without a scheme"
	if kind == "" {
		what, hint = "the token contains a character that is not allowed in a header", "use visible ASCII characters only"
	}
	if file {
		what += fmt.Sprintf(" in line %d", 1+strings.Count(token[:at], "\n"))
		if kind != "" {
			what += ", " + kind
		}
	}
	return usagef(hint, "%s: %s", from, what)
}

// blank names a character of white space; it is empty for any other.
func blank(c byte) string {
	switch c {
	case ' ':
		return "a blank"
	case '\t':
		return "a tab"
	case '\n', '\r':
		return "a line end"
	case '\v', '\f':
		return "a vertical tab or form feed"
	}
	return ""
}
