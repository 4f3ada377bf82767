package conform

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// pipe is the talk with another program.
type pipe struct {
	in      *bufio.Scanner
	out     *bufio.Writer
	err     error
	next    int
	alive   []int
	pending *strings.Builder // additions to the filter adding that were not sent yet
	adding  int
	hashing bloomproof.Hashing
	block   uint64
	has     map[string]bool
}

// piped is a filter behind a pipe.
type piped struct {
	id int
	m  uint64
	k  int
}

const (
	lineLimit = 1 << 16
	aliveMost = 32
)

// Pipe returns a filter in another program, which reads from w and writes to r, as a subject. The
// program answers a line for each line:
//
//	hello                    ok HASHING BLOCKBITS [bits] [union] [reset]
//	new ID M K               ok M K, the shape that it has; or no, and why
//	add ID KEY ...           ok
//	has ID KEY ...           a 1 or a 0 for each key, such as 0110
//	bits ID                  the number of set bits
//	union ID OTHER           ok; ID now holds what OTHER holds, too
//	reset ID                 ok
//	free ID                  ok; the ID will not be used again
//
// Words are separated by one space. HASHING is standard, classic or partitioned, BLOCKBITS 0
// for a filter without blocks; bits, union and reset are sent only if hello named them. A KEY
// is in hexadecimal, - for the empty one. At most 32 filters are alive at a time, and a line
// has at most 64 KiB or one key.
//
// Where the program does not keep to this, broken returns the first error from then on, and what an
// examination found means nothing: ask when it has ended.
//
// Errors: those of r and w; an error that tells the line that was not understood.
func Pipe(r io.Reader, w io.Writer) (s Subject[any], broken func() error, err error) {
	p := &pipe{in: bufio.NewScanner(r), out: bufio.NewWriter(w), has: map[string]bool{}, pending: new(strings.Builder)}
	p.in.Buffer(nil, 4*lineLimit)
	if err := p.greet(); err != nil {
		return Subject[any]{}, nil, err
	}
	return erase(p.subject()), func() error { return p.err }, nil
}

// greet learns what the program's filters are.
func (p *pipe) greet() error {
	words := strings.Fields(p.ask("hello"))
	if p.err != nil {
		return p.err
	}
	if len(words) < 3 || words[0] != "ok" || p.hashing.UnmarshalText([]byte(words[1])) != nil {
		return fmt.Errorf("answer to hello: %q, want ok HASHING BLOCKBITS", strings.Join(words, " "))
	}
	var err error
	if p.block, err = strconv.ParseUint(words[2], 10, 40); err != nil {
		return fmt.Errorf("answer to hello: block of %q bits", words[2])
	}
	for _, w := range words[3:] {
		p.has[w] = true
	}
	return nil
}

// ask sends a line and returns the answer, "" after an error.
func (p *pipe) ask(line string) string {
	p.flush()
	return p.talk(line)
}

func (p *pipe) talk(line string) string {
	if p.err != nil {
		return ""
	}
	if _, err := p.out.WriteString(line + "\n"); err != nil {
		p.err = err
		return ""
	}
	if err := p.out.Flush(); err != nil {
		p.err = err
		return ""
	}
	if !p.in.Scan() {
		if p.err = p.in.Err(); p.err == nil {
			p.err = fmt.Errorf("no answer to %.40q: %w", line, io.ErrUnexpectedEOF)
		}
		return ""
	}
	return p.in.Text()
}

// expect is ask for an answer that must be ok.
func (p *pipe) expect(line string) {
	if a := p.ask(line); p.err == nil && a != "ok" {
		p.err = fmt.Errorf("answer to %.40q: %.40q, want ok", line, a)
	}
}

// flush sends the additions that wait.
func (p *pipe) flush() {
	if p.pending.Len() == 0 {
		return
	}
	line := "add " + strconv.Itoa(p.adding) + p.pending.String()
	p.pending.Reset()
	if a := p.talk(line); p.err == nil && a != "ok" {
		p.err = fmt.Errorf("answer to add: %.40q, want ok", a)
	}
}

func word(key []byte) string {
	if len(key) == 0 {
		return "-"
	}
	return hex.EncodeToString(key)
}

func (p *pipe) open(m uint64, k int) (*piped, error) {
	if len(p.alive) == aliveMost {
		p.expect("free " + strconv.Itoa(p.alive[0]))
		p.alive = p.alive[1:]
	}
	id := p.next
	p.next++
	a := p.ask(fmt.Sprintf("new %d %d %d", id, m, k))
	if why, refused := strings.CutPrefix(a, "no"); refused {
		return nil, errors.New(strings.TrimSpace("refused " + strings.TrimSpace(why)))
	}
	f := &piped{id: id}
	if _, err := fmt.Sscanf(a, "ok %d %d", &f.m, &f.k); err != nil && p.err == nil {
		p.err = fmt.Errorf("answer to new: %.40q, want ok M K", a)
	}
	if p.err != nil {
		return nil, p.err
	}
	p.alive = append(p.alive, id)
	return f, nil
}

func (p *pipe) add(f *piped, key []byte) {
	if p.adding != f.id || p.pending.Len() > lineLimit-2*len(key)-64 {
		p.flush()
		p.adding = f.id
	}
	p.pending.WriteString(" " + word(key))
}

func (p *pipe) contains(f *piped, keys [][]byte) []bool {
	out := make([]bool, len(keys))
	for done := 0; done < len(keys) && p.err == nil; {
		var line strings.Builder
		fmt.Fprintf(&line, "has %d", f.id)
		last := done
		for ; last < len(keys) && (last == done || line.Len()+2*len(keys[last]) < lineLimit-64); last++ {
			line.WriteString(" " + word(keys[last]))
		}
		a := p.ask(line.String())
		if p.err == nil && (len(a) != last-done || strings.Trim(a, "01") != "") {
			p.err = fmt.Errorf("answer to has with %d keys: %.40q", last-done, a)
		}
		for i := range min(len(a), last-done) {
			out[done+i] = a[i] == '1'
		}
		done = last
	}
	return out
}

// subject returns the program's filter as a subject.
func (p *pipe) subject() Subject[*piped] {
	s := Subject[*piped]{
		Hashing: p.hashing, BlockBits: p.block,
		New:      p.open,
		Shape:    func(f *piped) (uint64, int) { return f.m, f.k },
		Add:      p.add,
		Contains: func(f *piped, key []byte) bool { return p.contains(f, [][]byte{key})[0] },
		many:     p.contains,
		piped:    true,
	}
	if p.has["bits"] {
		s.Bits = func(f *piped) uint64 {
			n, err := strconv.ParseUint(p.ask(fmt.Sprintf("bits %d", f.id)), 10, 64)
			if p.err == nil {
				p.err = err
			}
			return n
		}
	}
	if p.has["union"] {
		s.Union = func(f, g *piped) error {
			if a := p.ask(fmt.Sprintf("union %d %d", f.id, g.id)); a != "ok" {
				return errors.New(a)
			}
			return nil
		}
	}
	if p.has["reset"] {
		s.Reset = func(f *piped) { p.expect(fmt.Sprintf("reset %d", f.id)) }
	}
	return s
}
