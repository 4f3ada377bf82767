package conform

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// The type "pipe" represents a program under examination. The field "process" is the running process of the program.
// The function "start" starts another process.
type pipe struct {
	mu      sync.Mutex // a hanging operation may go on after the examination of its law
	start   func() (io.ReadWriteCloser, error)
	process *process    // nil after the last process ended
	reader  *process    // a second process, which reads snapshots; nil before it is started
	runs    int         // the number of processes that have answered
	last    ended       // how the last process ended
	err     error       // the first violation of the protocol, or nil
	offered bool        // true if the program has made a filter
	spent   atomic.Bool // true if the program ended so often that it is not started again

	next    int
	alive   []int
	pending strings.Builder // additions to the filter adding that have not been sent yet
	adding  int

	greeting string // the values in the greeting:
	hashing  bloomproof.Hashing
	block    uint64
	shards   uint64
	has      map[string]bool
}

// The type "piped" stands for a filter in another program. This filter is used through a pipe.
type piped struct {
	id, run int
	m       uint64
	k       int
}

const (
	lineLimit   = 1 << 16
	answerLimit = 1 << 28 // this suffices for a snapshot of 128 MiB; a longer line is an error
	aliveMost   = 32
	longestKey  = 1<<16 + 65 // programs must accept a key of this length
	newest      = 2          // the newest version of the protocol
)

// If the program ends or hangs during an operation, the operation panics with a value of the type "ended". Before the
// panic, the program is started again. The examination reports the panic as a fault under the law that was being
// examined.
type ended struct{ why string }

// Error returns the reason why the program ended.
func (e ended) Error() string { return e.why }

// textOf returns the text of a finding about a subject that panicked with the given value.
func textOf(panicked any) string {
	if e, ok := panicked.(ended); ok {
		return e.why
	}
	if _, ok := panicked.(hung); ok {
		return doesNotReturn
	}
	return fmt.Sprintf("panic: %v", panicked)
}

// Pipe returns the filters of another program as a subject. The function "start" runs the program and connects its
// standard input and output. The method Close of the connection ends the program. It returns an error unless the
// program exits with success. The command `bloomproof help pipe` prints all lines of the protocol. The program answers
// each line with one line. This table has the most important lines and their answers.
//
//	hello                    ok HASHING BLOCKBITS version=2, then new and the other lines that it knows
//	new ID M K               ok M K, the shape that it has; or no, and why
//	add ID KEY ...           ok
//	has ID KEY ...           a 1 or a 0 for each key, such as 0110
//	free ID                  ok; the ID will not be used again.
//
// Pipe starts the program once for the examination. It also starts a second process, which reads snapshots of the first
// one. If the program ends during the examination of a law, this is a finding, and Pipe starts the program again. If a
// later call of the function "start" fails, the examination goes on with one process. If this process also ends, the
// examination ends with an error. When 256 processes have been started, the examination examines no further law.
//
// If the program violates the protocol, the result of an examination is meaningless. The second result of Pipe is the
// function "end". The caller must call this function after the examination. This function ends all processes and
// returns the first error.
//
// Errors: the errors of start. If a line was not understood, the error shows this line.
func Pipe(start func() (io.ReadWriteCloser, error)) (s Subject[any], end func() error, err error) {
	p := &pipe{start: start}
	if p.process, err = p.connect(); err != nil {
		return Subject[any]{}, nil, err
	}
	return erase(p.subject()), p.end, nil
}

// The type "process" is the connection to one process of the program.
type process struct {
	c   io.ReadWriteCloser
	in  *bufio.Reader
	out *bufio.Writer
}

// The method "ask" sends a line to the program and returns the program's answer.
func (t *process) ask(line string) (string, error) {
	if _, err := t.out.WriteString(line); err != nil {
		return "", err
	}
	if err := t.out.WriteByte('\n'); err != nil {
		return "", err
	}
	if err := t.out.Flush(); err != nil {
		return "", err
	}
	var answer []byte
	for {
		part, err := t.in.ReadSlice('\n')
		answer = append(answer, part...)
		switch {
		case err == nil:
			return strings.TrimSuffix(string(answer[:len(answer)-1]), "\r"), nil
		case errors.Is(err, io.EOF):
			return "", io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		case len(answer) > answerLimit:
			return "", fmt.Errorf("a line of more than %d bytes", answerLimit)
		}
	}
}

// The method "connect" starts the program and sends it the line "hello". It checks the answer, which describes the
// program's filters.
func (p *pipe) connect() (*process, error) {
	c, err := p.start()
	if err != nil {
		return nil, err
	}
	t := &process{c, bufio.NewReaderSize(c, lineLimit), bufio.NewWriterSize(c, lineLimit)}
	answer, err := t.ask("hello")
	if err != nil {
		err = fmt.Errorf("no answer to hello: %w", err)
	} else if p.greeting == "" {
		err = p.greeted(answer)
	} else if answer != p.greeting {
		err = fmt.Errorf("answer to hello: %.80q, and %.80q before", answer, p.greeting)
	}
	if err != nil {
		if how := c.Close(); how != nil {
			err = fmt.Errorf("%w: %w", err, how)
		}
		return nil, err
	}
	return t, nil
}

