package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// doors is a document with a login, a registration and an operation for users.
const doors = `
openapi: 3.1.0
info: {title: Doors, version: '1'}
components:
  securitySchemes: {staff: {type: http, scheme: basic}}
  schemas:
    Login: {type: object, required: [user_name, password], properties: {user_name: {type: string}, password: {type: string}}}
paths:
  /login:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Login'}}}}
      responses: {'204': {description: d}, '401': {description: d}}
  /mail-login:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email, password], properties: {email: {type: string}, password: {type: string}}}}}}
      responses: {'204': {description: d}, '401': {description: d}}
  /users:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Login'}}}}
      responses: {'201': {description: d}, '409': {description: d}}
  /doors:
    get:
      security: [{staff: []}]
      responses: {'200': {description: d}, '401': {description: d}}
`

func TestALoginGetsTheUserOfBasicAuthentication(t *testing.T) {
	for _, row := range []struct {
		credential string
		values     []string
		want       []string
	}{
		{"ann:a-secret", nil, []string{"post-login:/user_name=ann", "post-login:/password=a-secret"}},
		{"ann@a.example:b:c", nil, []string{"post-login:/user_name=ann@a.example", "post-login:/password=b:c",
			"post-mail-login:/email=ann@a.example", "post-mail-login:/password=b:c"}},
		{"ann:a-secret", []string{"post-login:/user_name=bob"}, nil},
		{"ann:", nil, nil},
		{"", nil, nil},
	} {
		s, err := setUp(Config{Spec: []byte(doors), SpecName: "doors.yaml", Draws: 1, Auth: map[string]string{"staff": row.credential}, Values: row.values})
		require.NoError(t, err)
		assert.Equal(t, row.want, s.logins(), row.credential)
	}
}
