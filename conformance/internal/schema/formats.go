package schema

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

// format says what a value of the keyword format is.
//
// A format is an annotation unless its definition leaves no doubt which values it
// has (JSON Schema 2020-12, validation, 7.2.1; OpenAPI format registry). Where it
// leaves doubt, a server may check it or not: a usual value must be accepted, any
// other may be refused, and an answer may have any.
type format struct {
	name string
	// asserted reports whether a value outside the format breaks the schema.
	asserted bool
	// has reports whether a text is in an asserted format. It is nil if the library
	// of JSON Schema checks the format.
	has func(text string) bool
	// taken reports whether every server that checks the format takes a text. It is
	// nil if all take every text that has the format.
	taken func(text string) bool
	// low and high bound the whole numbers of the format; empty if there are none.
	low, high string
	// clause is what the decision rests on.
	clause string
}

const (
	schemaFormats = "JSON Schema 2020-12, validation, 7.3"
	registry      = "OpenAPI format registry"
)

// formats is what is known of formats.
var formats = []format{
	{name: "date-time", asserted: true, taken: dateTimeForm.MatchString, clause: schemaFormats + ".1; RFC 3339, 5.6 lets others demand upper-case letters, and 5.7 says that a leap second may not be known"},
	{name: "date", asserted: true, clause: schemaFormats + ".1"},
	{name: "time", asserted: true, taken: timeForm.MatchString, clause: schemaFormats + ".1; as of date-time"},
	{name: "duration", asserted: true, clause: schemaFormats + ".1"},
	{name: "email", asserted: true, taken: isEmail, clause: schemaFormats + ".2; checks differ on what else RFC 5321, 4.1.2 allows: a domain of one label, a quoted name, an address literal"},
	{name: "idn-email", taken: isEmail, clause: schemaFormats + ".2; how a server prepares Unicode differs"},
	{name: "hostname", asserted: true, clause: schemaFormats + ".3"},
	{name: "idn-hostname", taken: isHostname, clause: schemaFormats + ".3; the version of Unicode decides (RFC 5890, 2.3)"},
	{name: "ipv4", asserted: true, clause: schemaFormats + ".4"},
	{name: "ipv6", asserted: true, clause: schemaFormats + ".4"},
	{name: "uri", asserted: true, taken: isURIText, clause: schemaFormats + ".5; many readers also take characters that RFC 3986, 2 does not allow"},
	{name: "uri-reference", asserted: true, taken: isURIText, clause: schemaFormats + ".5; many readers also take characters that RFC 3986, 2 does not allow"},
	{name: "iri", asserted: true, clause: schemaFormats + ".5"},
	{name: "iri-reference", asserted: true, clause: schemaFormats + ".5"},
	{name: "uuid", asserted: true, clause: schemaFormats + ".5"},
	{name: "uri-template", asserted: true, has: isTemplate, taken: isURITemplate, clause: schemaFormats + ".6; literals as of uri"},
	{name: "json-pointer", asserted: true, clause: schemaFormats + ".7"},
	{name: "relative-json-pointer", asserted: true, clause: schemaFormats + ".7"},
	{name: "regex", asserted: true, clause: schemaFormats + ".8"},

	{name: "byte", asserted: true, has: isBase64, taken: isUsualBase64, clause: registry + "; OpenAPI 3.0, 4.7.1 names no alphabet, so that both of RFC 4648, with or without padding and line breaks, have it"},
	{name: "base64url", asserted: true, has: isBase64URL, taken: isUsualBase64URL, clause: registry + "; RFC 4648, 3.2 and 3.3 leave padding open"},
	{name: "base16", taken: isBase16, clause: "JSON Schema 2020-12, validation, 8.3: contentEncoding is an annotation"},
	{name: "binary", clause: "OpenAPI 3.0, 4.7.1: any octets"},
	{name: "password", clause: registry + ": a hint to hide the text"},
	{name: "char", taken: isCharacter, clause: registry + ": a character may be a code point, a code unit or what a reader sees"},
	{name: "commonmark", clause: registry + ": every text is CommonMark"},
	{name: "html", clause: registry + ": readers of HTML take every text"},
	{name: "media-range", taken: isMediaRange, clause: registry + "; parameters and lists differ"},
	{name: "http-date", asserted: true, has: isHTTPDate, taken: isUsualHTTPDate, clause: registry + "; RFC 9110, 5.6.7"},
	{name: "sf-string", taken: isWord, clause: registry + ": the value is the text inside the quotes of RFC 8941, 3.3.3"},
	{name: "sf-token", taken: isWord, clause: registry},
	{name: "sf-boolean", taken: oneOf("?0", "?1"), clause: registry + "; RFC 8941, 3.3.6"},
	{name: "sf-binary", taken: isSFBinary, clause: registry + "; RFC 8941, 3.3.5"},
	{name: "sf-integer", taken: isDigits, low: "-999999999999999", high: "999999999999999", asserted: true, clause: registry + "; RFC 8941, 3.3.1"},
	{name: "sf-decimal", taken: isDecimal, clause: registry + ": numbers are rounded to three digits (RFC 8941, 3.3.2)"},

	{name: "int8", asserted: true, taken: isDigits, low: "-128", high: "127", clause: registry},
	{name: "int16", asserted: true, taken: isDigits, low: "-32768", high: "32767", clause: registry},
	{name: "int32", asserted: true, taken: isDigits, low: "-2147483648", high: "2147483647", clause: registry},
	{name: "int64", asserted: true, taken: isDigits, low: "-9223372036854775808", high: "9223372036854775807", clause: registry},
	{name: "uint8", asserted: true, taken: isDigits, low: "0", high: "255", clause: registry},
	{name: "uint16", asserted: true, taken: isDigits, low: "0", high: "65535", clause: registry},
	{name: "uint32", asserted: true, taken: isDigits, low: "0", high: "4294967295", clause: registry},
	{name: "uint64", asserted: true, taken: isDigits, low: "0", high: "18446744073709551615", clause: registry},
	{name: "double-int", taken: isDigits, clause: registry + ": some integers above 2^53 are doubles too"},
	{name: "float", taken: isDecimal, clause: registry + ": any number has a nearest one"},
	{name: "double", taken: isDecimal, clause: registry + ": any number has a nearest one"},
	{name: "decimal", taken: isDecimal, clause: registry + ": of unspecified precision and range"},
	{name: "decimal128", taken: isDecimal, clause: registry + ": any number has a nearest one"},
}

