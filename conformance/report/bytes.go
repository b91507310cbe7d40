package report

import (
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Bytes are bytes from the wire. In JSON they are {"text": …} where they are
// valid UTF-8, else {"base64": …}, so that both forms give back every byte.
// Cut says how many bytes behind these were left out.
type Bytes struct {
	Data []byte
	Cut  int
}

type wireBytes struct {
	Text   *string `json:"text,omitzero"`
	Base64 *string `json:"base64,omitzero"`
	Cut    int     `json:"cut,omitzero"`
}

// MarshalJSON writes the bytes without loss.
func (b Bytes) MarshalJSON() ([]byte, error) {
	w := wireBytes{Cut: b.Cut}
	if utf8.Valid(b.Data) {
		s := string(b.Data)
		w.Text = &s
	} else {
		s := base64.StdEncoding.EncodeToString(b.Data)
		w.Base64 = &s
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var w wireBytes
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	b.Cut, b.Data = w.Cut, nil
	switch {
	case w.Text != nil && w.Base64 != nil:
		return errors.New("bytes with both text and base64: keep one")
	case w.Text != nil:
		b.Data = []byte(*w.Text)
	case w.Base64 != nil:
		d, err := base64.StdEncoding.DecodeString(*w.Base64)
		if err != nil {
			return err
		}
		b.Data = d
	}
	return nil
}
