package mutate_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/internal/sample"
)

// spelledBy are the checks of a server that shares nothing with the suite, and texts of each
// format that a careless check refuses.
var spelledBy = map[string]struct {
	check    func(string) error
	ordinary []string
}{
	"email": {func(s string) error { _, err := mail.ParseAddress(s); return err },
		[]string{`^[a-z]+\.[a-z0-9]+@`, `\+`, `@mail\.`, `^[a-z]+-`, `_`, `@.*-`}},
	"idn-email":     {nil, []string{`^[a-z]+\.[a-z0-9]+@`, `\+`}},
	"hostname":      {matches(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]+$`), []string{`-`, `^3`, `\..*\..*\.`}},
	"idn-hostname":  {nil, []string{`-`, `^3`}},
	"ipv4":          {ofAddress, []string{`^203`, `\.254$`}},
	"ipv6":          {ofAddress, []string{`^::1$`, `0000:`, `::$`, `^fe80`}},
	"uri":           {ofURI, []string{`:8443/`, `\?page=2&`, `#`, `-shop`}},
	"uri-reference": {ofURI, []string{`^https:`, `^[a-z]`, `\?`, `#`}},
	"date-time":     {timeOf(time.RFC3339), []string{`\+02:00$`, `-05:30$`, `\.\d+Z$`, `\.\d+\+01:00$`}},
	"time":          {timeOf("15:04:05Z07:00"), []string{`\+02:00$`, `-05:30$`, `\.\d+Z$`}},
	"duration":      {matches(`^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$`), []string{`^PT\d+M$`, `^PT1H\d+M$`, `DT12H$`, `^PT\d+S$`}},
	"byte":          {func(s string) error { _, err := base64.StdEncoding.Strict().DecodeString(s); return err }, []string{`[^=]=$`, `==$`, `\+/`}},
	"base64url":     {func(s string) error { _, err := base64.RawURLEncoding.Strict().DecodeString(s); return err }, []string{`-_`}},
	"json-pointer":  {matches(`^(/([^~]|~[01])*)*$`), []string{`/0$`, `~1.*~0`}},
	"regex":         {func(s string) error { _, err := regexp.Compile(s); return err }, []string{`^\^.*\$$`, `\|`}},
	"uri-template":  {nil, []string{`/\{id\}$`, `\{\?`}},
}

func matches(form string) func(string) error {
	re := regexp.MustCompile(form)
	return func(s string) error {
		if !re.MatchString(s) {
			return fmt.Errorf("%q is not %s", s, form)
		}
		return nil
	}
}

func ofAddress(s string) error { _, err := netip.ParseAddr(s); return err }

func ofURI(s string) error { _, err := url.Parse(s); return err }

func timeOf(layout string) func(string) error {
	return func(s string) error { _, err := time.Parse(layout, s); return err }
}

// A server that refuses a plus in an address, say, takes all texts of one form.
func TestEveryFormatIsSentAsPeopleWriteIt(t *testing.T) {
	for _, format := range sample.Of(slices.Sorted(maps.Keys(spelledBy)), 2) {
		by := spelledBy[format]
		schema := "{type: string, format: " + format + "}"
		document := `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {parameters: [{name: one, in: query, schema: ` + schema + `}, {name: X-One, in: header, schema: ` + schema + `}],
  requestBody: {content: {application/json: {schema: {type: object, required: [one], properties: {one: ` + schema + `, list: {type: array, items: ` + schema + `}}}}}},
  responses: {"200": {description: d}, "400": {description: d}}}}}}`
		sent := map[string][]string{}
		for _, m := range lastOf(t, document, "gate", 100) {
			if r := m.Reading(); r == nil || r.Kind != openapi.MustAccept {
				continue
			}
			for _, place := range []string{"/one", "/list/0", "query/one", "header/X-One"} {
				if v := m.At(place); v != nil {
					sent[place] = append(sent[place], v.Text)
					if by.check != nil {
						assert.NoError(t, by.check(v.Text), "%s %s", format, place)
					}
				}
			}
		}
		for place, texts := range sent {
			for _, form := range by.ordinary {
				assert.Regexp(t, "(?m)"+form, strings.Join(texts, "\n"), "%s at %s", format, place)
			}
		}
		assert.Len(t, sent, 4, format)
	}
}
