package settings

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/alecthomas/kong"
)

// schema is a JSON Schema (2020-12), as far as settings need it.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        any                `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Definitions map[string]*schema `json:"$defs,omitempty"`
}

// WriteSchema writes the JSON Schema of a settings file, for editors. It knows the
// keys and whether they take a list; whether a flag takes a text is checked when the
// file is read.
func WriteSchema(w io.Writer, app *kong.Application) error {
	flags := Flags(app)
	keys := map[string]*schema{}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		keys[name] = schemaOf(flags[name])
	}
	inner := maps.Clone(keys)
	keys[profilesKey] = &schema{
		Description: "Flags by the name of a profile; --profile NAME chooses one.",
		Type:        "object",
		Additional:  &schema{Ref: "#/$defs/profile"},
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(&schema{
		Dialect:     "https://json-schema.org/draft/2020-12/schema",
		Title:       "Settings of " + app.Name,
		Type:        []string{"object", "null"},
		Properties:  keys,
		Additional:  false,
		Definitions: map[string]*schema{"profile": {Type: "object", Properties: inner, Additional: false}},
	})
}

// schemaOf is what a file can say for a flag. Flags of the same name can take different
// words in different commands.
func schemaOf(variants []*kong.Flag) *schema {
	flag := variants[0]
	scalar := &schema{Type: []string{"string", "number", "boolean"}}
	var words []string
	for _, v := range variants {
		for _, word := range v.EnumSlice() {
			if v.Enum != "" && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	fromEnvironment := &schema{Type: "string", Pattern: `\$\{[A-Za-z_][A-Za-z0-9_]*\}`}
	switch {
	case flag.IsBool():
		scalar = &schema{AnyOf: []*schema{{Type: "boolean"}, fromEnvironment}}
	case words != nil:
		scalar = &schema{AnyOf: []*schema{{Enum: words}, fromEnvironment}}
	}
	if flag.IsSlice() {
		return &schema{Description: flag.Help, AnyOf: []*schema{scalar, {Type: "array", Items: scalar}}}
	}
	scalar.Description = flag.Help
	return scalar
}
