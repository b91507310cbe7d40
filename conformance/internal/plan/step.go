package plan

import (
	"strings"
	"time"

	"plantstore/conformance/internal/message"
)

// Step is one request of a case.
type Step struct {
	Message *message.Message
	Sending
	Kind Kind
	// Resource is what the step makes or is about: 0 for what the case is about, and other
	// numbers for resources beside it.
	Resource int
	// Aside steps are about a part of the resource or another resource, or do something with it:
	// what they change is not known.
	Aside bool
	// Open steps may be refused, and the case goes on. So may those that give one member of a
	// pair alone.
	Open bool
	// From, if not nil, is what the request takes from the steps before it.
	From From
	// Again, if not 0, is the step from which on all is sent again, for as long as the
	// target may take to show something, if this one shows a fault or nothing. Otherwise
	// that is this step alone.
	Again int
	// Of is the case that the request is taken from; empty for that of its own.
	Of string
}

// Sending is when a step is sent, and on which connection.
type Sending struct {
	// Connection numbers the connections of a case; 0 is the worker's own.
	Connection int
	// Fresh opens a new connection for this step.
	Fresh bool
	// Idle is how long the sender waits before this step: its connection is idle then.
	Idle time.Duration
	// Parallel steps in a row are sent at the same time.
	Parallel bool
	// Behind steps are sent in one piece with the step before them, on its connection, and
	// answered one after the other.
	Behind bool
}

// Kind says how a step gets the resources that its request names. The answer to the first step
// with the number of a resource names that resource.
type Kind int

// The kinds. Those from About on name a resource that a step before made; they may be requests of
// several operations, and those of the case's own are judged.
const (
	Alone   Kind = iota // names what is there for all cases
	Own                 // names what is made for this case, which no other one shares
	Repeats             // sends the request of the step before it again, as it was
	About               // names the resource of its number
	Ready               // like About, and requests that it needs are sent first: an order is paid before it is shipped
	Below               // makes a resource below that of its number, or else in the collection of the first one
	Refers              // names the first resource in its body; what it makes is another one
)

// Names reports whether such a step names a resource that a step before it made.
func (k Kind) Names() bool { return k >= About }

// From is what a request takes from the steps before it: one of the types below.
type From interface{ from() }

// Above is the number of a step. The request takes from its path the keys of the resources above its
// own, which was made below others.
type Above int

// Located sends a request to the Location of what the first step made, where that is another
// address of the same server than its own.
type Located struct{}

// Taken says that the request has unusual values of the step before it: if that was accepted, they
// must be accepted again.
type Taken struct{}

// Alike says how to change a key into one that a careless reading takes for it, and that no answer
// gave.
type Alike struct {
	// Of returns the other key. It is empty, or the same, for a key that cannot be changed in
	// this way.
	Of func(key string) string
	// Invalid says that the other key is only sent where the schema does not allow it:
	// otherwise a server may rightly take both for the same.
	Invalid bool
}

// Follow says which page of a list a request is about, as the answers before it say.
type Follow struct {
	// From is the step with the first page, counted from 0, behind one with a large page.
	// The step is about the page after those from there on.
	From int
	// Last asks for the last item that the total in the answer before counts instead.
	Last bool
}

func (Above) from()     {}
func (Located) from()   {}
func (Taken) from()     {}
func (Alike) from()     {}
func (Follow) from()    {}
func (Condition) from() {}

// Condition is a header field with the entity tag, or the time of the last change, that the
// answer to an earlier step has (RFC 9110, 13.1).
type Condition struct {
	Field string // If-Match, If-None-Match, If-Modified-Since or If-Unmodified-Since
	Step  int    // counted from 0
	// Older takes a time that is a day before.
	Older bool
	// As says how the tag is written.
	As TagForm
}

// TagForm says how a condition writes an entity tag.
type TagForm int

// The forms. AsForeign and AsAny write another value in place of the tag.
const (
	AsCame    TagForm = iota // as it came
	AsListed                 // in a list, behind another one
	AsWeak                   // a strong one as a weak one
	AsOther                  // a strong one as a weak one, and the other way round
	AsAny                    // an asterisk
	AsForeign                // a tag that nothing has
)

// foreignTag is a tag that no server gives.
const foreignTag = `"conformance-other"`

// Dated reports whether the field has a time.
func (c *Condition) Dated() bool { return strings.HasSuffix(c.Field, "-Since") }

// Value writes a tag as the condition does. It is empty if a weak tag would have to be strong
// to tell something.
func (f TagForm) Value(tag string) string {
	strong := strings.TrimPrefix(tag, "W/")
	switch {
	case f == AsListed:
		return foreignTag + ", " + tag
	case f == AsAny:
		return "*"
	case f == AsForeign:
		return foreignTag
	case f == AsCame:
		return tag
	case strong == tag:
		return "W/" + tag
	case f == AsOther:
		return strong
	}
	return ""
}

// String says for a story what is done with the tag; empty if it is sent as it came.
func (f TagForm) String() string {
	return [...]string{"", " behind another tag", " as a weak tag", " with W/ added or taken away", ": an asterisk in place of it", ": another tag in place of it"}[f]
}
