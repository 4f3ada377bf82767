package fuzz

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// FuzzPipe talks to a program that answers by a real filter, and now and then by bytes of
// its own: until it does, what the pipe says is what the filter says; afterwards the pipe
// has an error or goes on, and never panics or waits.
func FuzzPipe(f *testing.F) {
	f.Fuzz(func(t *testing.T, lies, data []byte) {
		to, asks := io.Pipe()
		answers, from := io.Pipe()
		defer func() { _ = answers.Close() }()
		program := &piped{filters: map[string]*kernel.Filter{}, lies: source{lies}}
		ended := make(chan error)
		go func() {
			err := program.serve(to, from)
			_ = to.CloseWithError(err)
			_ = from.CloseWithError(err)
			ended <- err
		}()
		err := talk(&source{data}, answers, asks, program)
		_ = asks.Close()
		if wrong := <-ended; wrong != nil && !program.lied {
			t.Fatalf("the program did not understand: %v", wrong)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// talk does a program of operations on filters of the pipe and compares what they say
// with filters here, until the program has lied.
func talk(s *source, answers io.Reader, asks io.Writer, program *piped) error {
	subject, broken, err := conform.Pipe(answers, asks)
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
		choice := s.below(8)
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
		}
		switch {
		case program.lied:
			return nil
		case broken() != nil:
			return fmt.Errorf("the pipe failed without a lie: %w", broken())
		case got != want:
			return fmt.Errorf("operation %d on %v: %v, want %v", choice, here[i], got, want)
		}
	}
	return nil
}

// piped is the program: it keeps to the protocol, or answers with bytes of its lies.
type piped struct {
	filters map[string]*kernel.Filter
	lies    source
	lied    bool
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
		return "ok standard 0 bits union reset", nil
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
