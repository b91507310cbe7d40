package explore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// BindBeside puts the key of a thing into the body of a message, at the member that refers to
// such things: the customer of an order. It changes the message in place. Other keys are found
// as for any request.
func (t *Target) BindBeside(ctx context.Context, s Session, m *message.Message, thing *Thing) error {
	r := t.Facts.Of(m.Op).Reached
	if thing == nil || r == nil {
		return errors.New("nothing was made that the request could refer to")
	}
	known := map[string]*jsontree.Value{}
	for _, n := range t.Reach.Of(m.Op) {
		w := r.Ways[n.Path]
		if _, chosen := r.Ways[n.Path]; !chosen {
			if i := slices.IndexFunc(n.Ways, thing.by.by); i >= 0 {
				w = n.Ways[i]
			}
		}
		if !strings.HasPrefix(n.Path, "/") || !thing.by.by(w) || !w.Makes() {
			continue
		}
		if v := thing.by.value(w); v != nil {
			known[n.Path] = fit(m.Op, n.Path, v)
		}
	}
	if len(known) == 0 {
		return &NoKeyError{thing.by.message.Op, m.Op}
	}
	values, err := t.obtain(ctx, s, m.Op, r, 0, known)
	if err != nil {
		return err
	}
	*m = *m.Put(values)
	return nil
}
