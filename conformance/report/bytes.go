package report

import (
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Bytes are bytes from the connection. In JSON they are {"text": …} if they are
// valid UTF-8, and {"base64": …} otherwise, so that no byte is lost. Cut is the
// number of bytes after these that were left out.
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
