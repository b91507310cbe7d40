// Package secondopinion asks libopenapi-validator, which users know, what it
// makes of the distinct answers of a run, and compares that with the exact judge, after the
// verdicts. It decides nothing; the report tells where the two differ.
//
// It is the only importer of libopenapi and its validator, and hands out no type
// of theirs: their generic types would be compiled again in every package that
// can reach them.
package secondopinion

// Answer is what an opinion is about.
type Answer struct {
	Method, Path string // as the document spells them
	Status       int
	ContentType  string // the field's value; empty where there was none
	Body         []byte // without content coding
}

// Opinion is what libopenapi-validator says of one answer.
type Opinion struct {
	OK  bool
	Why string // the first reason, one line; empty where OK
}

// Reader gives opinions; it may be asked from one goroutine at a time.
type Reader interface {
	Ask(Answer) Opinion
}

// New reads a document, which is JSON and refers to nothing but itself. The error
// says in one line why libopenapi cannot read it.
func New(document []byte) (Reader, error) { return open(document) }
