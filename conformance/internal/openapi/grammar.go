package openapi

// kind is an object of the OpenAPI Specification, 3.0 and 3.1, section 4.8, or 3.2.
type objectKind uint8

const (
	other objectKind = iota // holds no reference that means anything
	parsedDocument
	components
	pathItem
	operation
	parameter // and header, which is one without name and place
	bodyObject
	response
	mediaType
	encoding
	callback
	named // an example, a link or a security scheme: only its reference counts
	schema
)

// shape is how many objects a member holds.
type shape uint8

const (
	one   shape = iota
	list        // an array of them
	byKey       // an object of them, whatever the keys
	paths       // an object of them, but for keys that begin with x-
	most        // one, or an array of them: items, before 2020-12
)

// member is what stands below a name.
type member struct {
	kind  objectKind
	shape shape
}

// members tells what stands below the names of each kind of object. Names that
// are not here hold values, which may have any member: an example, a default.
var members = map[objectKind]map[string]member{
	parsedDocument: {
		"paths": {pathItem, paths}, "webhooks": {pathItem, byKey}, "components": {components, one},
	},
	components: {
		"schemas": {schema, byKey}, "responses": {response, byKey}, "parameters": {parameter, byKey}, "examples": {named, byKey},
		"requestBodies": {bodyObject, byKey}, "headers": {parameter, byKey}, "securitySchemes": {named, byKey}, "links": {named, byKey},
		"callbacks": {callback, byKey}, "pathItems": {pathItem, byKey}, "mediaTypes": {mediaType, byKey},
	},
	pathItem: {
		"get": {operation, one}, "put": {operation, one}, "post": {operation, one}, "delete": {operation, one}, "options": {operation, one},
		"head": {operation, one}, "patch": {operation, one}, "trace": {operation, one}, "query": {operation, one},
		"additionalOperations": {operation, byKey}, "parameters": {parameter, list},
	},
	operation: {
		"parameters": {parameter, list}, "requestBody": {bodyObject, one}, "responses": {response, paths}, "callbacks": {callback, byKey},
	},
	parameter:  {"schema": {schema, one}, "content": {mediaType, byKey}, "examples": {named, byKey}},
	bodyObject: {"content": {mediaType, byKey}},
	response:   {"headers": {parameter, byKey}, "content": {mediaType, byKey}, "links": {named, byKey}},
	mediaType:  {"schema": {schema, one}, "itemSchema": {schema, one}, "examples": {named, byKey}, "encoding": {encoding, byKey}},
	encoding:   {"headers": {parameter, byKey}},
	schema: {
		"properties": {schema, byKey}, "patternProperties": {schema, byKey}, "dependentSchemas": {schema, byKey}, "dependencies": {schema, byKey},
		"$defs": {schema, byKey}, "definitions": {schema, byKey},
		"allOf": {schema, list}, "anyOf": {schema, list}, "oneOf": {schema, list}, "prefixItems": {schema, list}, "items": {schema, most},
		"additionalItems": {schema, one}, "unevaluatedItems": {schema, one}, "contains": {schema, one},
		"additionalProperties": {schema, one}, "unevaluatedProperties": {schema, one}, "propertyNames": {schema, one},
		"not": {schema, one}, "if": {schema, one}, "then": {schema, one}, "else": {schema, one}, "contentSchema": {schema, one},
	},
}

// refers reports whether objects of a kind may be references.
func (k objectKind) refers() bool {
	switch k {
	case pathItem, parameter, bodyObject, response, mediaType, callback, named, schema:
		return true
	}
	return false
}

// below gives what stands below a name of an object of a kind.
func (k objectKind) below(name string) (member, bool) {
	if k == callback {
		return member{pathItem, one}, true
	}
	m, ok := members[k][name]
	return m, ok
}
