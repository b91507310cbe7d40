package contract

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// states notes what the document says of each operation, if it names a status of a refusal.
func (c *Contract) states() {
	for _, op := range c.Rows() {
		if text := prose(c.root.At(op.Pointer)); refusals.MatchString(text) {
			op.Rules = text
		}
	}
	for _, op := range c.Rows() {
		if op.Method == http.MethodPut || op.Method == http.MethodPatch {
			op.Rules = strings.TrimSpace(op.Rules + " " + c.rulesOfCreating(op))
		}
	}
}

// rulesOfCreating returns the rules of the operation that creates what another one changes: they
// hold for the whole thing.
func (c *Contract) rulesOfCreating(op *Operation) string {
	for _, from := range c.Operations {
		below, found := strings.CutPrefix(op.Path, strings.TrimSuffix(from.Path, "/")+"/")
		if from.Method == http.MethodPost && found && strings.HasPrefix(below, "{") && !strings.Contains(below, "/") {
			return from.Rules
		}
	}
	return ""
}

// refusals matches a status of a refusal of what a request asks for.
var refusals = regexp.MustCompile(`\b(400|404|409|422)\b`)

// States reports whether what the document says of the operation names a status of the
// refusals that it lists.
func (o *Operation) States(status int) bool {
	return o.Lists(status) != nil && wordIn(o.Rules, strconv.Itoa(status))
}

// StatesOf reports whether it also names the member at a place.
func (o *Operation) StatesOf(status int, place string) bool {
	place = strings.TrimSuffix(place, "/*")
	name := place[strings.LastIndexByte(place, '/')+1:]
	return len(name) > 1 && o.States(status) && wordIn(o.Rules, name)
}

// wordIn reports whether a text has a word.
func wordIn(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i, at = at+i, at+i+len(word)
		if (i == 0 || !inWord(text[i-1])) && (at == len(text) || !inWord(text[at])) {
			return true
		}
	}
}

func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}
