package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// form describes a place of an OpenAPI document (OpenAPI 3.1, 4.8), as far as this
// suite reads it. Without this check a value of another kind would be ignored
// silently. A null is a member that is left empty.
type form struct {
	kind    jsontree.Kind
	members map[string]*form
	each    *form // of every other member, extensions apart
	items   *form
}

func object(members map[string]*form) *form {
	return &form{kind: jsontree.Object, members: members}
}

func mapOf(each *form) *form { return &form{kind: jsontree.Object, each: each} }

func listOf(items *form) *form { return &form{kind: jsontree.Array, items: items} }

func textForm() *form { return &form{kind: jsontree.String} }

func flag() *form { return &form{kind: jsontree.Bool} }

// document returns the form of the whole document.
func document() *form {
	media := mapOf(object(nil))
	header := object(map[string]*form{"required": flag(), "content": media})
	response := object(map[string]*form{"headers": mapOf(header), "content": media})
	body := object(map[string]*form{"required": flag(), "content": media})
	parameter := object(map[string]*form{"name": textForm(), "in": textForm(), "required": flag(), "content": media})
	security := listOf(mapOf(listOf(nil)))
	operation := object(map[string]*form{"parameters": listOf(parameter), "requestBody": body, "responses": mapOf(response), "security": security})
	item := object(map[string]*form{"parameters": listOf(parameter), "servers": listOf(object(nil))})
	for _, m := range methods {
		item.members[m] = operation
	}
	item.members["query"], item.members["additionalOperations"] = operation, mapOf(operation)
	scheme := object(map[string]*form{"type": textForm(), "scheme": textForm(), "name": textForm(), "in": textForm()})
	return object(map[string]*form{
		"info": object(nil), "servers": listOf(object(nil)), "security": security, "paths": mapOf(item),
		"components": object(map[string]*form{
			"schemas": mapOf(nil), "responses": mapOf(response), "parameters": mapOf(parameter), "headers": mapOf(header),
			"requestBodies": mapOf(body), "securitySchemes": mapOf(scheme), "pathItems": mapOf(item), "examples": mapOf(nil),
		}),
	})
}

// structure records the values of another kind than their place requires.
func (l *loader) structure(at string, v *jsontree.Value, f *form) {
	if f == nil || v == nil {
		return
	}
	if v.Kind != f.kind {
		l.faults.add(v, bad(at, "%s, but OpenAPI has %s", kindWord(v.Kind), kindWord(f.kind)))
		return
	}
	for i, item := range v.Items {
		l.structure(at+"/"+itoa(i), item, f.items)
	}
	for _, m := range v.Members {
		below, known := f.members[m.Name]
		if !known && !strings.HasPrefix(m.Name, "x-") {
			below = f.each
		}
		if m.Value.Kind != jsontree.Null && below != nil {
			l.structure(at+"/"+jsontree.EscapePointer(m.Name), m.Value, below)
		}
	}
}

// kindWord returns the name of a kind with its article.
func kindWord(k jsontree.Kind) string {
	word := k.String()
	if slices.Contains([]jsontree.Kind{jsontree.Object, jsontree.Array}, k) {
		return "an " + word
	}
	return "a " + word
}
