package main

import "strings"

// envToken is the environment variable that holds the token.
const envToken = "CONFORMANCE_TOKEN"

// token finds the token: flag before file before environment; empty where there
// is none. No error repeats a character of it.
func (o targetOptions) token(getenv func(string) string) (string, error) {
	switch {
	case o.Token != nil && o.TokenFile != nil:
		return "", usagef("keep one of them", "--token and --token-file are both given")
	case o.Token != nil:
		return *o.Token, checkToken("--token", *o.Token)
	case o.TokenFile != nil:
		data, err := read("--token-file", *o.TokenFile, "give a file that holds the token and nothing else")
		if err != nil {
			return "", err
		}
		token := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		return token, checkToken("--token-file "+*o.TokenFile, token)
	}
	token := getenv(envToken)
	if token == "" || o.Target == nil {
		// The variable is often set for all of a shell: it does not matter to a
		// run that brings its own server.
		return "", nil
	}
	return token, checkToken(envToken, token)
}

// checkToken refuses what cannot stand behind the scheme in a header.
func checkToken(from, token string) error {
	switch {
	case token == "":
		return usagef("give the token that your server accepts", "%s: the token is empty", from)
	case strings.ContainsAny(token, " \t\r\n\v\f"):
		return usagef("it holds the token and nothing else, without a scheme", "%s: the token holds white space", from)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return usagef("a token is of visible ASCII characters", "%s: the token holds a character that no header can carry", from)
	}
	return nil
}
