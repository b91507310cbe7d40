package auth

import (
	"encoding/base64"
	"strings"
)

const basicWord = "Basic"

const (
	bearerWord = "Bearer"
	shownToken = "$CONFORMANCE_TOKEN"
)

func bearerOf(token string) string { return bearerWord + " " + token }

func same(token string) string { return token }

func basicOf(token string) string { return basicWord + " " + encoded(token) }

func encoded(token string) string {
	if !strings.Contains(token, ":") {
		return token
	}
	return base64.StdEncoding.EncodeToString([]byte(token))
}

func shownEncoded(text string) string {
	return `$(printf %s "` + text + `" | base64 -w0)`
}

func shownBasic(text string) string { return basicWord + " " + shownEncoded(text) }
