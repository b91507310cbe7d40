package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// valued are the members of a parameter or header that describe its value, as a
// schema does.
var valued = []string{"type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
	"pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable"}

// schemaOf makes a schema of the members that describe a value.
func schemaOf(v *jsontree.Value) *jsontree.Value {
	return each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		if slices.Contains(valued, name) {
			return x
		}
		return nil
	})
}

// parameter converts a parameter of path, query or header. The origin of its schema is
// the parameter itself.
func (c *converter) parameter(at, from string, v *jsontree.Value) *jsontree.Value {
	if v.Kind != jsontree.Object || v.Get("$ref") != nil {
		return v
	}
	out := each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		if slices.Contains(valued, name) || slices.Contains([]string{"collectionFormat", "schema", "content", "style", "explode"}, name) {
			return nil
		}
		return x
	})
	if example := v.Get("x-example"); example != nil && out.Get("example") == nil {
		out.Set("example", example) // Swagger 2.0 has no member for it; Dredd and others read this one
	}
	out.Set("schema", schemaOf(v))
	c.origin[at], c.origin[at+"/schema"] = from, from
	if swaggerText(v, "type") == "array" {
		style, explode := styleOf(swaggerText(v, "collectionFormat"), swaggerText(v, "in"))
		out.Set("style", jsontree.NewString(style))
		out.Set("explode", jsontree.NewBool(explode))
	}
	return out
}

// styleOf returns the style of a collection format. A format that has no style in
// OpenAPI 3 keeps its name, which is then no known style.
func styleOf(format, in string) (style string, explode bool) {
	simple := in == "path" || in == "header"
	switch {
	case simple && (format == "" || format == "csv"):
		return "simple", false
	case simple:
		return format, false
	case format == "" || format == "csv":
		return "form", false
	case format == "multi":
		return "form", true
	case format == "ssv":
		return "spaceDelimited", false
	case format == "pipes":
		return "pipeDelimited", false
	}
	return format, false
}

func (c *converter) header(at, from string, v *jsontree.Value) *jsontree.Value {
	if v.Kind != jsontree.Object || swaggerText(v, "type") == "" {
		return v // of OpenAPI 3, or nothing that is known
	}
	c.origin[at+"/schema"] = from
	out := each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		if slices.Contains(valued, name) || name == "collectionFormat" {
			return nil
		}
		return x
	})
	if format := swaggerText(v, "collectionFormat"); format == "" || format == "csv" || swaggerText(v, "type") != "array" {
		out.Set("schema", schemaOf(v)) // else only a text, which is any
	}
	return out
}

// body makes a request body of body and form parameters.
func (c *converter) body(at, from string, list []place, consumes []string) *jsontree.Value {
	at += "/requestBody"
	p := list[0]
	for _, other := range list {
		if swaggerText(other.v, "in") == "body" {
			p = other
		}
	}
	if swaggerText(p.v, "in") != "body" {
		return c.form(at, from, list, consumes)
	}
	if len(list) > 1 {
		c.note(from+"/parameters", "only one of the parameters in body and formData is sent")
	}
	if len(consumes) == 0 {
		consumes = []string{"application/json"}
	}
	content := jsontree.NewObject()
	for _, m := range consumes {
		content.Set(m, jsontree.NewObject())
		media := pointerBelow(at+"/content", m)
		c.origin[media], c.origin[media+"/schema"] = p.at, p.at+"/schema"
		if schema := p.v.Get("schema"); schema != nil {
			content.Get(m).Set("schema", schema)
		}
	}
	c.origin[at], c.origin[at+"/content"] = p.at, p.at
	return swaggerBody(p.v.Get("required"), content)
}

func swaggerBody(required, content *jsontree.Value) *jsontree.Value {
	out := jsontree.NewObject()
	if required != nil {
		out.Set("required", required)
	}
	out.Set("content", content)
	return out
}

// form makes a request body of form parameters: an object with a member for each.
func (c *converter) form(at, from string, list []place, consumes []string) *jsontree.Value {
	properties, needed, encoding := jsontree.NewObject(), jsontree.NewArray(), jsontree.NewObject()
	files := false
	origins := map[string]string{}
	for _, p := range list {
		name := swaggerText(p.v, "name")
		properties.Set(name, schemaOf(p.v))
		origins[pointerBelow("/schema/properties", name)] = p.at
		if r := p.v.Get("required"); r != nil && r.Bool {
			needed.Items = append(needed.Items, jsontree.NewString(name))
		}
		if swaggerText(p.v, "type") == "array" {
			style, explode := styleOf(swaggerText(p.v, "collectionFormat"), "formData")
			encoding.Set(name, jsontree.NewObject(jsontree.M("style", jsontree.NewString(style)), jsontree.M("explode", jsontree.NewBool(explode))))
			origins[pointerBelow("/encoding", name)] = p.at
		}
		files = files || swaggerText(p.v, "type") == "file"
	}
	schema := jsontree.NewObject(jsontree.M("type", jsontree.NewString("object")), jsontree.M("properties", properties))
	if len(needed.Items) > 0 {
		schema.Set("required", needed)
	}
	content := jsontree.NewObject()
	for _, m := range formMedia(consumes, files) {
		one := jsontree.NewObject(jsontree.M("schema", schema))
		if len(encoding.Members) > 0 {
			one.Set("encoding", encoding)
		}
		content.Set(m, one)
		media := pointerBelow(at+"/content", m)
		c.origin[media+"/schema"], c.origin[media+"/schema/required"] = from+"/parameters", from+"/parameters"
		for here, there := range origins {
			c.origin[media+here] = there
		}
	}
	c.origin[at] = from + "/parameters"
	c.origin[at+"/content"] = from + "/parameters"
	return swaggerBody(jsontree.NewBool(len(needed.Items) > 0), content)
}

// formMedia returns the media types of a form that an operation consumes.
func formMedia(consumes []string, files bool) []string {
	const urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data"
	var out []string
	for _, m := range consumes {
		if plain, _, _ := strings.Cut(m, ";"); plain == multipart || plain == urlencoded && !files {
			out = append(out, m)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case files:
		return []string{multipart}
	}
	return []string{urlencoded}
}
