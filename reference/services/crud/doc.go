// Package crud is a small but real service for the OpenAPI document openapi.yaml
// beside it: users, projects with tasks, notes, files. It keeps that document
// exactly. A [Fault] breaks one clause of it in a single exchange, or in several
// that belong together; a [Variant] keeps it in an unusual way. The suite is tested against all of them.
//
// The code follows the document by hand and imports only the standard library,
// so that no mistake of the suite can hide here.
//
// Serve it by hand, as it is, with a fault, or as a variant:
//
//	go run ./reference/services/crud/serve --addr 127.0.0.1:0 [--fault NAME] [--variant NAME]
package crud
