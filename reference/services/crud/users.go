package crud

import (
	"net/http"
	"strconv"
	"strings"
)

// listUsers answers with a page of users.
func listUsers(c *call) *answer {
	limit, offset := c.limit(), c.offset()
	if value, at, given := c.header("X-Labels"); given {
		items := split(value, ",")
		for i := range items {
			items[i] = strings.Trim(items[i], " \t")
		}
		list{min: 1, max: 3, items: text{pattern: labelPattern}.is}.texts(c, at, items)
	}
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	out := []any{}
	for _, u := range page(c.store.users, offset, limit) {
		out = append(out, u.shown())
	}
	a := found(http.StatusOK, out)
	a.header.Set("X-Total-Count", strconv.Itoa(len(c.store.users)))
	return a
}

// createUser answers with the id alone.
func createUser(c *call) *answer {
	body, _ := c.json(newUser().is).(map[string]any)
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	if email, ok := body["email"].(string); ok {
		if c.has("email-lower-case") {
			body["email"] = strings.ToLower(email)
		}
		if c.has("email-unique") {
			for _, u := range c.store.users {
				if u.members["email"] == body["email"] {
					return refusal(http.StatusConflict, "the address is taken")
				}
			}
		}
	}
	if _, given := body["role"]; !given {
		body["role"] = "member"
	}
	u := &user{id: c.store.uuid(), members: with(map[string]any{"name": "nobody", "email": "nobody@example.com"}, body)}
	delete(u.members, "id")
	c.store.users = append(c.store.users, u)
	return found(http.StatusCreated, map[string]any{"id": u.id})
}

// getUser answers with a user.
func getUser(c *call) *answer {
	id, at := c.segment("userId")
	text{format: "uuid"}.check(c, at, id)
	c.store.Lock()
	defer c.store.Unlock()
	u := c.store.user(id)
	c.missing = u == nil
	if a := c.refused(); a != nil {
		return a
	}
	return found(http.StatusOK, u.shown())
}

// shown is what readers see of a user.
func (u *user) shown() map[string]any {
	return with(u.members, map[string]any{"id": u.id}, "password")
}

// newUser is the schema NewUser.
func newUser() object {
	return object{required: []string{"name", "email", "password"}, members: map[string]check{
		"name":     text{min: 1, max: 60}.is,
		"email":    text{format: "email", max: 120}.is,
		"homepage": text{format: "uri", max: 200}.is,
		"birthday": nullable(text{format: "date"}.is),
		"role":     text{enum: []string{"member", "lead", "admin"}}.is,
		"avatar":   text{format: "byte", max: 400}.is,
		"id":       readOnly(text{format: "uuid"}.is),
		"password": text{min: 8, max: 64}.is,
		"address": object{required: []string{"city"}, closed: true, members: map[string]check{
			"street":  text{max: 80}.is,
			"city":    text{min: 1, max: 40}.is,
			"zip":     text{pattern: zipPattern}.is,
			"country": text{pattern: countryPattern}.is,
		}}.is,
	}}
}
