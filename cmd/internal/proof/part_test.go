package proof_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/cmd/internal/proof"
)

// A change of these moves every server into another shard or sample.
func TestAServerStaysInItsPartWhateverOthersThereAre(t *testing.T) {
	assert.Equal(t, 2, proof.Part(proof.Fault, "id-numeric-string", 20))
	assert.Equal(t, 0, proof.Part(proof.Variant, "slow", 8))
	assert.NotEqual(t, proof.Part(proof.Fault, "slow", 1<<30), proof.Part(proof.Variant, "slow", 1<<30))
}

func TestThePartsOfTheTableAreAboutAsLarge(t *testing.T) {
	const parts = 4
	all := proof.Catalogue(proof.PlantStore)
	var sizes [parts]int
	for _, r := range all {
		sizes[proof.Part(r.Kind, r.Name, parts)]++
	}
	for _, n := range sizes {
		assert.InDelta(t, len(all)/parts, n, float64(len(all)/parts)/4)
	}
}

func TestTheShardsOfATableHaveEveryServerOnce(t *testing.T) {
	const parts = 3
	seen := map[string]int{}
	for part := range parts {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // what would be judged is asked, and nothing is
		_, err := proof.Table(ctx, proof.Options{Keep: func(k proof.Kind, name string) bool {
			if proof.Part(k, name, parts) == part {
				seen[string(k)+name]++
			}
			return false
		}})
		assert.NoError(t, err)
	}
	assert.Len(t, seen, len(proof.Catalogue(proof.PlantStore)))
	for name, n := range seen {
		assert.Equal(t, 1, n, name)
	}
}
