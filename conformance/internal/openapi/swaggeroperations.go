package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// place is a parameter of the original, and where it stands there.
type place struct {
	at string
	v  *jsontree.Value
}

func (c *converter) paths(v *jsontree.Value) *jsontree.Value {
	return each(v, func(path string, item *jsontree.Value) *jsontree.Value {
		if strings.HasPrefix(path, "x-") {
			return item
		}
		return c.pathItem(pointerBelow("/paths", path), item)
	})
}

func (c *converter) pathItem(at string, v *jsontree.Value) *jsontree.Value {
	from := at
	if to, target := c.named(at, v); target != v {
		from, v = to, target
		c.origin[at] = from
	}
	rest, special, list := c.parameters(at, from, v.Get("parameters"))
	return each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		switch name {
		case "get", "put", "post", "delete", "options", "head", "patch":
			return c.operation(pointerBelow(at, name), pointerBelow(from, name), x, special)
		case "parameters":
			if list {
				return rest
			}
		case "servers", "trace":
			return nil
		}
		return x
	})
}

// parameters converts a list of parameters. It returns apart those that are a request
// body in OpenAPI 3, and whether there was a list at all.
func (c *converter) parameters(at, from string, v *jsontree.Value) (rest *jsontree.Value, special []place, list bool) {
	if v == nil || v.Kind != jsontree.Array {
		return nil, nil, false
	}
	rest = jsontree.NewArray()
	rest.Mark = v.Mark
	for i, p := range v.Items {
		origin := item(from+"/parameters", i)
		where, meant := c.named(origin, p)
		if in := swaggerText(meant, "in"); in == "body" || in == "formData" {
			special = append(special, place{where, meant})
			continue
		}
		here := item(at+"/parameters", len(rest.Items))
		c.origin[here] = origin
		if meant == p { // a reference stays one
			p = c.parameter(here, origin, p)
		}
		rest.Items = append(rest.Items, p)
	}
	return rest, special, true
}

// operation converts an operation; inherited are parameters of its path item that
// belong to the body.
func (c *converter) operation(at, from string, v *jsontree.Value, inherited []place) *jsontree.Value {
	if v.Kind != jsontree.Object {
		return v
	}
	rest, special, list := c.parameters(at, from, v.Get("parameters"))
	for _, p := range inherited {
		if !slices.ContainsFunc(special, func(own place) bool {
			return swaggerText(own.v, "in") == "body" || swaggerText(own.v, "name") == swaggerText(p.v, "name")
		}) {
			special = append(special, p)
		}
	}
	produces := c.media(v, "produces")
	out := each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		switch name {
		case "consumes", "produces", "schemes", "requestBody", "servers", "callbacks":
			return nil
		case "parameters":
			if list {
				return rest
			}
		case "responses":
			return each(x, func(status string, r *jsontree.Value) *jsontree.Value {
				if strings.HasPrefix(status, "x-") {
					return r
				}
				return c.response(pointerBelow(at+"/responses", status), pointerBelow(from+"/responses", status), status, r, produces)
			})
		}
		return x
	})
	if len(special) > 0 {
		out.Set("requestBody", c.body(at, from, special, c.media(v, "consumes")))
	}
	return out
}

// media returns what an operation consumes or produces.
func (c *converter) media(op *jsontree.Value, member string) []string {
	if own := op.Get(member); own != nil {
		return swaggerTexts(own)
	}
	return swaggerTexts(c.root.Get(member))
}

// response converts an answer. If produces says nothing, it may have any media type, and
// is judged if it is JSON.
func (c *converter) response(at, from, status string, v *jsontree.Value, produces []string) *jsontree.Value {
	if to, target := c.named(from, v); target != v {
		from, v = to, target
	}
	if v.Kind != jsontree.Object || v.Get("$ref") != nil {
		return v
	}
	c.origin[at] = from
	schema := v.Get("schema")
	out := each(v, func(name string, x *jsontree.Value) *jsontree.Value {
		switch name {
		case "schema", "examples", "content", "links":
			return nil
		case "headers":
			return each(x, func(h string, header *jsontree.Value) *jsontree.Value {
				return c.header(pointerBelow(at+"/headers", h), pointerBelow(from+"/headers", h), header)
			})
		}
		return x
	})
	if schema == nil {
		return out
	}
	content := jsontree.NewObject()
	if status >= "4" && len(produces) > 0 { // 4XX, 5XX, default
		_, named := c.named("", schema)
		produces = c.ofErrors(named, produces)
	}
	for _, m := range produces {
		content.Set(m, jsontree.NewObject(jsontree.M("schema", schema)))
	}
	if len(produces) == 0 && swaggerText(schema, "type") != "file" {
		content.Set("application/json", jsontree.NewObject(jsontree.M("schema", schema)))
	}
	if len(produces) == 0 {
		content.Set("*/*", jsontree.NewObject())
	}
	c.origin[at+"/content"] = from
	for _, m := range content.Members {
		media := pointerBelow(at+"/content", m.Name)
		c.origin[media], c.origin[media+"/schema"] = from, from+"/schema"
		if example := v.Get("examples").Get(m.Name); example != nil {
			m.Value.Set("example", example)
			c.origin[media+"/example"] = pointerBelow(from+"/examples", m.Name)
		}
	}
	out.Set("content", content)
	return out
}

// ofErrors adds JSON to the media types of an error that none of them can hold: who writes that
// an operation produces images means its success.
func (c *converter) ofErrors(schema *jsontree.Value, produces []string) []string {
	object := swaggerText(schema, "type") == "object" || schema.Get("properties") != nil || schema.Get("allOf") != nil
	structured := func(media string) bool {
		return strings.Contains(media, "json") || strings.Contains(media, "xml") || strings.Contains(media, "yaml") || strings.Contains(media, "*")
	}
	if !object || slices.ContainsFunc(produces, structured) {
		return produces
	}
	out := slices.Clone(produces)
	for _, m := range swaggerTexts(c.root.Get("produces")) {
		if strings.Contains(m, "json") {
			out = append(out, m)
		}
	}
	if len(out) == len(produces) {
		out = append(out, "application/json")
	}
	return out
}

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
