package conform

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// The method "subject" returns the program's filter as a subject.
func (p *pipe) subject() Subject[*piped] {
	here := func(line string) (string, error) { return p.ask(line), nil }
	many := func(f *piped, keys [][]byte) []bool {
		defer p.enter(f)()
		contained, _ := p.contains(here, f.id, keys)
		return contained
	}
	number := func(f *piped, command string) float64 {
		defer p.enter(f)()
		return p.number(fmt.Sprintf("%s %d", command, f.id))
	}
	about := func(command string, f *piped, keys [][]byte) []bool {
		defer p.enter(f)()
		if len(keys) == 0 {
			return nil
		}
		line := line(command, f.id, keys)
		return p.digits(line, p.ask(line), len(keys))
	}
	combine := func(command string) func(f, g *piped) error {
		return func(f, g *piped) error {
			defer p.enter(f, g)()
			if a := p.ask(fmt.Sprintf("%s %d %d", command, f.id, g.id)); a != "ok" {
				return errors.New(a)
			}
			return nil
		}
	}
	bytes := func(f *piped, command string) ([]byte, error) {
		defer p.enter(f)()
		line := fmt.Sprintf("%s %d", command, f.id)
		a := p.ask(line)
		rest, err := p.refused(line, a, wantBytes)
		if err != nil {
			return nil, err
		}
		data, err := unword(rest)
		if err != nil || rest == "" {
			p.wrong(line, a, wantBytes)
			return nil, p.err
		}
		return data, nil
	}
	s := Subject[*piped]{
		Hashing: p.hashing, BlockBits: p.block, Shards: p.shards, Seeded: p.has["seeded"],
		Add:      p.add,
		Contains: func(f *piped, key []byte) bool { return many(f, [][]byte{key})[0] },
		many:     many,
		piped:    true,
		spent:    p.spent.Load,
	}
	if p.has["ownrate"] {
		s.OwnRate = func(f *piped, n uint64) float64 {
			defer p.enter(f)()
			return p.number(fmt.Sprintf("ownrate %d %d", f.id, n))
		}
	} else {
		s.Shape = func(f *piped) (uint64, int) { return f.m, f.k }
	}
	if p.has["new"] {
		s.New = func(m uint64, k int) (*piped, error) { return p.open("new", fmt.Sprintf("%d %d", m, k)) }
	}
	if p.has["make"] {
		s.Make = func(n uint64, rate float64) (*piped, error) { return p.open("make", fmt.Sprintf("%d %v", n, rate)) }
	}
	if p.has["addbatch"] {
		s.AddBatch = func(f *piped, keys [][]byte) {
			defer p.enter(f)()
			if len(keys) > 0 {
				p.expect(line("addbatch", f.id, keys))
			}
		}
	}
	if p.has["hasbatch"] {
		s.ContainsBatch = func(f *piped, keys [][]byte) []bool { return about("hasbatch", f, keys) }
	}
	if p.has["testadd"] {
		s.TestAndAdd = func(f *piped, key []byte) bool { return about("testadd", f, [][]byte{key})[0] }
	}
	if p.has["bits"] {
		s.Bits = func(f *piped) uint64 {
			defer p.enter(f)()
			line := fmt.Sprintf("bits %d", f.id)
			a := p.ask(line)
			n, err := strconv.ParseUint(a, 10, 64)
			if err != nil {
				p.wrong(line, a, "a number of bits")
			}
			return n
		}
	}
	if p.has["words"] {
		s.Words = func(f *piped) []uint64 {
			data, _ := bytes(f, "words")
			if n := uint64(len(data)); n < f.m/8 || n > f.m/8+8 {
				p.wrong(fmt.Sprintf("words %d", f.id), fmt.Sprintf("%d bytes", n), fmt.Sprintf("%d bits", f.m))
				return nil
			}
			words := make([]uint64, (f.m+63)/64)
			var last [8]byte
			for i := range words {
				clear(last[:])
				copy(last[:], data[min(8*i, len(data)):])
				words[i] = binary.LittleEndian.Uint64(last[:])
			}
			return words
		}
	}
	if p.has["union"] {
		s.Union = combine("union")
	}
	if p.has["intersect"] {
		s.Intersect = combine("intersect")
	}
	if p.has["reset"] {
		s.Reset = func(f *piped) {
			defer p.enter(f)()
			p.expect(fmt.Sprintf("reset %d", f.id))
		}
	}
	if p.has["items"] {
		s.Items = func(f *piped) float64 { return number(f, "items") }
	}
	if p.has["rate"] {
		s.Rate = func(f *piped) float64 { return number(f, "rate") }
	}
	if p.has["ratefor"] {
		s.RateFor = func(m uint64, k int, n uint64) float64 {
			defer p.enter()()
			return p.number(fmt.Sprintf("ratefor %d %d %d", m, k, n))
		}
	}
	if p.has["size"] {
		s.Size = func(n uint64, rate float64) (m uint64, k int) {
			defer p.enter()()
			line := fmt.Sprintf("size %d %v", n, rate)
			a := p.ask(line)
			if _, err := fmt.Sscanf(a, "%d %d", &m, &k); err != nil {
				p.wrong(line, a, "M K")
			}
			return m, k
		}
	}
	if p.has["save"] {
		s.Marshal = func(f *piped) ([]byte, error) { return bytes(f, "save") }
	}
	if p.has["load"] {
		s.Unmarshal = func(f *piped, data []byte) error {
			defer p.enter(f)()
			return p.shape(f, fmt.Sprintf("load %d %s", f.id, word(data)))
		}
	}
	if p.has["save"] && p.has["load"] {
		s.elsewhere = p.elsewhere
	}
	return s
}