func (p *pipe) greeted(answer string) error {
	words := strings.Fields(answer)
	if len(words) < 3 || words[0] != "ok" || p.hashing.UnmarshalText([]byte(words[1])) != nil {
		return fmt.Errorf("answer to hello: %.80q, want ok HASHING BLOCKBITS", answer)
	}
	var err error
	if p.block, err = strconv.ParseUint(words[2], 10, 40); err != nil {
		return fmt.Errorf("answer to hello: block of %q bits", words[2])
	}
	version := 1
	told := map[string]bool{}
	for _, w := range words[3:] {
		name, value, _ := strings.Cut(w, "=")
		told[name] = true
		switch name {
		case "version":
			if version, err = strconv.Atoi(value); err != nil || version < 1 || version > newest {
				return fmt.Errorf("answer to hello: version %.20q, want 1 to %d", value, newest)
			}
		case "shards":
			if p.shards, err = strconv.ParseUint(value, 10, 32); err != nil {
				return fmt.Errorf("answer to hello: %.20q shards", value)
			}
		}
	}
	if version == 1 { // in version 1 other words mean nothing
		told = map[string]bool{"new": true, "bits": told["bits"], "union": told["union"], "reset": told["reset"]}
		p.shards = 0
	}
	if !told["new"] && !told["make"] {
		return fmt.Errorf("answer to hello: %.80q, want the word new or make", answer)
	}
	p.has, p.greeting = told, answer
	return nil
}

// The method "end" ends all processes of the program, and returns the first error.
func (p *pipe) end() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range []*process{p.process, p.reader} {
		if t != nil {
			if err := t.c.Close(); p.err == nil {
				p.err = err
			}
		}
	}
	p.process, p.reader = nil, nil
	return p.err
}

// The method "enter" begins an operation on the given filters. It locks the pipe, and returns a function that unlocks
// it. If the process of one of these filters has ended, the method panics.
func (p *pipe) enter(filters ...*piped) (leave func()) {
	p.mu.Lock()
	for _, f := range filters {
		if p.err == nil && f.run != p.runs {
			p.mu.Unlock()
			panic(p.last)
		}
	}
	return p.mu.Unlock
}

// The method "ask" sends a line to the program and returns the program's answer. After an error it returns "".
func (p *pipe) ask(line string) string {
	p.flush()
	return p.say(line)
}

func (p *pipe) say(line string) string {
	if p.err != nil {
		return ""
	}
	if p.process == nil {
		p.spent.Store(true)
		panic(p.last)
	}
	answer, err := p.process.ask(line)
	if err != nil {
		p.died(line, err)
	}
	return answer
}

// The method "died" is called when the program has ended. It starts the program again and then panics. If no other
// process can be started, it records an error and does not panic. The same holds if the program has never made a
// filter.
func (p *pipe) died(line string, err error) {
	if how := p.process.c.Close(); how != nil {
		err = how
	}
	p.process = nil
	p.last = ended{fmt.Sprintf("the program did not answer %.40q: %v", line, err)}
	p.runs++
	p.alive = p.alive[:0]
	p.pending.Reset()
	if !p.offered {
		p.err = fmt.Errorf("no answer to %.40q: %w", line, err)
		return
	}
	if p.runs < limits.Runs {
		var none error
		if p.process, none = p.connect(); none != nil {
			p.err = fmt.Errorf("no answer to %.40q: %w", line, err)
			return
		}
	}
	panic(p.last)
}

// These texts describe the answers that a program may give. Error messages quote them.
const (
	wantShape = "ok M K, or no and why"
	wantBytes = "ok and bytes in hexadecimal, or no and why"
)

// The method "wrong" records an error. The text of the error shows an answer that the protocol does not allow, and
// says what the protocol requires.
func (p *pipe) wrong(line, answer, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("answer to %.40q: %.40q, want %s", line, answer, want)
	}
}

// The method "expect" sends a line to the program and reads the answer. Any answer other than "ok" is recorded as an
// error.
func (p *pipe) expect(line string) {
	if a := p.ask(line); a != "ok" {
		p.wrong(line, a, "ok")
	}
}

// The method "refused" returns an error if the program's answer begins with "no". Otherwise it returns the text that
// follows "ok" in the answer.
func (p *pipe) refused(line, answer, want string) (rest string, err error) {
	if why, no := strings.CutPrefix(answer, "no"); no {
		return "", errors.New(strings.TrimSpace("refused " + strings.TrimSpace(why)))
	}
	rest, ok := strings.CutPrefix(answer, "ok")
	if !ok {
		p.wrong(line, answer, want)
		return "", p.err
	}
	return strings.TrimPrefix(rest, " "), p.err
}

