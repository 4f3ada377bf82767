package conform_test

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// served is a program that answers the lines of a pipe with the filters of a subject.
type served struct {
	subject conform.Subject[*mutant.Plain]
	hello   string
	starts  int // how often it may be started
	dies    func(words []string) bool
	reseeds bool // every process has another hash function

	started int
	wrong   error // a line that was not understood
}

// connection is one of pipes in this process.
type connection struct {
	io.Reader
	io.WriteCloser
	done chan error
}

// Close ends the other side, and returns how it ended.
func (c *connection) Close() error {
	_ = c.WriteCloser.Close()
	_, _ = io.Copy(io.Discard, c.Reader)
	return <-c.done
}

var errOnce = errors.New("it cannot be started again")

func (p *served) start() (io.ReadWriteCloser, error) {
	if p.started == p.starts {
		return nil, errOnce
	}
	p.started++
	seed := byte(0)
	if p.reseeds {
		seed = byte(p.started)
	}
	toR, toW := io.Pipe()
	fromR, fromW := io.Pipe()
	c := &connection{fromR, toW, make(chan error, 1)}
	go func() {
		err := p.serve(toR, fromW, seed)
		_ = toR.Close()
		_ = fromW.Close()
		c.done <- err
	}()
	return c, nil
}

var errDied = errors.New("killed by the test")

func (p *served) serve(r io.Reader, w io.Writer, seed byte) error {
	filters := map[string]*mutant.Plain{}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil // the examination has ended
		}
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if p.dies != nil && p.dies(words) {
			return errDied
		}
		answer, err := p.answer(filters, words, seed)
		if err != nil {
			p.wrong = fmt.Errorf("%.80q: %w", line, err)
			return p.wrong
		}
		if _, err := fmt.Fprintln(w, answer); err != nil {
			return nil
		}
	}
}

