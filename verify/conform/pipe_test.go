package conform_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
)

// serve is the other side of a pipe, for a subject of this program.
func serve(s conform.Subject[*mutant.Plain], r io.Reader, w io.Writer) error {
	filters := map[string]*mutant.Plain{}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil // the examination has ended
		}
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		answer := "ok"
		var keys [][]byte
		if words[0] == "add" || words[0] == "has" {
			for _, word := range words[2:] {
				key, err := hex.DecodeString(strings.TrimPrefix(word, "-"))
				if err != nil {
					return err
				}
				keys = append(keys, key)
			}
		}
		if words[0] != "hello" && words[0] != "new" && filters[words[1]] == nil {
			return fmt.Errorf("no filter for %.60q", line)
		}
		switch words[0] {
		case "hello":
			answer = "ok standard 0"
			if s.Bits != nil {
				answer += " bits union reset"
			}
		case "new":
			var m uint64
			var k int
			if _, err := fmt.Sscan(words[2]+" "+words[3], &m, &k); err != nil {
				return err
			}
			f, err := s.New(m, k)
			if err != nil {
				answer = "no " + err.Error()
				break
			}
			filters[words[1]] = f
			if len(filters) > 32 {
				return fmt.Errorf("%d filters are alive", len(filters))
			}
			answer = fmt.Sprintf("ok %d %d", m, k)
		case "add":
			for _, key := range keys {
				s.Add(filters[words[1]], key)
			}
		case "has":
			var b strings.Builder
			for _, key := range keys {
				b.WriteByte('0')
				if s.Contains(filters[words[1]], key) {
					s := b.String()
					b.Reset()
					b.WriteString(s[:len(s)-1] + "1")
				}
			}
			answer = b.String()
		case "bits":
			answer = fmt.Sprint(s.Bits(filters[words[1]]))
		case "union":
			if err := s.Union(filters[words[1]], filters[words[2]]); err != nil {
				answer = "no " + err.Error()
			}
		case "reset":
			s.Reset(filters[words[1]])
		case "free":
			delete(filters, words[1])
		default:
			return fmt.Errorf("line %q", line)
		}
		if _, err := fmt.Fprintln(w, answer); err != nil {
			return nil
		}
	}
}

// through examines a subject through pipes.
func through(t *testing.T, s conform.Subject[*mutant.Plain], o conform.Options) conform.Report {
	t.Helper()
	toR, toW := io.Pipe()
	fromR, fromW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := serve(s, toR, fromW)
		fromW.CloseWithError(err)
		done <- err
	}()
	program, broken, err := conform.Pipe(fromR, toW)
	if err != nil {
		t.Fatal(err)
	}
	report, err := conform.Examine(program, o)
	if err != nil || broken() != nil {
		t.Fatal(err, broken())
	}
	toW.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return report
}

// What is found through a pipe is what is found without.
func TestPipe(t *testing.T) {
	o := conform.Options{Effort: 0.02, Shapes: []bloomproof.Geometry{{M: 97, K: 5}, {M: 1000, K: 4}}, Laws: []conform.Law{
		"no false negative", "rate", "set bits", "dependence", "keys", "union", "reset",
	}}
	if r := through(t, mutant.Sound(bloomproof.Standard, 0), o); len(r.Findings) > 0 || len(r.Kept) != len(o.Laws) {
		t.Errorf("a sound filter:\n%v", r)
	}
	if testing.Short() {
		return
	}
	for _, w := range mutant.Wrongs() {
		switch w.Name {
		case "union by exclusive or", "a reset leaves the last word", "k-1 positions are looked up", "one position too many", "the empty key is not added":
			o.Laws = []conform.Law{w.Law}
			if r := through(t, w.Subject, o); !broken(r, w.Law) {
				t.Errorf("%s:\n%v", w.Name, r)
			}
		}
	}
}

// A program that does not keep to the protocol is an error, not a finding.
func TestPipeErrors(t *testing.T) {
	for _, answers := range []string{
		"", "what\n", "ok sometimes 0\n", "ok standard many\n", "ok standard 0\n", "ok standard 0\nok\n", "ok standard 0\nok 47 3\n01\n", "ok standard 0\nok 47 3\n2\n",
	} {
		program, broken, err := conform.Pipe(strings.NewReader(answers), io.Discard)
		if err != nil {
			continue
		}
		if _, err := conform.Examine(program, conform.Options{Effort: 0.01, Laws: []conform.Law{"rate"}}); err != nil || broken() == nil {
			t.Errorf("%q: no error, %v", answers, err)
		}
	}
}
