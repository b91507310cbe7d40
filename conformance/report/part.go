package report

import "strconv"

// Shard says which part of a plan a run has tried.
type Shard struct {
	Number int `json:"number"` // from 1
	Of     int `json:"of"`
	// Plan is a SHA-256, hexadecimal, over the cases and the requirements of the whole
	// plan. Cases is their number.
	Plan  string `json:"plan"`
	Cases int    `json:"cases"`
}

// String returns the number and how many there are, such as 3/8; empty for the whole plan.
func (s *Shard) String() string {
	if s == nil {
		return ""
	}
	return strconv.Itoa(s.Number) + "/" + strconv.Itoa(s.Of)
}

// Part is what the report of a shard holds beside its results, so that the reports of all
// shards can be joined into that of the whole plan.
type Part struct {
	// Preflight is how many requests were sent before the cases. Each shard sends them.
	Preflight int `json:"preflight_exchanges"`
	// Reasons say why the shard is incomplete, apart from its inconclusive requirements.
	Reasons      []string     `json:"reasons,omitempty"`
	Requirements []PartResult `json:"requirements,omitempty"`
	// Agreed and Disagreed identify the distinct answers of the second opinion, eight
	// bytes each: those that both readers say the same of, and those of each difference.
	Agreed    Bytes   `json:"agreed"`
	Disagreed []Bytes `json:"disagreed,omitempty"`
}

// AnswerBytes is how many bytes of Agreed and Disagreed identify an answer.
const AnswerBytes = 8

// PartResult is what a shard knows of a requirement that has cases in it.
type PartResult struct {
	Requirement string `json:"requirement"`
	// Verdict and Reason are what the cases of this shard say alone. In the results, a
	// requirement that other shards try too may have no verdict yet.
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	// Failed is the number of cases that failed, or that fail if no shard has one that
	// passed. Passed reports whether an exchange passed.
	Failed int  `json:"failed,omitzero"`
	Passed bool `json:"passed,omitzero"`
	// Pending are failures that count only if no shard has an exchange that passed.
	// Their numbers come after those of the failures that count here.
	// Odd says that all are about values that may be refused for what they are: these do not
	// count either if another shard says that a value must be named.
	// Place and Fix are those of the requirement, if there are any such failures.
	Pending []Failure `json:"pending,omitempty"`
	Odd     bool      `json:"odd,omitzero"`
	Place   *Place    `json:"clause_place,omitempty"`
	Fix     string    `json:"fix,omitempty"`
	// Ways belong to the failures, or to the pending ones, in their order.
	Ways []PartFailure `json:"ways,omitempty"`
	// Suppressors say how much speaks for each requirement that suppressed this one.
	// HiddenBy is the one whose failure explains those of this one.
	Suppressors map[string]int `json:"suppressors,omitempty"`
	HiddenBy    string         `json:"hidden_by,omitempty"`
	// Unknown says which value must be named before the requirement can be judged. It holds
	// only if no shard passed a requirement with AnyPass that has the same Unknown.
	Unknown string `json:"unknown,omitempty"`
	AnyPass bool   `json:"any_pass,omitzero"`
	// UntriedClass is a class of which no case could be tried, UntriedAt the place of its
	// first case in the plan, and Why the reason. If there is no such class, UntriedAt and
	// Why are about the first case that was not tried.
	UntriedClass string `json:"untried_class,omitempty"`
	UntriedAt    int    `json:"untried_at,omitzero"`
	Why          string `json:"why,omitempty"`
	// Unplayed says why the first case of the shard does not apply to this target. It is empty if
	// any case does. UnplayedAt is the place of that case in the plan.
	Unplayed   string `json:"unplayed,omitempty"`
	UnplayedAt int    `json:"unplayed_at,omitzero"`
	// Belonging reports whether the requirement is that an answer belongs to its request.
	Belonging bool `json:"belonging,omitzero"`
}

// PartFailure tells failures of one requirement apart, and says which example shows one best.
type PartFailure struct {
	Signature string `json:"signature"`
	// Weight is less for an example that is easier to read. At is the place of its case in
	// the plan, and Classes are those of the first failed case of each class.
	Weight  int   `json:"weight"`
	At      int   `json:"at"`
	Classes []int `json:"classes"`
}
