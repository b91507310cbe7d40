package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// maps are the members whose own members have free names.
var swaggerMaps = []string{"properties", "schemas", "paths", "responses", "parameters", "headers", "securitySchemes", "content", "encoding", "flows", "scopes"}

// rewrite turns what stands in schemas into OpenAPI 3.0: references, nullable,
// discriminator and files.
func (c *converter) rewrite() {
	back := map[string]string{}
	for here, there := range c.origin {
		// Of several copies any one will do, but always the same.
		if old, taken := back[there]; !taken || len(here) < len(old) || len(here) == len(old) && here < old {
			back[there] = here
		}
	}
	back["/definitions"], back["/parameters"] = "/components/schemas", "/components/parameters"
	type visit struct {
		v     *jsontree.Value
		names bool // the members are names, not keywords
	}
	seen := map[*jsontree.Value]bool{}
	for todo := []visit{{c.Root, false}}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x.v] {
			continue
		}
		seen[x.v] = true
		if !x.names {
			c.keywords(x.v, back)
		}
		for _, item := range x.v.Items {
			todo = append(todo, visit{item, false})
		}
		for _, m := range x.v.Members {
			if !x.names && (m.Name == "example" || m.Name == "default" || m.Name == "enum" || strings.HasPrefix(m.Name, "x-")) {
				continue // a value
			}
			todo = append(todo, visit{m.Value, !x.names && slices.Contains(swaggerMaps, m.Name)})
		}
	}
}

// keywords rewrites those of one object. A reference to nothing stays as it is.
func (c *converter) keywords(v *jsontree.Value, back map[string]string) {
	if to, ok := strings.CutPrefix(swaggerText(v, "$ref"), "#/"); ok && c.root.At("/"+to) != nil {
		v.Set("$ref", jsontree.NewString("#"+longest(back, "/"+to)))
	}
	if d := v.Get("discriminator"); d != nil && d.Kind == jsontree.String {
		v.Set("discriminator", jsontree.NewObject(jsontree.M("propertyName", d)))
	}
	if n := v.Get("x-nullable"); n != nil && n.Kind == jsontree.Bool && v.Get("nullable") == nil {
		v.Set("nullable", n)
	}
	if swaggerText(v, "type") == "file" && v.Get("properties") == nil {
		v.Set("type", jsontree.NewString("string"))
		v.Set("format", jsontree.NewString("binary"))
	}
}
