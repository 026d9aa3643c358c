package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// Pin is the record of one tool of an upstream server.
type Pin struct {
	Server, Tool, Hash string
	State              string    // trusted, pending or quarantined
	Seen, Decided      time.Time // to the millisecond, UTC; zero for never
	Definition         json.RawMessage
	Offered            json.RawMessage // the changed definition of a quarantined tool
	OfferedHash        string
}

// Pins returns the pins of a server, ordered by tool.
func (s *Store) Pins(ctx context.Context, server string) ([]Pin, error) {
	pins := []Pin(nil)
	err := s.each(ctx, pinsOf, []any{server}, func(row *sql.Rows) error {
		p, err := s.scanPin(row, server)
		pins = append(pins, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	return pins, nil
}

// PinsMark returns a text that changes whenever any process changes a pin. It does not read definitions.
func (s *Store) PinsMark(ctx context.Context) (string, error) {
	var count, decided, latest int64
	if err := s.row(ctx, "SELECT count(*), coalesce(sum(decided), 0), coalesce(max(decided), 0) FROM pins", nil, &count, &decided, &latest); err != nil {
		return "", err
	}
	return fmt.Sprint(count, " ", decided, " ", latest), nil
}

// PutPins stores pins, replacing existing ones of the same server and tool. On an error, it stores none.
func (s *Store) PutPins(ctx context.Context, pins []Pin) error {
	if len(pins) == 0 {
		return nil
	}
	return s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("pins"); err != nil {
			return err
		}
		return putPins(ctx, tx, pins)
	})
}

// ChangePins passes the pins of a server to change and stores the pins that it returns. No other process can change
// them in between. If change returns an error, nothing is stored and the error is returned.
func (s *Store) ChangePins(ctx context.Context, server string, change func([]Pin) ([]Pin, error)) error {
	var refused error
	err := s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("pins"); err != nil {
			return err
		}
		pins, err := s.pinsIn(ctx, tx, server)
		if err != nil {
			return err
		}
		if pins, refused = change(pins); refused != nil {
			return refused
		}
		return putPins(ctx, tx, pins)
	})
	if refused != nil {
		return refused
	}
	return err
}

const pinsOf = `SELECT tool, hash, state, seen, decided, definition, offered, offered_hash, sum
		FROM pins WHERE server = ? ORDER BY tool`

func (s *Store) pinsIn(ctx context.Context, from *transaction, server string) ([]Pin, error) {
	rows, err := from.QueryContext(ctx, pinsOf, server)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var pins []Pin
	for rows.Next() {
		p, err := s.scanPin(rows, server)
		if err != nil {
			return nil, err
		}
		pins = append(pins, p)
	}
	return pins, rows.Err()
}

// scanPin reads one row of pinsOf.
func (s *Store) scanPin(row *sql.Rows, server string) (Pin, error) {
	p := Pin{Server: server}
	var seen, decided, sum int64
	if err := row.Scan(&p.Tool, &p.Hash, &p.State, &seen, &decided, (*[]byte)(&p.Definition), (*[]byte)(&p.Offered),
		&p.OfferedHash, &sum); err != nil {
		return p, err
	}
	p.Seen, p.Decided = fromMillis(seen), fromMillis(decided)
	if p.sum() != sum {
		return p, s.fault(ErrDamaged, errors.New("the approval of a tool does not match its checksum"))
	}
	p.Definition, p.Offered = orNil(p.Definition), orNil(p.Offered)
	return p, nil
}

func putPins(ctx context.Context, tx *transaction, pins []Pin) error {
	for _, p := range pins {
		if p.Server == "" || p.Tool == "" {
			return fmt.Errorf("a pin of server %q and tool %q: both need a name", p.Server, p.Tool)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO pins
			(server, tool, hash, state, seen, decided, definition, offered, offered_hash, sum) VALUES (?,?,?,?,?,?,?,?,?,?)
			ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash, state = excluded.state, seen = excluded.seen,
			decided = excluded.decided, definition = excluded.definition, offered = excluded.offered,
			offered_hash = excluded.offered_hash, sum = excluded.sum`,
			p.Server, p.Tool, p.Hash, p.State, toMillis(p.Seen), toMillis(p.Decided), emptyIfNil(p.Definition), emptyIfNil(p.Offered),
			p.OfferedHash, p.sum()); err != nil {
			return err
		}
	}
	return nil
}

// sum returns the checksum of a pin: a flipped bit must not change an approval unnoticed.
func (p *Pin) sum() int64 {
	h := crc32.NewIEEE()
	for _, part := range [][]byte{[]byte(p.Server), []byte(p.Tool), []byte(p.Hash), []byte(p.State), p.Definition, p.Offered,
		[]byte(p.OfferedHash)} {
		_ = binary.Write(h, binary.BigEndian, int64(len(part)))
		_, _ = h.Write(part)
	}
	_ = binary.Write(h, binary.BigEndian, [2]int64{toMillis(p.Seen), toMillis(p.Decided)})
	return int64(h.Sum32())
}

// emptyIfNil returns data, or an empty slice for nil, which would be stored as NULL.
func emptyIfNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

func orNil(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	return data
}