// The method "number" sends a line to the program. It returns the number in the program's answer. Any other answer is
// recorded as an error.
func (p *pipe) number(line string) float64 {
	a := p.ask(line)
	v, err := strconv.ParseFloat(a, 64)
	if err != nil {
		p.wrong(line, a, "a number")
		return math.NaN()
	}
	return v
}

// Additions are collected before they are sent. The method "flush" sends the collected additions to the program.
func (p *pipe) flush() {
	if p.pending.Len() == 0 {
		return
	}
	line := "add " + strconv.Itoa(p.adding) + p.pending.String()
	p.pending.Reset()
	if a := p.say(line); a != "ok" {
		p.wrong(line, a, "ok")
	}
}

// The function "word" encodes a key or a snapshot as a single word. A line of the protocol can contain this word.
func word(data []byte) string {
	if len(data) == 0 {
		return "-"
	}
	return hex.EncodeToString(data)
}

func unword(w string) ([]byte, error) {
	if w == "-" {
		return nil, nil
	}
	return hex.DecodeString(w)
}

// The method "open" asks the program for a new filter. The line that it sends consists of the command, the filter's
// number and the given words.
func (p *pipe) open(command, words string) (*piped, error) {
	defer p.enter()()
	if len(p.alive) == aliveMost {
		p.expect("free " + strconv.Itoa(p.alive[0]))
		p.alive = p.alive[1:]
	}
	f := &piped{id: p.next, run: p.runs}
	p.next++
	if err := p.shape(f, fmt.Sprintf("%s %d %s", command, f.id, words)); err != nil {
		return nil, err
	}
	p.alive = append(p.alive, f.id)
	p.offered = true
	return f, nil
}

// The method "shape" sends a line that the program answers with the shape of a filter. It stores this shape in f.
func (p *pipe) shape(f *piped, line string) error {
	a := p.ask(line)
	rest, err := p.refused(line, a, wantShape)
	if err != nil || p.has["ownrate"] && rest == "" {
		return err
	}
	g := *f
	if _, err := fmt.Sscanf(rest, "%d %d", &g.m, &g.k); err != nil {
		p.wrong(line, a, wantShape)
		return p.err
	}
	*f = g
	return nil
}

func (p *pipe) add(f *piped, key []byte) {
	defer p.enter(f)()
	if p.adding != f.id || p.pending.Len() > lineLimit-2*len(key)-64 {
		p.flush()
		p.adding = f.id
	}
	p.pending.WriteByte(' ')
	p.pending.WriteString(word(key))
}

// The function "line" returns a line of the protocol. The line consists of a command, the number of a filter, and the
// given keys.
func line(command string, id int, keys [][]byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d", command, id)
	for _, key := range keys {
		b.WriteByte(' ')
		b.WriteString(word(key))
	}
	return b.String()
}

// The method "digits" decodes the answer to a line about n keys: one digit, 0 or 1, for each key.
func (p *pipe) digits(line, answer string, n int) []bool {
	if len(answer) != n || strings.Trim(answer, "01") != "" {
		p.wrong(line, answer, fmt.Sprintf("%d digits 0 or 1", n))
	}
	out := make([]bool, n)
	for i := range min(n, len(answer)) {
		out[i] = answer[i] == '1'
	}
	return out
}

// The argument "id" is the number of a filter. The method "contains" looks up keys in this filter. It divides a long
// list of keys among several lines.
func (p *pipe) contains(ask func(string) (string, error), id int, keys [][]byte) ([]bool, error) {
	out := make([]bool, 0, len(keys))
	for len(out) < len(keys) && p.err == nil {
		rest := keys[len(out):]
		n, size := 0, 64
		for n == 0 || n < len(rest) && size+2*len(rest[n])+2 < lineLimit {
			size += 2*len(rest[n]) + 2
			n++
		}
		has := line("has", id, rest[:n])
		a, err := ask(has)
		if err != nil {
			return nil, err
		}
		out = append(out, p.digits(has, a, n)...)
	}
	return append(out, make([]bool, len(keys)-len(out))...), nil
}

// The method "elsewhere" reads a snapshot in a second process and looks up keys there. It returns nil if there is no
// second process.
func (p *pipe) elsewhere(data []byte, keys [][]byte) (contained []bool, err error) {
	defer p.enter()()
	if p.err != nil {
		return nil, p.err
	}
	if p.reader == nil {
		if p.reader, err = p.connect(); err != nil {
			return nil, nil
		}
	}
	ask := func(line string) (string, error) {
		a, err := p.reader.ask(line)
		if err == nil {
			return a, nil
		}
		if how := p.reader.c.Close(); how != nil {
			err = how
		}
		p.reader = nil
		return "", ended{fmt.Sprintf("it did not answer %.40q: %v", line, err)}
	}
	load := "load 0 " + word(data)
	a, err := ask(load)
	if err == nil {
		_, err = p.refused(load, a, wantShape)
	}
	if err == nil {
		contained, err = p.contains(ask, 0, keys)
	}
	if err == nil {
		_, err = ask("free 0")
	}
	return contained, err
}
