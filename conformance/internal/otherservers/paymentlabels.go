package otherservers

import (
	"maps"
	"net/http"
	"unicode/utf8"
)

// mostLabels is how many labels an account can have.
const mostLabels = 8

// change adds labels to those that an account has, or replaces them.
func (p *payments) change(c *check, r *http.Request) (int, any) {
	v := c.object("change", c.body(r), true, "owner", "labels")
	account := p.accounts.find(r.PathValue("id"))
	if account == nil {
		return 404, nil
	}
	labels, _ := account["labels"].(map[string]string)
	labels = maps.Clone(labels)
	sent := map[string]value{}
	if raw, found := v["labels"]; found {
		sent = c.object("labels", raw, false)
	}
	c.want("labels properties", len(sent) <= mostLabels)
	for name, one := range sent {
		text, ok := c.text("label", one)
		if ok && c.want("label length", utf8.RuneCountInString(text) <= 20) {
			labels[name] = text
		}
	}
	if _, found := v["owner"]; found {
		v["owner"] = c.word(v, "owner")
	}
	switch {
	case c.complaint != "":
		return 400, nil
	case len(labels) > mostLabels:
		return 400, nil
	}
	account["labels"] = labels
	if owner, found := v["owner"]; found {
		account["owner"] = owner
	}
	return 200, account
}
