package openapi

// Parameter is one parameter of an operation, of its own or of its path item.
type Parameter struct {
	Name     string
	In       string // path, query, header, cookie
	Pointer  string // of the parameter object
	Required bool
	Says     string // its description
	// Style, Explode and AllowReserved say how a value is written as text, with the
	// defaults filled in (OpenAPI 3.1, 4.8.12.2).
	Style         string
	Explode       bool
	AllowReserved bool
	// Media is the media type of a parameter with content instead of a schema. Style
	// has no meaning then.
	Media string
	// Schema is that of the value.
	Schema *Schema
}

// Encoding says how one property of a form is written (OpenAPI 3.1, 4.8.15), with
// the defaults filled in.
type Encoding struct {
	// Media is the content type of the part. It is empty for a form-urlencoded
	// property that is written by its style.
	Media         string
	Style         string
	Explode       bool
	AllowReserved bool
	// Headers are the part's own fields, as parameters in "header".
	Headers []*Parameter
}
