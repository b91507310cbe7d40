package openapi

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Version is the version of OpenAPI in which a converted document is written.
const SwaggerVersion = "3.0.3"

// Document is a converted document. Schemas are shared with the original, in which
// references and the keywords of Swagger are rewritten.
type SwaggerDocument struct {
	Root *jsontree.Value
	// Notes name what is not converted, one line each.
	Notes []string

	origin map[string]string // pointers that stand elsewhere in the original
}

// Origin returns the JSON pointer in the original of what a pointer names here.
func (d *SwaggerDocument) Origin(pointer string) string { return longest(d.origin, pointer) }

// longest replaces the longest prefix of a pointer that a table has.
func longest(table map[string]string, pointer string) string {
	for end := len(pointer); end > 0; end = strings.LastIndexByte(pointer[:end], '/') {
		if to, ok := table[pointer[:end]]; ok {
			return to + pointer[end:]
		}
	}
	return pointer
}

// converter builds a document from the original.
type converter struct {
	*SwaggerDocument
	root *jsontree.Value
}

// Convert converts a document. It copies what it does not understand, so that it is
// judged, or named, as in any other OpenAPI document.
func ConvertSwagger(root *jsontree.Value) *SwaggerDocument {
	c := converter{&SwaggerDocument{Root: jsontree.NewObject(), origin: map[string]string{}}, root}
	c.Root.Set("openapi", jsontree.NewString(SwaggerVersion))
	c.origin["/openapi"] = "/swagger"
	for _, m := range root.Members {
		switch m.Name {
		case "swagger", "openapi", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters", "responses",
			"securityDefinitions", "components", "servers", "webhooks":
		case "paths":
			c.Root.Set(m.Name, c.paths(m.Value))
		default:
			c.Root.Set(m.Name, m.Value)
		}
	}
	c.servers()
	c.components()
	c.rewrite()
	return c.SwaggerDocument
}

// note names what is not converted, at a pointer into the original.
func (c *converter) note(at, what string) { c.Notes = append(c.Notes, at+": "+what) }

// each calls f for every member of an object. Anything else is returned as it is, so
// that its kind is refused later.
func each(v *jsontree.Value, f func(name string, v *jsontree.Value) *jsontree.Value) *jsontree.Value {
	if v == nil || v.Kind != jsontree.Object {
		return v
	}
	out := jsontree.NewObject()
	out.Mark = v.Mark
	for _, m := range v.Members {
		if x := f(m.Name, m.Value); x != nil {
			out.Members = append(out.Members, jsontree.M(m.Name, x))
		}
	}
	return out
}

// texts returns the texts of a list.
func swaggerTexts(v *jsontree.Value) []string {
	var out []string
	if v != nil {
		for _, item := range v.Items {
			if item.Kind == jsontree.String && !slices.Contains(out, item.Text) {
				out = append(out, item.Text)
			}
		}
	}
	return out
}

func swaggerText(v *jsontree.Value, name string) string {
	if x := v.Get(name); x != nil && x.Kind == jsontree.String {
		return x.Text
	}
	return ""
}

// below extends a pointer by one token.
func pointerBelow(pointer, name string) string { return pointer + "/" + jsontree.EscapePointer(name) }

func item(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// named follows references of the original from a value to an object in one of its
// lists, such as /parameters. It returns the value as it is if there is none.
func (c *converter) named(at string, v *jsontree.Value) (string, *jsontree.Value) {
	for range 16 {
		to, ok := strings.CutPrefix(swaggerText(v, "$ref"), "#")
		if !ok || c.root.At(to) == nil {
			break
		}
		at, v = to, c.root.At(to)
	}
	return at, v
}

// servers makes base URLs of host, basePath and schemes.
func (c *converter) servers() {
	host, base := swaggerText(c.root, "host"), swaggerText(c.root, "basePath")
	if host == "" && base == "" {
		return
	}
	urls := []string{base}
	if host != "" {
		urls = nil
		for _, s := range swaggerTexts(c.root.Get("schemes")) {
			if s == "http" || s == "https" {
				urls = append(urls, s+"://"+host+base)
			}
		}
		if urls == nil {
			urls = []string{"https://" + host + base}
		}
	}
	list := jsontree.NewArray()
	for _, u := range urls {
		list.Items = append(list.Items, jsontree.NewObject(jsontree.M("url", jsontree.NewString(u))))
	}
	c.Root.Set("servers", list)
	c.origin["/servers"] = "/basePath"
	if base == "" {
		c.origin["/servers"] = "/host"
	}
}

// components makes components of what the original has at its top.
func (c *converter) components() {
	out := jsontree.NewObject()
	add := func(name, from string, v *jsontree.Value) {
		if v != nil {
			out.Set(name, v)
			c.origin["/components/"+name] = from
		}
	}
	add("schemas", "/definitions", c.root.Get("definitions"))
	add("parameters", "/parameters", each(c.root.Get("parameters"), func(name string, p *jsontree.Value) *jsontree.Value {
		if in := swaggerText(p, "in"); in == "body" || in == "formData" {
			return nil // it stands where it is used
		}
		return c.parameter(pointerBelow("/components/parameters", name), pointerBelow("/parameters", name), p)
	}))
	add("securitySchemes", "/securityDefinitions", each(c.root.Get("securityDefinitions"), func(_ string, s *jsontree.Value) *jsontree.Value {
		return scheme(s)
	}))
	c.Root.Set("components", out)
}

// scheme converts a security scheme.
func scheme(s *jsontree.Value) *jsontree.Value {
	switch swaggerText(s, "type") {
	case "basic":
		return jsontree.NewObject(jsontree.M("type", jsontree.NewString("http")), jsontree.M("scheme", jsontree.NewString("basic")))
	case "oauth2":
		flow := swaggerText(s, "flow")
		switch flow {
		case "application":
			flow = "clientCredentials"
		case "accessCode":
			flow = "authorizationCode"
		}
		one := each(s, func(name string, v *jsontree.Value) *jsontree.Value {
			if name == "authorizationUrl" || name == "tokenUrl" || name == "scopes" {
				return v
			}
			return nil
		})
		if one.Get("scopes") == nil {
			one.Set("scopes", jsontree.NewObject())
		}
		return jsontree.NewObject(jsontree.M("type", jsontree.NewString("oauth2")), jsontree.M("flows", jsontree.NewObject(jsontree.M(flow, one))))
	}
	return s
}

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
