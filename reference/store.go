package reference

import (
	"context"
	"sync"
)

// Store keeps accepted plants.
type Store interface {
	// Append keeps one plant, and returns only when it is kept as safely as
	// this store keeps anything. A *[Refusal] of kind [Taken] says that the
	// store holds ids unique and has this one, one of kind [Full] that it holds
	// as many plants as it may; other errors are failures.
	Append(context.Context, Plant) error
}

// Memory is a Store that lives as long as the process. Every plant is appended
// under a sequence number of its own: the contract does not say that ids are
// unique, and overwriting would lose an acknowledged plant.
type Memory struct {
	unique  bool
	maximum int

	mu     sync.Mutex
	plants []Plant
	ids    map[int64]struct{}
}

// NewMemory makes an empty store of at most so many plants; 0 means
// [MaxPlants]. With unique it refuses an id used before.
func NewMemory(unique bool, maximum int) *Memory {
	if maximum <= 0 {
		maximum = MaxPlants
	}
	return &Memory{unique: unique, maximum: maximum, ids: map[int64]struct{}{}}
}

// Append implements [Store].
func (m *Memory) Append(_ context.Context, p Plant) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unique {
		if _, taken := m.ids[p.ID]; taken {
			return &Refusal{Kind: Taken, At: "/id", Reason: "is used by another plant"}
		}
	}
	if len(m.plants) >= m.maximum {
		return &Refusal{Kind: Full, Reason: "the store is full"}
	}
	if m.unique {
		m.ids[p.ID] = struct{}{}
	}
	m.plants = append(m.plants, p)
	return nil
}

// Plants are the plants kept so far, in the order they were accepted.
func (m *Memory) Plants() []Plant {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Plant(nil), m.plants...)
}
