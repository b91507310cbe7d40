package store

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// line is a plant as it was sent: a NewPlant, so that a line can be sent again.
type line struct {
	ID   int64   `json:"id"`
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitzero"`
}

// Export writes every plant of a file as a line of JSON, in the order in which
// they were accepted. No server may be using the file.
func Export(file string, w io.Writer) (err error) {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("cannot open %s: %w", file, errors.Unwrap(err))
	}
	db, err := openFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.Query(`SELECT id, name, tag FROM plants ORDER BY seq`)
	if err != nil {
		return explain(file, err)
	}
	defer rows.Close()
	out := jsontext.NewEncoder(w)
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.ID, &l.Name, &l.Tag); err != nil {
			return explain(file, err)
		}
		if err := json.MarshalEncode(out, l); err != nil {
			return fmt.Errorf("cannot write the export: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return explain(file, err)
	}
	return nil
}
