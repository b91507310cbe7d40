package resource_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOperationsAreOfOneFamilyIfOneMayBeAboutWhatTheOtherMakes(t *testing.T) {
	for name, row := range map[string]struct {
		paths []string
		want  [][]string
	}{
		"a collection and its things": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{id}", operation("get", "User", "", "id")),
				path("/users/import", operation("post", "Users", "file", ""))},
			[][]string{{"getUser", "postUser", "postUsers"}},
		},
		"two collections": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{id}", operation("get", "User", "", "id")),
				path("/pots", operation("post", "Pot", "size", "id")), path("/pots/{id}", operation("delete", "Pot", "", ""))},
			[][]string{{"getUser", "postUser"}, {"deletePot", "postPot"}},
		},
		"a thing that another one needs": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{userId}", operation("get", "User", "", "id")),
				path("/pots", operation("post", "Pot", "userId size", "id")), path("/teas", operation("get", "Teas", "", ""))},
			[][]string{{"getUser", "postPot", "postUser"}, {"getTeas"}},
		},
		"everything below one name": {
			[]string{path("/{shop}", operation("get", "Shop", "", "")), path("/pots", operation("get", "Pots", "", "")), path("/", operation("get", "Root", "", ""))},
			[][]string{{"getPots", "getRoot", "getShop"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, m := of(t, row.paths...)
			members := map[int][]string{}
			for op, n := range m.Families() {
				members[n] = append(members[n], op.ID)
			}
			var got [][]string
			for _, op := range c.Operations {
				if list := members[m.Families()[op]]; list != nil {
					slices.Sort(list)
					got = append(got, list)
					delete(members, m.Families()[op])
				}
			}
			require.Len(t, m.Families(), len(c.Operations))
			assert.ElementsMatch(t, row.want, got)
		})
	}
}
