package generate

import "strconv"

// Fresh values come from numbers: a case owns a few, a sequence more, and the
// upper half of a window belongs to twins. A window of a seed and an epoch
// never meets another's, so a run never repeats a value, nor one of an earlier
// epoch.
const (
	FirstOffset = 64         // of the cases; the numbers below belong to the pre-flight
	Slack       = 2          // more than a message is known to take
	TwinStride  = 32         // numbers of a twin place
	LastOffset  = window / 2 // behind the cases
	window      = 1 << 19
	windows     = (1<<31 - 1) / window
	// Epochs is the number of epochs that can be tried.
	Epochs = windows
)

// Identity says which fresh values a build takes.
type Identity struct {
	Seed  uint64
	Epoch int
	// Round is above 0 where earlier runs, of whatever seed, left their data:
	// neighbours differ from round to round.
	Round int
	// Twin is 0 for the case itself, else the first twin place of a repeat: the
	// same thing with other fresh values.
	Twin int
	// Neighbour, above 0, also moves values that are the subject of the case to
	// another one of their class.
	Neighbour int
}

// TwinNumber is the first fresh number of a twin, for Preflight.
func TwinNumber(twin int) int { return window/2 + (twin-1)*TwinStride%LastOffset }

// Owns tells whether a number is one of the fresh ones of this identity's
// window.
func (id Identity) Owns(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	first := Mix("window", "", id.Seed) % windows
	w := (first + uint64(id.Epoch)) % windows
	return err == nil && n > 0 && uint64(n-1)/window == w
}