func (p *served) answer(filters map[string]*mutant.Plain, words []string, seed byte) (string, error) {
	s := p.subject
	command := words[0]
	if command == "hello" {
		return p.hello, nil
	}
	if !slices.Contains([]string{"new", "add", "has", "free"}, command) && !slices.Contains(strings.Fields(p.hello), command) {
		return "", errors.New("it was not offered")
	}
	var m, n uint64
	var k int
	var rate float64
	shaped := func(f *mutant.Plain, err error) string {
		if err != nil {
			return "no " + err.Error()
		}
		filters[words[1]] = f
		if s.OwnRate != nil {
			return "ok"
		}
		m, k := s.Shape(f)
		return fmt.Sprintf("ok %d %d", m, k)
	}
	switch command {
	case "new":
		if _, err := fmt.Sscan(words[2]+" "+words[3], &m, &k); err != nil {
			return "", err
		}
		answer := shaped(s.New(m, k))
		if len(filters) > 32 {
			return "", fmt.Errorf("%d filters are alive", len(filters))
		}
		return answer, nil
	case "make":
		if _, err := fmt.Sscan(words[2]+" "+words[3], &n, &rate); err != nil {
			return "", err
		}
		return shaped(s.Make(n, rate)), nil
	case "size":
		if _, err := fmt.Sscan(words[1]+" "+words[2], &n, &rate); err != nil {
			return "", err
		}
		m, k := s.Size(n, rate)
		return fmt.Sprint(m, k), nil
	case "ratefor":
		if _, err := fmt.Sscan(strings.Join(words[1:], " "), &m, &k, &n); err != nil {
			return "", err
		}
		return fmt.Sprint(s.RateFor(m, k, n)), nil
	case "load":
		data, err := hex.DecodeString(strings.TrimPrefix(words[2], "-"))
		if err != nil {
			return "", err
		}
		f := filters[words[1]]
		for i := 0; f == nil; i++ { // whatever there is
			f, _ = s.New([]uint64{64, 84, 480, 1 << 16, 1 << 16}[i], []int{1, 3, 4, 7, 8}[i])
		}
		err = s.Unmarshal(f, data)
		return shaped(f, err), nil
	}
	f := filters[words[1]]
	if f == nil {
		return "", errors.New("no such filter")
	}
	switch command {
	case "bits":
		return fmt.Sprint(s.Bits(f)), nil
	case "words":
		var data []byte
		for _, w := range s.Words(f) {
			data = binary.LittleEndian.AppendUint64(data, w)
		}
		return "ok " + hex.EncodeToString(data), nil
	case "items":
		return fmt.Sprint(s.Items(f)), nil
	case "rate":
		return fmt.Sprint(s.Rate(f)), nil
	case "ownrate":
		if _, err := fmt.Sscan(words[2], &n); err != nil {
			return "", err
		}
		return fmt.Sprint(s.OwnRate(f, n)), nil
	case "save":
		data, err := s.Marshal(f)
		if err != nil {
			return "no " + err.Error(), nil
		}
		return "ok " + hex.EncodeToString(data), nil
	case "union", "intersect":
		combine := map[string]func(f, g *mutant.Plain) error{"union": s.Union, "intersect": s.Intersect}[command]
		if err := combine(f, filters[words[2]]); err != nil {
			return "no " + err.Error(), nil
		}
		return "ok", nil
	case "reset":
		s.Reset(f)
		return "ok", nil
	case "free":
		delete(filters, words[1])
		return "ok", nil
	}
	var keys [][]byte
	for _, word := range words[2:] {
		key, err := hex.DecodeString(strings.TrimPrefix(word, "-"))
		if err != nil {
			return "", err
		}
		if seed > 0 {
			key = append(key, seed)
		}
		if len(key) > 65601 {
			return "", fmt.Errorf("a key of %d bytes", len(key))
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 || len(keys) > 1 && len(strings.Join(words, " ")) > 1<<16 && !strings.HasSuffix(command, "batch") {
		return "", errors.New("a line of another length")
	}
	var digits []byte
	digit := func(contained bool) { digits = append(digits, map[bool]byte{false: '0', true: '1'}[contained]) }
	switch command {
	case "add":
		for _, key := range keys {
			s.Add(f, key)
		}
		return "ok", nil
	case "addbatch":
		s.AddBatch(f, keys)
		return "ok", nil
	case "has":
		for _, key := range keys {
			digit(s.Contains(f, key))
		}
	case "hasbatch":
		for _, contained := range s.ContainsBatch(f, keys) {
			digit(contained)
		}
	case "testadd":
		for _, key := range keys {
			digit(s.TestAndAdd(f, key))
		}
	default:
		return "", errors.New("unknown")
	}
	return string(digits), nil
}

// program returns a program that has everything.
func program(s conform.Subject[*mutant.Plain]) *served {
	if s.Shape == nil {
		s.Shape = (*mutant.Plain).Shape
	}
	if s.Make == nil && s.Size != nil {
		s.Make = func(n uint64, rate float64) (*mutant.Plain, error) { return s.New(s.Size(n, rate)) }
	}
	hello := fmt.Sprintf("ok %v %d version=2 what=ever shards=%d", s.Hashing, s.BlockBits, s.Shards)
	for command, has := range map[string]bool{
		"new": s.New != nil, "make": s.Make != nil, "addbatch": s.AddBatch != nil, "hasbatch": s.ContainsBatch != nil, "testadd": s.TestAndAdd != nil, "bits": s.Bits != nil, "words": s.Words != nil,
		"union": s.Union != nil, "intersect": s.Intersect != nil, "reset": s.Reset != nil, "items": s.Items != nil, "rate": s.Rate != nil,
		"ratefor": s.RateFor != nil, "size": s.Size != nil, "save": s.Marshal != nil, "load": s.Unmarshal != nil, "ownrate": s.OwnRate != nil, "seeded": s.Seeded,
	} {
		if has {
			hello += " " + command
		}
	}
	return &served{subject: s, hello: hello, starts: 1000}
}

// examined is what an examination through the pipe reports.
func (p *served) examined(t *testing.T, o conform.Options) conform.Report {
	t.Helper()
	s, end, err := conform.Pipe(p.start)
	if err != nil {
		t.Fatal(err)
	}
	report, err := conform.Examine(s, o)
	if err := errors.Join(err, end()); err != nil || p.wrong != nil {
		t.Fatal(err, p.wrong)
	}
	return report
}

// Outside long runs, the function "bare" leaves a subject the functions that a test of a program needs: each answer through
// a pipe takes much longer than a call. The sound filter of TestPipe has all functions.
func bare(s conform.Subject[*mutant.Plain]) conform.Subject[*mutant.Plain] {
	if !longtest.Enabled() {
		s = small(s, 1<<12)
		s.Items, s.Rate, s.RateFor, s.Size, s.Intersect = nil, nil, nil, nil, nil
	}
	return s
}

var pipeShapes = []bloomproof.Geometry{{M: 97, K: 5}, {M: 1000, K: 4}}

// What is found through a pipe is what is found without.
func TestPipe(t *testing.T) {
	sound := mutant.Sound(bloomproof.Standard, 0)
	all := slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return strings.HasPrefix(string(l), "concurrent") })
	o := conform.Options{Effort: longtest.More(0.002, 0.1), Shapes: pipeShapes, Laws: all}
	if !longtest.Enabled() { // the law "sizing" alone needs large filters
		sizing := conform.Options{Effort: o.Effort, Laws: []conform.Law{"sizing"}}
		if r := program(sound).examined(t, sizing); len(r.Kept) != 1 {
			t.Errorf("the sizing of a sound filter:\n%v", r)
		}
		all = slices.DeleteFunc(all, func(l conform.Law) bool { return l == "sizing" })
		o.Shapes, o.Laws, sound = pipeShapes[:1], all, upTo(sound, 1<<16)
	}
	if r := program(sound).examined(t, o); len(r.Findings) > 0 || len(r.Kept) != len(all) {
		t.Errorf("a sound filter:\n%v", r)
	}
	if testing.Short() {
		return
	}
	o.Laws = []conform.Law{"no false negative", "rate", "set bits", "dependence", "union", "reset", "items", "snapshot"}
	if longtest.Enabled() { // TestOwnSizingAlone examines such a filter without a pipe
		own := program(sound)
		own.hello = strings.Replace(own.hello, " new", "", 1)
		if r := own.examined(t, o); len(r.Findings) > 0 || !slices.Contains(r.Kept, "no false negative") {
			t.Errorf("a sound filter of its own sizes:\n%v", r)
		}
	}
	if !longtest.Enabled() { // both versions look keys up alike, and the first examination does so with all laws
		o.Laws = []conform.Law{"set bits", "union", "items", "snapshot"}
	}
	sound = small(sound, 1<<12)
	old := program(sound)
	old.hello, old.starts = "ok standard 0 bits union reset items", 1 // a word that says nothing in version 1
	if r := old.examined(t, o); len(r.Findings) > 0 || len(r.Kept) != longtest.More(2, 6) || len(r.Untold) != 2 {
		t.Errorf("a sound filter by version 1:\n%v", r)
	}
	for _, w := range mutant.Wrongs() {
		switch w.Name {
		case "union by exclusive or", "a reset leaves the last word", "k-1 positions are looked up", "one position too many", "the empty key is not added":
			if !longtest.Enabled() && w.Name != "union by exclusive or" && w.Name != "the empty key is not added" {
				continue // these two show that findings come through the pipe
			}
			o.Laws, o.Effort = []conform.Law{w.Law}, longtest.More(0.005, 0.02)
			if r := program(bare(w.Subject)).examined(t, o); !broken(r, w.Law) {
				t.Errorf("%s:\n%v", w.Name, r)
			}
		}
	}
}

