package crud

import (
	"net/http"
	"strconv"
	"strings"

	"plantstore/reference/kit"
)

// listUsers answers with a page of users.
func listUsers(c *call) *answer {
	limit, offset := c.limit(), c.offset()
	if value, at, given := c.header("X-Labels"); given {
		items := split(value, ",")
		for i := range items {
			items[i] = strings.Trim(items[i], " \t")
		}
		kit.List{Min: 1, Max: 3, Items: kit.Text{Pattern: labelPattern}.Is}.Texts(c, at, items)
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
	body, _ := c.json(newUser().Is).(map[string]any)
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	if email, ok := body["email"].(string); ok {
		if c.Has("email-lower-case") {
			body["email"] = strings.ToLower(email)
		}
		if c.Has("email-unique") {
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
	kit.Text{Format: "uuid"}.Check(c, at, id)
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
func newUser() kit.Object {
	return kit.Object{Required: []string{"name", "email", "password"}, Members: map[string]kit.Schema{
		"name":     kit.Text{Min: 1, Max: 60}.Is,
		"email":    kit.Text{Format: "email", Max: 120}.Is,
		"homepage": kit.Text{Format: "uri", Max: 200}.Is,
		"birthday": kit.Nullable(kit.Text{Format: "date"}.Is),
		"role":     kit.Text{Enum: []string{"member", "lead", "admin"}}.Is,
		"avatar":   kit.Text{Format: "byte", Max: 400}.Is,
		"id":       kit.ReadOnly(kit.Text{Format: "uuid"}.Is),
		"password": kit.Text{Min: 8, Max: 64}.Is,
		"address": kit.Object{Required: []string{"city"}, Closed: true, Members: map[string]kit.Schema{
			"street":  kit.Text{Max: 80}.Is,
			"city":    kit.Text{Min: 1, Max: 40}.Is,
			"zip":     kit.Text{Pattern: zipPattern}.Is,
			"country": kit.Text{Pattern: countryPattern}.Is,
		}}.Is,
	}}
}
