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
