package fake

import (
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
)

// SeveralMedia is a document whose operation takes a pet as JSON, as the same bytes of
// another name, and as a form.
const SeveralMedia = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          text/json: {schema: {$ref: '#/components/schemas/Pet'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}
      responses: {'201': {description: made}, '400': {description: refused}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, maxLength: 9}, age: {type: integer, minimum: 0}}}
`

// Pets answers as SeveralMedia asks, but accepts every body of the media types that are
// not checked ("*" for all), and refuses those that are not taken.
func (d *Document) Pets(unchecked, refused string) Server {
	return func(r *exchange.Request) *exchange.Exchange {
		for _, op := range d.Contract.Rows() {
			if !strings.Contains(string(r.Head), "Content-Type: "+op.Body.Media+"\r\n") {
				continue
			}
			s := d.Endpoint.ClassifyBytes(op, r, r.Body).Expectation()
			taken := s == message.Accept || s == message.Either || op.Body.Media == unchecked || unchecked == "*"
			if taken && op.Body.Media != refused {
				return Answer(201, "", "")
			}
		}
		return Answer(400, "", "")
	}
}
