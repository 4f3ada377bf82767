package fuzz

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// FuzzPipe talks to a program that answers with a real filter, and sometimes with arbitrary bytes:
// before the first arbitrary bytes the pipe gives the filter's answers, and after them it reports
// an error or goes on, but never panics or waits.
func FuzzPipe(f *testing.F) {
	f.Fuzz(func(t *testing.T, lies, data []byte) {
		program := &piped{filters: map[string]*kernel.Filter{}, lies: source{lies}, ended: make(chan error, 1)}
		if err := talk(&source{data}, program); err != nil {
			t.Fatal(err)
		}
	})
}

// connection is a talk with a program that runs here.
type connection struct {
	io.Reader
	io.WriteCloser
	ended chan error
}

// Close waits for the program.
func (c connection) Close() error {
	_ = c.WriteCloser.Close()
	_, _ = io.Copy(io.Discard, c.Reader)
	return <-c.ended
}

// start runs the program, once.
func (p *piped) start() (io.ReadWriteCloser, error) {
	if p.ended == nil {
		return nil, errors.New("it runs once")
	}
	to, asks := io.Pipe()
	answers, from := io.Pipe()
	ended := p.ended
	p.ended = nil
	go func() {
		err := p.serve(to, from)
		_ = to.Close()
		_ = from.Close()
		ended <- err
	}()
	return connection{answers, asks, ended}, nil
}

// talk does a program of operations on filters of the pipe and compares what they say
// with filters here, until the program has lied.
func talk(s *source, program *piped) (err error) {
	subject, end, err := conform.Pipe(program.start)
	if err == nil {
		defer func() {
			if wrong := end(); err == nil {
				err = wrong
			}
			if program.lied {
				err = nil
			}
		}()
	}
	if err != nil {
		if program.lied {
			return nil
		}
		return err
	}
	var there []any
	var here []*kernel.Filter
	for op := 0; op < 40 && len(s.data) > 0; op++ {
		cases.Add(1)
		choice := s.below(12)
		if choice == 0 || len(there) == 0 {
			g := bloomproof.Geometry{M: s.near(10), K: s.below(9)}
			want, errHere := kernel.New(g, kernel.Options{})
			got, errThere := subject.New(g.M, g.K)
			if program.lied {
				return nil
			}
			if (errHere == nil) != (errThere == nil) {
				return fmt.Errorf("new %v: %v, %v", g, errThere, errHere)
			}
			if errHere == nil {
				there, here = append(there, got), append(here, want)
			}
			if len(there) > 8 {
				there, here = there[1:], here[1:]
			}
			continue
		}
		i, j := s.below(len(there)), s.below(len(there))
		key := make([]byte, s.near(5))
		for i := range key {
			key[i] = s.byte()
		}
		var got, want any
		switch choice {
		case 1, 2, 3:
			subject.Add(there[i], key)
			here[i].Add(key)
			continue // it may be sent later
		case 4, 5:
			got, want = subject.Contains(there[i], key), here[i].Contains(key)
		case 6:
			if subject.Bits == nil {
				continue
			}
			got, want = subject.Bits(there[i]), here[i].Bits()
		case 7:
			if subject.Union == nil || subject.Reset == nil {
				continue
			}
			if s.bool() {
				subject.Reset(there[i])
				here[i].Clear()
				continue
			}
			got, want = subject.Union(there[i], there[j]) == nil, here[i].Union(here[j]) == nil
		case 8, 9, 10, 11:
			if subject.Words == nil {
				continue
			}
			got, want = second(subject, choice, there[i], there[j], here[i], here[j], key)
		}
		if program.lied {
			return nil
		}
		if got != want {
			return fmt.Errorf("operation %d on %v: %v, want %v", choice, here[i], got, want)
		}
	}
	return nil
}

// second does an operation of version 2.
func second(subject conform.Subject[any], choice int, f, g any, a, b *kernel.Filter, key []byte) (got, want any) {
	switch choice {
	case 8:
		return subject.TestAndAdd(f, key), !a.Add(key)
	case 9:
		return subject.Intersect(f, g) == nil, a.Intersect(b) == nil
	case 10:
		items, _ := a.Items()
		return fmt.Sprint(subject.Words(f), subject.Rate(f), subject.Items(f)), fmt.Sprint(a.AppendWords(nil), a.Rate(), items)
	}
	there, err := subject.Marshal(f)
	if err == nil {
		err = subject.Unmarshal(g, there)
	}
	here, wrong := a.MarshalBinary()
	if wrong == nil {
		wrong = b.UnmarshalBinary(here)
	}
	m, k := subject.Shape(g)
	return fmt.Sprint(there, m, k, err), fmt.Sprint(here, a.Geometry().M, a.Geometry().K, wrong)
}

