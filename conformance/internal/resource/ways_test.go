package resource_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAParameterWithTheNameOfAnObjectIsWhatNamesThatObject(t *testing.T) {
	c, m := of(t,
		path("/user/repos", operation("post", "Repo", "name", "{type: object, properties: {id: {type: integer}, name: {type: string}, owner: {type: object, properties: {login: {type: string}}}}}")),
		path("/repos/{owner}/{repo}", operation("get", "Repo", "", "name")))
	got := ways(c, m, "getRepo")
	assert.Equal(t, "postRepo#/owner/login, postRepo#/id, postRepo#/name, postRepo#Location, any value", got["path/owner"])
	assert.Contains(t, got["path/repo"], "postRepo#/name")
}

func TestAnAnswerMayHaveAKeyThatItsSchemaDoesNotName(t *testing.T) {
	c, m := of(t,
		path("/books", operation("post", "Book", "", "{type: object, properties: {data: {type: object}}}")),
		path("/books/{id}", operation("get", "Book", "", "{type: object}")),
		path("/books/{b_id}/pages", operation("post", "Page", "", "{type: object}")))
	assert.Equal(t, "postBook#Location, postBook#/data/id, any value", ways(c, m, "getBook")["path/id"])
	assert.Equal(t, "postBook#Location, postBook#/data/b_id, postBook#/data/id, any value", ways(c, m, "postPage")["path/b_id"])
}

func TestAKeyIsThatOfAThingWhosePluralLeavesItsSingularOpen(t *testing.T) {
	for plural, member := range map[string]string{"movies": "movieId", "categories": "categoryId", "caches": "cacheId", "statuses": "statusId", "boxes": "boxId"} {
		c, m := of(t,
			path("/"+plural, operation("post", "Thing", "", "{type: object, properties: {id: {type: string}}}")),
			path("/quotes", operation("post", "Quote", "{type: object, required: ["+member+"], properties: {"+member+": {type: integer}}}", "")))
		assert.Contains(t, ways(c, m, "postQuote")["/"+member], "postThing#/id", plural)
	}
}
