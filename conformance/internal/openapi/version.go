package openapi

import (
	"fmt"
	"regexp"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/yamltree"
)

// version reads which version of OpenAPI a document has, and converts one of Swagger
// 2.0. It returns the version in which the document is then read. A number, such as
// 3.0 without quotes, is a version too.
func (l *loader) version(tree *yamltree.Tree) (string, error) {
	l.c.root = tree.Root
	v, at := tree.Root.Get("openapi"), "/openapi"
	if v == nil {
		v, at = tree.Root.Get("swagger"), "/swagger"
	}
	if v == nil {
		return "", fmt.Errorf("%s: not an OpenAPI document: it has no member openapi: want 3.0.x, 3.1.x or 3.2.x, or swagger: 2.0", tree.Where(""))
	}
	l.c.OpenAPI = v.Text
	known := v.Kind == jsontree.String || v.Kind == jsontree.Number
	switch {
	case known && at == "/openapi" && regexp.MustCompile(`^3\.[012](\.|$)`).MatchString(v.Text):
		return v.Text, nil
	case known && at == "/swagger" && (v.Text == "2.0" || v.Text == "2"):
		converted := ConvertSwagger(tree.Root)
		l.c.root, l.c.origin = converted.Root, converted.Origin
		l.c.LeftOut = append(l.c.LeftOut, converted.Notes...)
		return SwaggerVersion, nil
	}
	return "", fmt.Errorf("%s: %s is %q: this suite reads OpenAPI 3.0.x, 3.1.x and 3.2.x, and Swagger 2.0", tree.Where(at), at[1:], jsontree.Cut(v.Text, 100))
}

// newer names what a document of OpenAPI 3.1 or 3.2 may have and this suite does not
// try.
func (l *loader) newer() {
	hooks := l.root.Get("webhooks")
	if hooks == nil {
		return
	}
	for i, m := range hooks.Members {
		if i == mostListed {
			l.leaveOut("%d more webhooks are not tried", len(hooks.Members)-i)
			return
		}
		l.leaveOut("webhook %s is not tried: the server is the client there", shown(m.Name))
	}
}

// methodsOf returns the members of a path item that are operations: the method of
// each, and the JSON pointer below the item.
func (l *loader) methodsOf(item *jsontree.Value) (names, at []string) {
	list := methods
	if strings.HasPrefix(l.c.OpenAPI, "3.2") {
		list = append(list[:len(list):len(list)], "query")
	}
	for _, m := range list {
		if item.Get(m) != nil {
			names, at = append(names, strings.ToUpper(m)), append(at, "/"+m)
		}
	}
	if more := item.Get("additionalOperations"); more != nil && len(list) > len(methods) {
		for _, m := range more.Members {
			names, at = append(names, m.Name), append(at, "/additionalOperations/"+jsontree.EscapePointer(m.Name))
		}
	}
	return names, at
}
