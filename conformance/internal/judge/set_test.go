package judge

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// over makes an empty set of the requirements from first to end.
func over(first, end int) Set { return Set{first: first, words: make([]uint64, (end-first+63)/64)} }

func TestASetHoldsWhatWasAddedAndNothingElse(t *testing.T) {
	const first, end = 100, 300
	for _, members := range [][]int{{}, {100}, {163}, {164}, {100, 163, 164, 227, 228, 299}} {
		s := over(first, end)
		for _, at := range members {
			s.Add(at)
		}
		var each []int
		s.Each(func(at int) { each = append(each, at) })
		assert.ElementsMatch(t, members, each)
		assert.True(t, slices.IsSorted(each))
		assert.Equal(t, len(members) == 0, s.Empty())
		for at := first - 70; at < end+70; at++ {
			assert.Equal(t, slices.Contains(members, at), s.Has(at), at)
		}
	}
}

func TestAUnionHoldsTheMembersOfBothInEveryWord(t *testing.T) {
	a, b := over(5, 205), over(5, 205)
	for _, at := range []int{5, 68, 140} {
		a.Add(at)
	}
	for _, at := range []int{68, 69, 204} {
		b.Add(at)
	}
	a.Union(b)
	var got []int
	a.Each(func(at int) { got = append(got, at) })
	assert.Equal(t, []int{5, 68, 69, 140, 204}, got)
	a.Union(Set{})
	assert.True(t, a.Has(204), "an empty set of no operation adds nothing")
}

func TestEqualSetsHaveOneKeyAndOthersAnother(t *testing.T) {
	keys := map[string]string{}
	for name, members := range map[string][]int{"none": nil, "first": {0}, "second word": {64}, "last": {199}, "both": {0, 64}} {
		s, again := over(0, 200), over(0, 200)
		for _, at := range members {
			s.Add(at)
		}
		for _, at := range slices.Backward(members) {
			again.Add(at)
		}
		assert.Equal(t, s.key(), again.key())
		assert.Empty(t, keys[s.key()], "%s has the key of another set", name)
		keys[s.key()] = name
	}
	assert.NotEqual(t, over(0, 64).key(), over(64, 128).key(), "sets of two operations")
}
