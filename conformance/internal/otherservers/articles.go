package otherservers

import (
	"maps"
	"net/http"
)

// Articles serves articles.yaml: an article is submitted, approved and published, each
// once and in this order. What is named wrong, if anything, is done wrong.
func Articles(wrong string) http.Handler {
	articles := far()
	mux := http.NewServeMux()
	articles.handle(mux, wrong, "POST /articles", func(c *check, r *http.Request) (int, any) {
		given := c.words(r, "article", false, "title", "lead")
		if c.complaint != "" {
			return 400, nil
		}
		given["state"] = "draft"
		return 201, articles.add(given)
	})
	// named serves an operation about one article.
	named := func(pattern string, serve func(c *check, r *http.Request, article map[string]any) (int, any)) {
		articles.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
			if found := articles.find(r.PathValue("articleId")); found != nil {
				return serve(c, r, found)
			}
			return 404, nil
		})
	}
	named("GET /articles/{articleId}", func(_ *check, _ *http.Request, article map[string]any) (int, any) { return 200, article })
	named("PATCH /articles/{articleId}", func(c *check, r *http.Request, article map[string]any) (int, any) {
		given := c.words(r, "article", true, "title", "lead")
		if c.complaint != "" {
			return 400, nil
		}
		answer := maps.Clone(article)
		maps.Copy(article, given)
		maps.Copy(answer, given)
		switch wrong {
		case "edit brings back the draft":
			article["state"] = "draft"
		case "edit makes a draft and says so":
			article["state"], answer["state"] = "draft", "draft"
		}
		return 200, answer
	})
	// step moves an article from one state to the next.
	step := func(name, from, to string, member ...string) {
		named("POST /articles/{articleId}/"+name, func(c *check, r *http.Request, article map[string]any) (int, any) {
			if article["state"] != from {
				return 409, nil
			}
			for _, m := range member {
				c.word(c.object(name, c.body(r), true, member...), m)
			}
			if c.complaint != "" {
				return 400, nil
			}
			article["state"] = to
			return 200, article
		})
	}
	step("submission", "draft", "submitted")
	step("approval", "submitted", "approved")
	step("publication", "approved", "published", "place")
	return mux
}
