package faults

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const (
	okStatus     = "post-plants-200-status"
	okMediaType  = "post-plants-200-media-type"
	okJSON       = "post-plants-200-json"
	plantObject  = "plant-object"
	plantHasName = "plant-name-required"
	plantName    = "plant-name-string"
	plantTag     = "plant-tag-string"
)

func status(code int) alter.Change {
	return alter.Success(func(_ plant, resp *reference.Response) { resp.Status = code })
}

func mediaType(name string) alter.Change {
	return alter.Success(func(_ plant, resp *reference.Response) { resp.Type = name })
}

// says replaces the body of a success.
func says(f func(p plant, body string) string) alter.Change { return alter.SuccessBody(f) }

// object writes a Plant from the texts of its values; "" leaves the tag out.
func object(name, tag string) string {
	if tag == "" {
		return `{"name":` + name + "}"
	}
	return `{"name":` + name + `,"tag":` + tag + "}"
}

// quoted gives the texts of name and tag.
func quoted(p plant) (name, tag string) {
	if p.Tag != nil {
		tag = alter.Quote(*p.Tag)
	}
	return alter.Quote(p.Name), tag
}

// success answers accepted plants with another status, type or syntax.
func success() []Fault {
	return []Fault{
		{Name: "created", Breaks: okStatus, Doc: "answers 201, as REST tutorials do", alter: status(http.StatusCreated)},
		{Name: "accepted", Breaks: okStatus, Doc: "answers 202, as servers with a queue do", alter: status(http.StatusAccepted)},
		{Name: "no-content", Breaks: okStatus, Doc: "answers 204 without a body",
			alter: alter.Success(func(_ plant, resp *reference.Response) {
				*resp = reference.Response{Status: http.StatusNoContent}
			})},
		{Name: "created-with-tag", Breaks: okStatus, Rare: true, Doc: "answers 201 where a tag was stored too",
			alter: alter.Success(func(p plant, resp *reference.Response) {
				if p.Tag != nil {
					resp.Status = http.StatusCreated
				}
			})},
		{Name: "success-text", Breaks: okMediaType, Doc: "answers as text/plain, as frameworks do for strings", alter: mediaType("text/plain; charset=utf-8")},
		{Name: "success-html", Breaks: okMediaType, Doc: "answers as text/html, as PHP does by default", alter: mediaType("text/html; charset=UTF-8")},
		{Name: "success-two-types", Breaks: okMediaType, Doc: "answers with two Content-Type fields, as a handler that adds where it should set", alter: alter.Wire(
			func(_ *http.Request, resp reference.Response) string {
				if resp.Status != http.StatusOK {
					return ""
				}
				resp.Header = http.Header{"Content-Type": {"text/html; charset=UTF-8"}}
				return alter.HTTP(resp)
			})},
		{Name: "success-type-as-asked", Breaks: okMediaType, Rare: true, Doc: "calls its JSON text/html where Accept names that", alter: alter.Wire(
			func(r *http.Request, resp reference.Response) string {
				if resp.Status != http.StatusOK || !strings.Contains(r.Header.Get("Accept"), "text/html") {
					return ""
				}
				resp.Type = "text/html"
				return alter.HTTP(resp)
			})},
		{Name: "success-without-type", Breaks: okMediaType, Doc: "answers without a Content-Type", alter: mediaType("")},
		{Name: "success-text-json", Breaks: okMediaType, Doc: "answers as text/json, which is not registered", alter: mediaType("text/json")},
		{Name: "success-hal", Breaks: okMediaType, Doc: "answers as application/hal+json", alter: mediaType("application/hal+json")},
		{Name: "success-tagged-text", Breaks: okMediaType, Rare: true, Doc: "answers as text/plain where there is a tag, by another code path",
			alter: alter.Success(func(p plant, resp *reference.Response) {
				if p.Tag != nil {
					resp.Type = "text/plain"
				}
			})},
		{Name: "success-empty", Breaks: okJSON, Doc: "answers 200 with an empty body",
			alter: says(func(plant, string) string { return "" })},
		{Name: "success-plain-ok", Breaks: okJSON, Doc: "answers the letters OK as JSON",
			alter: says(func(plant, string) string { return "OK" })},
		{Name: "success-repr", Breaks: okJSON, Doc: "answers in single quotes, as str() of a dict does",
			alter: says(func(_ plant, b string) string { return strings.ReplaceAll(b, `"`, "'") })},
		{Name: "success-trailing-comma", Breaks: okJSON, Doc: "answers with a comma behind the last member, as templates do",
			alter: says(func(_ plant, b string) string { return strings.TrimSuffix(b, "}") + ",}" })},
		{Name: "success-twice", Breaks: okJSON, Doc: "writes the body twice, as a handler that calls next after it answered",
			alter: says(func(_ plant, b string) string { return b + b })},
		{Name: "success-byte-order-mark", Breaks: okJSON, Doc: "writes a byte order mark first, as .NET's UTF8 encoding does",
			alter: says(func(_ plant, b string) string { return "\ufeff" + b })},
		{Name: "success-xssi-prefix", Breaks: okJSON, Doc: "writes )]}' first, to keep scripts from reading the answer",
			alter: says(func(_ plant, b string) string { return ")]}',\n" + b })},
		{Name: "success-warning", Breaks: okJSON, Doc: "writes a warning before the answer where there is no tag, as PHP with display_errors does",
			alter: says(func(p plant, b string) string {
				if p.Tag == nil {
					return "<br />\n<b>Warning</b>:  Undefined array key \"tag\"<br />\n" + b
				}
				return b
			})},
		{Name: "success-template", Breaks: okJSON, Also: []string{echoName}, Rare: true, Doc: "puts the name between quotes without escaping it",
			alter: says(func(p plant, _ string) string {
				_, tag := quoted(p)
				return object(`"`+p.Name+`"`, tag)
			})},
		{Name: "success-latin1", Breaks: okJSON, Rare: true, Doc: "answers in Latin-1 where it can",
			alter: says(func(_ plant, b string) string { return latin1(b) })},
		{Name: "success-cesu8", Breaks: okJSON, Rare: true, Doc: "writes characters above U+FFFF as two surrogates in UTF-8, as Java's modified UTF-8 does",
			alter: says(func(_ plant, b string) string { return cesu8(b) })},
		{Name: "success-long-escapes", Breaks: echoName, Also: []string{echoTag}, Rare: true, Doc: "escapes characters above U+FFFF with five digits, as format strings with %x do",
			alter: says(func(_ plant, b string) string { return mapRunes(b, beyondBMP, `\u%x`) })},
		{Name: "success-braced-escapes", Breaks: okJSON, Rare: true, Doc: "escapes accented letters as \\xe9, as Python's repr does",
			alter: says(func(_ plant, b string) string {
				return mapRunes(b, func(r rune) bool { return r >= 0x80 && r <= 0xff }, `\x%x`)
			})},
	}
}