// findFormat returns what is known of a format, or nil.
func findFormat(name string) *format {
	for i := range formats {
		if name != "" && formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// FormatAsserted reports whether some values break the schema by its format alone. A
// format that is not known is an annotation.
func (s *Schema) FormatAsserted() bool {
	switch f := findFormat(s.Format); {
	case f == nil || !f.asserted:
		return false
	case f.low != "":
		return s.Allows("number") || s.Allows("integer")
	}
	return s.Allows("string")
}

// FormsTexts reports whether the format says which texts there are, or which of them all servers take.
func (s *Schema) FormsTexts() bool {
	f := findFormat(s.Format)
	return f != nil && f.low == "" && (f.asserted || f.taken != nil)
}

// FormatRange returns the smallest and largest whole number of a format, as JSON
// numbers, and whether it has them.
func FormatRange(name string) (low, high string, ranged bool) {
	f := findFormat(name)
	if f == nil || f.low == "" {
		return "", "", false
	}
	return f.low, f.high, true
}

// takenIn reports whether every server that checks the format takes the text. Only the
// server knows which values an undefined format has.
func takenIn(name, text string) bool {
	f := findFormat(name)
	if f == nil {
		return name == ""
	}
	return f.taken == nil || f.taken(text)
}

// within returns the bounds as numbers.
func (f format) within() (low, high *big.Int) {
	low, _ = new(big.Int).SetString(f.low, 10)
	high, _ = new(big.Int).SetString(f.high, 10)
	return low, high
}

func oneOf(list ...string) func(string) bool {
	return func(text string) bool {
		for _, one := range list {
			if text == one {
				return true
			}
		}
		return false
	}
}

// isBase64 reports whether some reader of base64 takes a text: of either alphabet,
// with or without line breaks, and with any padding (RFC 4648, 3.1 to 3.3).
func isBase64(text string) bool {
	text = strings.NewReplacer("\r", "", "\n", "", "+", "-", "/", "_").Replace(text)
	return isBase64URL(text)
}

func isBase64URL(text string) bool {
	body := strings.TrimRight(text, "=")
	for _, c := range body {
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return len(body)%4 != 1
}

func isUsualBase64(text string) bool {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil && base64.StdEncoding.EncodeToString(b) == text
}

func isUsualBase64URL(text string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(b)%3 == 0 && base64.RawURLEncoding.EncodeToString(b) == text
}

func isBase16(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && strings.ToUpper(text) == text
}

func isCharacter(text string) bool {
	return utf8.RuneCountInString(text) == 1 && text[0] > ' ' && text[0] < 0x7F
}

func isMediaRange(text string) bool {
	media, params, err := mime.ParseMediaType(text)
	return err == nil && len(params) == 0 && media == text && strings.Contains(media, "/")
}

func isHTTPDate(text string) bool {
	_, err := http.ParseTime(text)
	return err == nil
}

func isUsualHTTPDate(text string) bool {
	t, err := http.ParseTime(text)
	return err == nil && t.UTC().Format(http.TimeFormat) == text
}

func isSFBinary(text string) bool {
	return len(text) > 2 && text[0] == ':' && text[len(text)-1] == ':' && isUsualBase64(text[1:len(text)-1])
}

const timeOfDay = `[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])`

// The usual forms, which every reader takes.
var (
	dateTimeForm = regexp.MustCompile(`^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T` + timeOfDay + `$`)
	timeForm     = regexp.MustCompile(`^` + timeOfDay + `$`)
	emailForm    = regexp.MustCompile(`^[A-Za-z0-9]+([._+-][A-Za-z0-9]+)*@([A-Za-z0-9]+(-[A-Za-z0-9]+)*\.)+[A-Za-z]{2,}$`)
	hostnameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.[a-z]{2,}$`)
	wordForm     = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	digitsForm   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	decimalForm  = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})(\.[0-9]{1,3})?$`)
)

func isEmail(text string) bool { return emailForm.MatchString(text) }

func isHostname(text string) bool { return hostnameForm.MatchString(text) }

func isWord(text string) bool { return wordForm.MatchString(text) }

func isDigits(text string) bool { return digitsForm.MatchString(text) }

func isDecimal(text string) bool { return decimalForm.MatchString(text) }

// encoded makes a text encoded, as its format would if the document had one. The
// keyword is an annotation, so nothing is asserted.
func (s *Schema) encoded(as string) {
	known := map[string]string{"base64": "byte", "base64url": "base64url", "base16": "base16"}
	if s.Format == "" && known[strings.ToLower(as)] != "" {
		s.Format = known[strings.ToLower(as)]
	}
}

// isURIText reports whether a text has only characters that a URI may have.
func isURIText(text string) bool { return uriText.MatchString(text) }

var uriText = regexp.MustCompile(`^(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$`)

// Templates of every level have these expressions (RFC 6570, 2).
const (
	ofVariable   = `(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?`
	templatePart = `\{[+#./;?&=,!@|]?` + ofVariable + `(?:,` + ofVariable + `)*\}`
)

var (
	template   = regexp.MustCompile(`^(?:[^{}]|` + templatePart + `)*$`)
	inTemplate = regexp.MustCompile(templatePart)
)

// isTemplate reports whether braces stand in a text as a template has them.
func isTemplate(text string) bool { return template.MatchString(text) }

func isURITemplate(text string) bool { return isURIText(inTemplate.ReplaceAllString(text, "")) }

// ranged checks whole numbers exactly. A value that is no integer is left to the
// keyword type (OpenAPI format registry).
func (f format) ranged() func(any) error {
	low, high := f.within()
	return func(v any) error {
		n, ok := v.(json.Number)
		if !ok || !jsontree.IsInteger(string(n)) || jsontree.InRange(string(n), low, high) {
			return nil
		}
		return errors.New("outside " + f.name)
	}
}

// text checks a text. A value that is none is left to the keyword type.
func (f format) text() func(any) error {
	return func(v any) error {
		if s, ok := v.(string); !ok || f.has(s) {
			return nil
		}
		return errors.New("no " + f.name)
	}
}