// piped is the program: it keeps to the protocol, or answers with bytes of its lies.
type piped struct {
	filters map[string]*kernel.Filter
	lies    source
	lied    bool
	ended   chan error // gets its error; nil when it was started
}

func (p *piped) serve(r io.Reader, w io.Writer) error {
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		answer, err := p.answer(strings.Split(strings.TrimSuffix(line, "\n"), " "))
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if len(p.lies.data) > 0 {
			if p.lies.below(4) == 3 {
				p.lied = true
				n := min(p.lies.below(24), len(p.lies.data))
				answer, p.lies.data = string(p.lies.data[:n]), p.lies.data[n:]
				if n == 23 {
					return nil // it ends
				}
			}
		}
		if _, err := io.WriteString(w, answer+"\n"); err != nil {
			return nil
		}
	}
}

func (p *piped) answer(words []string) (string, error) {
	at := func(i int) (*kernel.Filter, error) {
		if i >= len(words) || p.filters[words[i]] == nil {
			return nil, fmt.Errorf("no filter at word %d", i)
		}
		return p.filters[words[i]], nil
	}
	switch words[0] {
	case "hello":
		return "ok standard 0 version=2 new bits union reset testadd intersect words rate items save load", nil
	case "new":
		var g bloomproof.Geometry
		if n, err := fmt.Sscanf(strings.Join(words[2:], " "), "%d %d", &g.M, &g.K); n != 2 {
			return "", err
		}
		f, err := kernel.New(g, kernel.Options{})
		if err != nil {
			return "no " + err.Error(), nil
		}
		p.filters[words[1]] = f
		if len(p.filters) > 32 {
			return "", fmt.Errorf("%d filters are alive", len(p.filters))
		}
		return fmt.Sprintf("ok %d %d", g.M, g.K), nil
	}
	f, err := at(1)
	if err != nil {
		return "", err
	}
	switch words[0] {
	case "testadd":
		key, err := hex.DecodeString(strings.TrimPrefix(words[2], "-"))
		return fmt.Sprint(map[bool]int{false: 1}[f.Add(key)]), err
	case "words":
		var data []byte
		for _, w := range f.AppendWords(nil) {
			data = binary.LittleEndian.AppendUint64(data, w)
		}
		return "ok " + hex.EncodeToString(data), nil
	case "rate":
		return fmt.Sprint(f.Rate()), nil
	case "items":
		items, _ := f.Items()
		return fmt.Sprint(items), nil
	case "save":
		data, err := f.MarshalBinary()
		return "ok " + hex.EncodeToString(data), err
	case "load":
		data, err := hex.DecodeString(words[2])
		if err != nil {
			return "", err
		}
		if err := f.UnmarshalBinary(data); err != nil {
			return "no " + err.Error(), nil
		}
		return fmt.Sprintf("ok %d %d", f.Geometry().M, f.Geometry().K), nil
	case "intersect":
		g, err := at(2)
		if err == nil {
			if err := f.Intersect(g); err != nil {
				return "no " + err.Error(), nil
			}
		}
		return "ok", err
	case "add", "has":
		var answer strings.Builder
		for _, word := range words[2:] {
			key, err := hex.DecodeString(strings.TrimPrefix(word, "-"))
			if err != nil {
				return "", err
			}
			if words[0] == "add" {
				f.Add(key)
			} else {
				fmt.Fprint(&answer, map[bool]int{true: 1}[f.Contains(key)])
			}
		}
		if words[0] == "add" {
			return "ok", nil
		}
		return answer.String(), nil
	case "bits":
		return fmt.Sprint(f.Bits()), nil
	case "union":
		g, err := at(2)
		if err == nil {
			if err := f.Union(g); err != nil {
				return "no " + err.Error(), nil
			}
		}
		return "ok", err
	case "reset":
		f.Clear()
	case "free":
		delete(p.filters, words[1])
	default:
		return "", fmt.Errorf("unknown")
	}
	return "ok", nil
}
