package otherservers

import "net/http"

// Library serves library.yaml: a book has an author, and perhaps an editor and
// translators, who must all exist. What is named wrong, if anything, is done wrong.
func Library(wrong string) http.Handler {
	authors, books := far(), far()
	mux := http.NewServeMux()
	authors.handle(mux, wrong, "POST /authors", func(c *check, r *http.Request) (int, any) {
		o := c.object("author", c.body(r), true, "name")
		name := c.word(o, "name")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, authors.add(map[string]any{"name": name})
	})
	books.handle(mux, wrong, "POST /books", func(c *check, r *http.Request) (int, any) {
		o := c.object("book", c.body(r), true, "title", "authorId", "editor", "translatorIds")
		c.integer("authorId", c.member("authorId", o, "authorId"))
		if o == nil || authors.find(string(o["authorId"])) == nil {
			return 422, nil // nothing else is looked at before
		}
		title := c.word(o, "title")
		var others []value
		if o["editor"] != nil {
			editor := c.object("editor", o["editor"], true, "id")
			others = append(others, c.member("editor id", editor, "id"))
		}
		if o["translatorIds"] != nil {
			translators := c.array("translatorIds", o["translatorIds"])
			c.want("translators many", len(translators) <= 5)
			others = append(others, translators...)
		}
		for _, id := range others {
			n, ok := c.integer("another id", id)
			c.want("another id low", !ok || least(n, 1))
		}
		if c.complaint != "" {
			return 400, nil
		}
		for _, id := range others {
			if authors.find(string(id)) == nil {
				return 422, nil
			}
		}
		return 201, books.add(map[string]any{"title": title, "authorId": o["authorId"]})
	})
	books.handle(mux, wrong, "GET /books/{bookId}", func(c *check, r *http.Request) (int, any) {
		book := books.find(r.PathValue("bookId"))
		if book == nil {
			return 404, nil
		}
		if wrong == "book without title" {
			return 200, map[string]any{"id": book["id"]}
		}
		return 200, book
	})
	return mux
}
