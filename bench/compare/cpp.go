package main

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/internal/shapes"
)

// cppIncludes and cppCompiler are the names of environment variables. The value of the first variable is a list of
// folders with headers, in the form of PATH. The value of the second variable is the name of the compiler.
const (
	cppIncludes = "BENCH_CPP_INCLUDE"
	cppCompiler = "CXX"
)

// source is the source code of the program with the C++ peers.
//
//go:embed cpp/peers.cpp
var source []byte

// remotePeer is a C++ filter in one of its two forms: single keys, or many keys at once (bulk).
type remotePeer struct {
	name  string
	kind  string              // its name in the program
	shape bloomproof.Geometry // the shape, as in bench.Peer
	of    string              // for a bulk form, the name of the basic peer
}

// inBulk is the suffix of the name of a bulk form of a C++ filter.
const inBulk = " bulk"

// These are the names of the C++ peers that the goals refer to.
const (
	boostFilter = "Boost filter<k>"
	boost64     = "Boost fast_multiblock64"
	boost32     = "Boost fast_multiblock32"
	libpopcnt   = "libpopcnt" // not a filter; it counts ones
)

// boostKs are the numbers k of positions for which the C++ template filter<k> is instantiated. They are the best values
// of k for the rates 1e-2, 1e-4 and 1e-6.
var boostKs = []int{7, 13, 20}

var remotePeers = func() (peers []remotePeer) {
	for _, p := range []remotePeer{
		{name: boostFilter, kind: "filter"},
		{name: boost64, kind: "multiblock64", shape: shapes.Words(64)},
		{name: boost32, kind: "multiblock32", shape: shapes.Words(32)},
	} {
		bulk := p
		bulk.name, bulk.of = p.name+inBulk, p.name
		peers = append(peers, p, bulk)
	}
	return append(peers, remotePeer{name: "FastFilter SimdBlockFilter", kind: "simdblock", shape: shapes.Words(32)})
}()

// program is the running program with the C++ peers. It answers each line that it reads with one line. The field err
// keeps the first error. After an error the method number returns NaN.
type program struct {
	version string
	dir     string // the folder of the executable
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	kinds   []string             // the kinds of peers, by their names in the program
	memory  map[string][2]uint64 // the address range of each filter, by name
	err     error
}

// startCPP builds and starts the program, or records why this is not possible.
func (m *measured) startCPP() error {
	compiler := os.Getenv(cppCompiler)
	if compiler == "" {
		compiler = "c++"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		m.noCPP = "no peers, since there is no compiler " + compiler
		return nil
	}
	dir, err := os.MkdirTemp("", "bloomproof-peers-")
	if err != nil {
		return err
	}
	optimize := []string{"-O3", "-march=" + march()}
	args := append(slices.Clone(optimize), "-std=c++17", "-o", filepath.Join(dir, "peers"), "-x", "c++", "-")
	for _, folder := range filepath.SplitList(os.Getenv(cppIncludes)) {
		args = append(args, "-isystem", folder)
	}
	build := exec.Command(compiler, args...)
	build.Stdin = strings.NewReader(string(source))
	said, err := build.CombinedOutput()
	if err != nil {
		if strings.Contains(string(said), "no headers of any peer") {
			m.noCPP = "no peers, since the headers of Boost.Bloom (Boost 1.89 or later), FastFilter and libpopcnt are not where the compiler looks nor in " + cppIncludes
			return os.RemoveAll(dir)
		}
		return errors.Join(fmt.Errorf("%s: %w\n%s", compiler, err, said), os.RemoveAll(dir))
	}
	p := &program{dir: dir, cmd: exec.Command(filepath.Join(dir, "peers"))}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	m.cpp = p
	p.version = strings.Join(append(p.ask("version"), optimize...), " ")
	p.kinds = p.ask("peers")
	return p.err
}

// stopCPP ends the program with the C++ peers.
func (m *measured) stopCPP() {
	if m.cpp == nil {
		return
	}
	_ = m.cpp.in.Close()
	_ = m.cpp.cmd.Wait()
	_ = os.RemoveAll(m.cpp.dir)
}

// ask sends a line to the program and returns the words of the answer.
func (p *program) ask(words ...any) []string {
	if p.err != nil {
		return nil
	}
	line := strings.TrimSpace(fmt.Sprintln(words...))
	if _, p.err = fmt.Fprintln(p.in, line); p.err != nil {
		return nil
	}
	if !p.out.Scan() {
		p.err = fmt.Errorf("the C++ peers ended at %q: %w", line, errors.Join(p.out.Err(), io.ErrUnexpectedEOF))
		return nil
	}
	answer := strings.Fields(p.out.Text())
	if len(answer) == 0 || answer[0] != "ok" {
		p.err = fmt.Errorf("the C++ peers answered %q to %q", p.out.Text(), line)
		return nil
	}
	return answer[1:]
}