// What a program declares is examined as declared.
func TestPipeDeclarations(t *testing.T) {
	some := []string{"7 shards of partitioned hashing", "a seed for each filter", "exact set"}
	some = some[1:longtest.More(2, 3)]
	for _, right := range mutant.Sounds() {
		if !longtest.Enabled() && !slices.Contains(some, right.Name) {
			continue
		}
		p := program(bare(right.Subject))
		o := conform.Options{Effort: longtest.More(0.002, 0.02), Shapes: pipeShapes[:1], Laws: []conform.Law{"union"}}
		if longtest.Enabled() {
			o.Laws = append(o.Laws, "no false negative", "snapshot", "rate")
		}
		if r := p.examined(t, o); len(r.Findings) > 0 || !slices.Contains(r.Kept, longtest.More[conform.Law]("union", "no false negative")) {
			t.Errorf("%s, %s:\n%v", right.Name, p.hello, r)
		}
	}
}

// A program that ends in the middle of a law breaks that one alone, if it can be started again.
func TestPipeEnds(t *testing.T) {
	o := conform.Options{Effort: 0.002, Shapes: pipeShapes, Laws: []conform.Law{"union", "reset", "snapshot", "hostile snapshot"}[:longtest.More(2, 4)]}
	for command, laws := range map[string][]conform.Law{
		"union": {"union"}, "reset": {"reset"}, "load": {"snapshot", "hostile snapshot"},
	} {
		if !longtest.Enabled() && command != "union" {
			continue
		}
		p := program(bare(mutant.Sound(bloomproof.Standard, 0)))
		p.dies = func(words []string) bool { return words[0] == command }
		r := p.examined(t, o)
		var found []conform.Law
		for _, f := range r.Findings {
			found = append(found, f.Law)
			if !strings.Contains(f.Text, "the program did not answer \""+command) || !strings.Contains(f.Text, errDied.Error()) {
				t.Errorf("%s: %v", command, f)
			}
		}
		if !slices.Equal(found, laws) {
			t.Errorf("%s: %v, want %v\n%v", command, found, laws, r)
		}
		p.starts, p.started = 1, 0
		s, end, err := conform.Pipe(p.start)
		if err != nil {
			t.Fatal(err)
		}
		only := o
		only.Laws = laws[:1]
		if _, err := conform.Examine(s, only); err != nil || end() == nil {
			t.Errorf("%s ends a program that cannot be started again: %v, and no error of the pipe", command, err)
		}
	}
	defer runs(4)()
	always := program(mutant.Sound(bloomproof.Standard, 0))
	always.dies = func(words []string) bool { return words[0] == "has" }
	r := always.examined(t, conform.Options{Effort: 0.01, Shapes: pipeShapes})
	if len(r.Findings) != 4 || always.started != 4 || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "the program ended 4 times") }) {
		t.Errorf("a program that ends at every look-up, after %d starts:\n%v", always.started, r)
	}
}