// plants answers accepted plants with JSON of another shape.
func plants() []Fault {
	numeric := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	return []Fault{
		{Name: "plant-in-array", Breaks: plantObject, Doc: "answers with an array of one plant, as queries do",
			alter: says(func(_ plant, b string) string { return "[" + b + "]" })},
		{Name: "plant-in-string", Breaks: plantObject, Doc: "encodes the answer twice",
			alter: says(func(_ plant, b string) string { return alter.Quote(b) })},
		{Name: "plant-null", Breaks: plantObject, Doc: "answers null, as handlers that return nothing do",
			alter: says(func(plant, string) string { return "null" })},
		{Name: "plant-id-alone", Breaks: plantObject, Doc: "answers with the id as a bare number",
			alter: says(func(p plant, _ string) string { return fmt.Sprint(p.ID) })},
		{Name: "plant-empty", Breaks: plantHasName, Doc: "answers {}, as serializers of private members do",
			alter: says(func(plant, string) string { return "{}" })},
		{Name: "plant-id-only", Breaks: plantHasName, Doc: "answers with nothing but the id",
			alter: says(func(p plant, _ string) string { return fmt.Sprintf(`{"id":%d}`, p.ID) })},
		{Name: "plant-in-envelope", Breaks: plantHasName, Doc: "answers with the plant inside data",
			alter: says(func(_ plant, b string) string { return `{"data":` + b + "}" })},
		{Name: "plant-capital-names", Breaks: plantHasName, Doc: "answers with Name and Tag, as untagged Go structs do",
			alter: says(func(_ plant, b string) string {
				return strings.NewReplacer(`{"name":`, `{"Name":`, `,"tag":`, `,"Tag":`).Replace(b)
			})},
		{Name: "plant-name-zero-lost", Breaks: plantHasName, Rare: true, Doc: "leaves the name 0 out, because PHP takes \"0\" for empty",
			alter: says(onlyFor(func(n string) bool { return n == "0" }, func(p plant) string { return withoutName(p) }))},
		{Name: "plant-name-proto-lost", Breaks: plantHasName, Rare: true, Doc: "loses the name __proto__, because names are keys of a JavaScript object",
			alter: says(onlyFor(func(n string) bool { return n == "__proto__" }, func(p plant) string { return withoutName(p) }))},
		{Name: "plant-name-number", Breaks: plantName, Rare: true, Doc: "answers names that look like numbers as numbers, as JSON_NUMERIC_CHECK does",
			alter: says(onlyFor(numeric.MatchString, func(p plant) string {
				_, tag := quoted(p)
				return object(p.Name, tag)
			}))},
		{Name: "plant-name-boolean", Breaks: plantName, Rare: true, Doc: "answers the names true and false as booleans, as YAML does",
			alter: says(onlyFor(func(n string) bool { return n == "true" || n == "false" }, func(p plant) string {
				_, tag := quoted(p)
				return object(p.Name, tag)
			}))},
		{Name: "plant-name-null", Breaks: plantName, Rare: true, Doc: "answers the name null as null, as CSV imports do",
			alter: says(onlyFor(func(n string) bool { return n == "null" }, func(p plant) string {
				_, tag := quoted(p)
				return object("null", tag)
			}))},
		{Name: "plant-name-array", Breaks: plantName, Doc: "answers with the name in an array, as converters from XML and forms do",
			alter: says(func(p plant, _ string) string {
				name, tag := quoted(p)
				return object("["+name+"]", tag)
			})},
		{Name: "plant-tag-null", Breaks: plantTag, Doc: "answers null for an absent tag, as most serializers do",
			alter: says(func(p plant, b string) string {
				if p.Tag == nil {
					return object(alter.Quote(p.Name), "null")
				}
				return b
			})},
		{Name: "plant-tag-false", Breaks: plantTag, Doc: "answers false for an absent tag, as PHP functions do",
			alter: says(func(p plant, b string) string {
				if p.Tag == nil {
					return object(alter.Quote(p.Name), "false")
				}
				return b
			})},
		{Name: "plant-tag-array", Breaks: plantTag, Doc: "answers with the tag in an array",
			alter: says(func(p plant, b string) string {
				if name, tag := quoted(p); tag != "" {
					return object(name, "["+tag+"]")
				}
				return b
			})},
		{Name: "plant-tag-number", Breaks: plantTag, Rare: true, Doc: "answers tags that look like numbers as numbers",
			alter: says(func(p plant, b string) string {
				if p.Tag != nil && numeric.MatchString(*p.Tag) {
					return object(alter.Quote(p.Name), *p.Tag)
				}
				return b
			})},
	}
}

// onlyFor answers plants of some names in another way.
func onlyFor(name func(string) bool, body func(plant) string) func(plant, string) string {
	return func(p plant, usual string) string {
		if name(p.Name) {
			return body(p)
		}
		return usual
	}
}

func withoutName(p plant) string {
	if _, tag := quoted(p); tag != "" {
		return `{"tag":` + tag + "}"
	}
	return "{}"
}