// The method number sends a line to the program and returns the answer as a number.
func (p *program) number(words ...any) float64 {
	answer := p.ask(words...)
	if len(answer) != 1 {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(answer[0], 64)
	if err != nil {
		p.err = err
	}
	return x
}

// The method named has reports whether the program was built with the peers of the given kind. It returns false if
// there is no program.
func (p *program) has(kind string) bool { return p != nil && slices.Contains(p.kinds, kind) }

// peers returns the filters in C++. It returns none if there is no program.
func (p *program) peers() (peers []remotePeer) {
	for _, r := range remotePeers {
		if p.has(r.kind) {
			peers = append(peers, r)
		}
	}
	return peers
}

// pages returns the word that tells the C++ program which kind of memory pages must hold the filters.
func pages(huge bool) string {
	if huge {
		return "huge"
	}
	return "small"
}

// The method words makes the C++ program allocate 64-bit words, with half of their bits set. The library libpopcnt will
// count these bits. If the argument bytes is 0, the program frees the words.
func (p *program) words(bytes int, huge bool) {
	if p.has(libpopcnt) {
		p.ask("words", bytes, pages(huge))
	}
}

// The method count measures the library libpopcnt. The program counts the ones in the first bytes of the memory that
// the method words allocated. The argument bytes is the number of these bytes, and the argument times is the number of
// repetitions. The method returns the nanoseconds per byte and the number of ones.
func (p *program) count(bytes, times int) (ns float64, ones uint64) {
	answer := p.ask("count", bytes, times)
	if len(answer) != 2 {
		return math.NaN(), 0
	}
	ns, err1 := strconv.ParseFloat(answer[0], 64)
	ones, err2 := strconv.ParseUint(answer[1], 10, 64)
	p.err = errors.Join(p.err, err1, err2)
	return ns, ones
}

// filterOf returns the name of the filter that a peer uses. The two forms of a filter, single and bulk, have the same
// name.
func filterOf(r remotePeer) string {
	if r.of != "" {
		return r.of
	}
	return r.name
}

// quoted returns a name as a single word: underscores replace its spaces.
func quoted(name string) string { return strings.ReplaceAll(name, " ", "_") }

// The method open creates all filters with m bits. A filter has k positions, unless its number of positions is fixed.
// The program also sets half of the bits of large filters.
func (p *program) open(m uint64, k int, huge bool) error {
	if p == nil {
		return nil
	}
	p.memory = map[string][2]uint64{}
	for _, r := range p.peers() {
		if r.of != "" {
			continue
		}
		p.make(r, m, k, huge)
		if m > 1<<23 {
			p.ask("half", quoted(r.name))
		}
	}
	return p.err
}

// The method make creates the filter of one peer.
func (p *program) make(r remotePeer, m uint64, k int, huge bool) {
	if r.shape.K > 0 {
		k = r.shape.K
	}
	answer := p.ask("new", quoted(r.name), r.kind, k, m, pages(huge))
	if len(answer) != 2 {
		return
	}
	from, err1 := strconv.ParseUint(answer[0], 10, 64)
	bits, err2 := strconv.ParseUint(answer[1], 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		p.err = err
	}
	if bits != m {
		p.err = fmt.Errorf("%s holds %d bits, not %d", r.name, bits, m)
	}
	p.memory[r.name] = [2]uint64{from, from + bits/8}
}

// The method close frees all filters and returns the first error.
func (p *program) close() error {
	if p == nil {
		return nil
	}
	p.ask("drop")
	return p.err
}

// addAll adds the first n keys to all filters.
func (p *program) addAll(n uint64) {
	for _, r := range p.peers() {
		if r.of == "" {
			p.ask("add", quoted(r.name), 0, n)
		}
	}
}

// form returns the word that tells the C++ program which form of a peer is meant.
func form(r remotePeer) string {
	if r.of != "" {
		return "bulk"
	}
	return "plain"
}

// timeFill returns the nanoseconds per key for adding n keys to an empty filter.
func (p *program) timeFill(r remotePeer, n uint64) float64 {
	return p.number("fill", quoted(filterOf(r)), form(r), n)
}

// time returns the nanoseconds of one insertion if op is "add". Otherwise op is a pattern of keys, and the method
// returns the nanoseconds of one look-up. The first n keys of the pattern were added before.
func (p *program) time(r remotePeer, op string, n uint64) float64 {
	return p.number("time", quoted(filterOf(r)), form(r), op, n, chunks)
}

// hugeShare returns which share of the memory of a peer's filter is in huge pages. It finds this share with the
// function bench.HugeShareOf.
func (p *program) hugeShare(r remotePeer) (float64, bool) {
	at := p.memory[filterOf(r)]
	return bench.HugeShareOf(p.cmd.Process.Pid, at[0], at[1])
}