// A hash seed of the process that is not in the snapshot shows in a second process.
func TestPipeElsewhere(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	if open := s.New; !longtest.Enabled() { // no program has such filters, and programs take most of the time
		s.New = func(m uint64, k int) (*mutant.Plain, error) {
			if m != 1<<16 {
				return nil, errors.New("another size")
			}
			return open(m, k)
		}
	}
	p := program(s)
	p.reseeds = true
	r := p.examined(t, conform.Options{Effort: longtest.More(0.002, 0.01), Laws: []conform.Law{"snapshot", "reset"}})
	if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Text, "another process") {
		t.Errorf("%v", r)
	}
}

// A key may be longer than a line of several.
func TestPipeLongKeys(t *testing.T) {
	p := program(mutant.Sound(bloomproof.Standard, 0))
	s, end, err := conform.Pipe(p.start)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.New(1<<16, 7)
	if err != nil {
		t.Fatal(err)
	}
	long := make([]byte, 65537)
	s.Add(f, []byte("short"))
	s.Add(f, long)
	s.Add(f, nil)
	if !s.Contains(f, long) || !s.Contains(f, []byte("short")) || !s.Contains(f, nil) || s.Contains(f, long[1:]) || !s.TestAndAdd(f, long) {
		t.Error("keys are lost or confused")
	}
	if err := errors.Join(end(), p.wrong); err != nil {
		t.Error(err)
	}
}

// answers is a program that says what it says, whatever it is asked.
type answers struct{ io.Reader }

func (answers) Write(b []byte) (int, error) { return len(b), nil }
func (answers) Close() error                { return nil }

// A program that does not keep to the protocol is an error, not a finding.
func TestPipeErrors(t *testing.T) {
	const v2 = "ok standard 0 version=2 "
	for _, said := range []string{
		"", "what\n", "ok sometimes 0\n", "ok standard many\n", "ok standard 0\n", "ok standard 0\nok\n", "ok standard 0\nok 47 3\n01\n", "ok standard 0\nok 47 3\n2\n",
		"ok standard 0 version=3\n", "ok standard 0 version=two\n", v2 + "new shards=some\n", v2 + "bits\n", v2 + "make\nsome\n", v2 + "new words\nok 47 3\nok 00\n",
	} {
		s, end, err := conform.Pipe(func() (io.ReadWriteCloser, error) {
			if said == "started" {
				return nil, errOnce
			}
			defer func() { said = "started" }()
			return answers{strings.NewReader(said)}, nil
		})
		if err != nil {
			continue
		}
		if _, err := conform.Examine(s, conform.Options{Effort: 0.01, Laws: []conform.Law{"rate", "place"}}); err != nil || end() == nil {
			t.Errorf("%q: no error, %v", said, err)
		}
	}
}
