package crud

import "strings"

// WiderDocument returns the document with more answers, for conforming services that work
// differently: a creation may be answered with 202, a request about what belongs to somebody
// else with 403, and PUT leaves what it does not name.
func WiderDocument() []byte {
	text := string(document)
	for _, op := range []string{"createUser", "createProject", "createTask"} {
		before, behind, _ := strings.Cut(text, "operationId: "+op+"\n")
		behind = strings.Replace(behind, "        '201':\n", "        '201': &"+op+"Made\n", 1)
		behind = strings.Replace(behind, "        '400':", "        '202': *"+op+"Made\n        '400':", 1)
		text = before + "operationId: " + op + "\n" + behind
	}
	text = strings.Replace(text, "    put:\n      operationId: replaceProject\n", "    put:\n      operationId: replaceProject\n      summary: Members that the body leaves out stay as they were.\n", 1)
	const none, noProject = "        '404': {$ref: '#/components/responses/NotFound'}\n", "        '404': {description: there is no such project}\n"
	text = strings.ReplaceAll(text, none, "        '403': {$ref: '#/components/responses/Forbidden'}\n"+none)
	text = strings.Replace(text, noProject, "        '403': {description: the project is somebody else's}\n"+noProject, 1)
	text = strings.Replace(text, "    NotFound:\n", "    Forbidden:\n      description: it belongs to somebody else\n      content: *problem\n    NotFound:\n", 1)
	return []byte(text)
}
