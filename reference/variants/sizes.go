package variants

import (
	"io"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// sizes have limits of their own where the contract has none, and keep to them.
func sizes() []Variant {
	const field, quoted, members, items, text = 255, 60, 64, 100, 1000
	return []Variant{
		{Name: "fields-of-255-bytes", Doc: "answers 431 to a field above 255 bytes that is no credential, and 414 to a query above them", alter: alter.All(
			refusedWhen(http.StatusRequestURITooLong, func(r *http.Request, _ []byte) bool { return len(r.URL.RawQuery) > field }),
			refusedWhen(http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request, _ []byte) bool {
				for name, values := range r.Header {
					if name != "Authorization" && len(values[0]) > field {
						return true
					}
				}
				return false
			}))},
		{Name: "message-quotes-value", Doc: "quotes the first 60 characters of a body in the message of a refusal",
			alter: alter.Undecoded(func(b []byte, why *reference.Refusal) (reference.Plant, error) {
				quote := []rune(strings.ToValidUTF8(string(b), "\ufffd"))
				return reference.Plant{}, &reference.Refusal{Kind: why.Kind, At: why.At, Reason: why.Reason + " in " + string(quote[:min(len(quote), quoted)])}
			})},
		{Name: "json-limits", Doc: "refuses objects of more than 64 members, lists of more than 100 items, and names and unknown texts above 1000 bytes, as parsers with limits do",
			alter: alter.Looked(func(b []byte) error {
				pairs, _ := alter.Object(b, jsontext.AllowDuplicateNames(true))
				if len(pairs) > members {
					return alter.Bad("", "has too many members")
				}
				for _, p := range pairs {
					if p.Name == "id" || p.Name == "name" || p.Name == "tag" {
						continue
					}
					if len(p.Name) > text || len(p.Value) > text || strings.Count(p.Value, ",") >= items {
						return alter.Bad("", "has a member that is too large")
					}
				}
				return nil
			})},
		{Name: "body-in-small-blocks", Doc: "reads the body in blocks of seven bytes", alter: func(s *reference.Stages) {
			next := s.Read
			s.Read = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Body = struct {
					io.Reader
					io.Closer
				}{smallBlocks{r.Body}, r.Body}
				return next(w, r)
			}
		}},
	}
}

// smallBlocks never reads more than seven bytes at once.
type smallBlocks struct{ io.Reader }

// Read implements [io.Reader].
func (s smallBlocks) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), 7)]) }

// marks treats what cannot be seen in texts in ways of its own.
func marks() []Variant {
	invisible := func(c rune) bool {
		return unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Co, c) || unicode.Is(unicode.Noncharacter_Code_Point, c)
	}
	refuse := func(text string) bool { return strings.ContainsFunc(text, invisible) }
	return []Variant{
		{Name: "invisible-refused", Doc: "refuses format characters, private use and noncharacters in names and tags, as profiles of PRECIS do",
			alter: alter.All(refusesName("has a character that cannot be seen", refuse), refusesTag("has a character that cannot be seen", refuse))},
		{Name: "direction-marks-lost", Doc: "drops marks of direction from names, to keep texts from being shown in another order", Warns: []string{"echo-may-refuse"},
			alter: alter.Name(func(n string) string {
				return strings.Map(func(c rune) rune {
					if unicode.Is(unicode.Bidi_Control, c) {
						return -1
					}
					return c
				}, n)
			})},
	}
}
