package formats

import (
	"encoding/base64"
	"unicode/utf8"
)

// The members of HTTP Archive 1.2. Those that begin with an underscore are ours, as it
// allows.

type har struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
	Comment string     `json:"comment"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started    string      `json:"startedDateTime"`
	Time       float64     `json:"time"`
	Request    harRequest  `json:"request"`
	Response   harResponse `json:"response"`
	Cache      struct{}    `json:"cache"`
	Timings    harTimings  `json:"timings"`
	Connection string      `json:"connection"`
	Comment    string      `json:"comment"`
}

type harTimings struct {
	Send    int     `json:"send"`
	Wait    float64 `json:"wait"`
	Receive int     `json:"receive"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harRequest struct {
	Method   string     `json:"method"`
	URL      string     `json:"url"`
	Version  string     `json:"httpVersion"`
	Cookies  []harField `json:"cookies"`
	Fields   []harField `json:"headers"`
	Query    []harField `json:"queryString"`
	Body     *harBody   `json:"postData,omitempty"`
	HeadSize int        `json:"headersSize"`
	BodySize int        `json:"bodySize"`
}

// harBody is the body of a request. HAR holds only text, so a body that is not UTF-8 has
// a member of its own.
type harBody struct {
	Type   string     `json:"mimeType"`
	Params []harField `json:"params"`
	Text   string     `json:"text"`
	Base64 string     `json:"_base64,omitempty"`
}

type harResponse struct {
	Status   int        `json:"status"`
	Text     string     `json:"statusText"`
	Version  string     `json:"httpVersion"`
	Cookies  []harField `json:"cookies"`
	Fields   []harField `json:"headers"`
	Content  harContent `json:"content"`
	Redirect string     `json:"redirectURL"`
	HeadSize int        `json:"headersSize"`
	BodySize int        `json:"bodySize"`
	Failure  string     `json:"_error,omitempty"`
}

type harContent struct {
	Size     int    `json:"size"`
	Type     string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"`
}

// harContentOf is the body of a response, of which some bytes may be cut off.
func harContentOf(body []byte, cutOff int, media string) harContent {
	c := harContent{Size: len(body) + cutOff, Type: media, Text: string(body)}
	if !utf8.Valid(body) {
		c.Text, c.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
	return c
}
