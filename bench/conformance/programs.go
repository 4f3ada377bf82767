package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// program is an adaptor in another language. It implements the protocol of docs/pipe.md.
type program struct {
	packages string // the packages that must be installed
	version  string // a shell command that prints the version of the library; it fails if the library is not installed
	build    string // a shell command that builds the adaptor, or ""
	run      string // a shell command that runs the adaptor
	pace     pace
}

// adaptors is the directory of the adaptors. Shell commands can refer to this directory as $ADAPTORS, and may write to
// the directory $SCRATCH. The JavaScript packages are in the directory $NPM, which by default is .npm in the directory
// of the adaptors.
const adaptors = "conformance/adaptors"

const npmVersion = `node -p "JSON.parse(require('fs').readFileSync('$NPM/node_modules/%s/package.json')).version"`

func debian(pkg string) string {
	return "dpkg-query -W -f '${Version}' " + pkg + " | sed 's/-[^-]*$//' | grep ."
}

// quickly and slowly set the amount of work for fast and for slow programs. Each has two numbers. The first number is
// the effort of the examination, relative to the effort for a filter in Go. The second number is the number of look-ups
// at a design point. A fast program takes about 1 microsecond per key and a slow one 10 microseconds. A filter in Go
// takes about 50 nanoseconds.
var (
	quickly = pace{1. / 3, 1_000_000}
	slowly  = pace{1. / 15, 200_000}
)

type pace struct {
	effort float64
	probes uint64
}

func programs() []implementation {
	npm := func(name, declared string, pace pace) implementation {
		return other(name+" (npm)", "JavaScript", declared, program{
			packages: "node, and npm install --prefix conformance/adaptors/.npm " + name,
			version:  fmt.Sprintf(npmVersion, name),
			run:      "cd $NPM && exec node $ADAPTORS/npm.mjs " + name,
			pace:     pace,
		})
	}
	return []implementation{
		other("libbloom", "C", "standard; its own MurmurHash2; sized by n and rate, from 1,000 items on", program{
			packages: "gcc and Debian's libbloom-dev",
			version:  debian("libbloom-dev"),
			build:    "cc -O2 -o $SCRATCH/libbloom $ADAPTORS/libbloom.c -lbloom",
			run:      "exec $SCRATCH/libbloom",
			pace:     quickly,
		}),
		other("flor", "Python", "standard; its own FNV-1; sized by n and rate; what it says about its capacity is ignored; its snapshots have a count of keys that depends on their order", program{
			packages: "Debian's python3-flor",
			version:  debian("python3-flor"),
			run:      "exec /usr/bin/python3 $ADAPTORS/python_flor.py",
			pace:     slowly,
		}),
		other("Bloom::Filter", "Perl", "standard; SHA-1 with random salts for each filter, which is declared; sized by n and rate; its capacity, beyond which it refuses keys, is lifted", program{
			packages: "perl and Debian's libbloom-filter-perl",
			version:  debian("libbloom-filter-perl"),
			run:      "exec /usr/bin/perl $ADAPTORS/bloom_filter.pl",
			pace:     slowly,
		}),
		other("Guava", "Java", "`BloomFilter`: standard; its own MurmurHash3-128; sized by n and rate, m rounded up to a multiple of 64", program{
			packages: "a JDK of 17 or later and Debian's libguava-java",
			version:  "command -v java > /dev/null && " + debian("libguava-java"),
			run:      "exec java -cp /usr/share/java/guava.jar $ADAPTORS/Guava.java",
			pace:     quickly,
		}),
		npm("bloom-filters", "`BloomFilter`: standard; its own XXH64", slowly),
		npm("bloomfilter", "standard; FNV-1a of the key's bytes as characters; m is rounded up to a multiple of 32", quickly),
		npm("bloom-filter", "standard; BIP 37, its own MurmurHash3; sized by n and rate, m rounded down to a multiple of 8", quickly),
	}
}

// The function named other returns the implementation for a program.
func other(name, language, declared string, p program) implementation {
	return implementation{
		name: name, language: language, declared: declared, program: &p,
		examine: func(o conform.Options) (r conform.Report, err error) {
			o.Effort *= p.pace.effort
			err = p.with(func(start func() (*running, error)) error {
				s, end, err := conform.Pipe(func() (io.ReadWriteCloser, error) { return start() })
				if err != nil {
					return err
				}
				r, err = conform.Examine(s, o)
				return errors.Join(end(), err)
			})
			return r, err
		},
		measure: func() (out []measured, err error) {
			err = p.with(func(start func() (*running, error)) error {
				c, err := start()
				if err != nil {
					return err
				}
				t := &talk{running: c, in: bufio.NewReader(c)}
				t.ask("hello")
				out, err = measure(t.subject(), p.pace.probes)
				return errors.Join(t.err, err, c.Close())
			})
			return out, err
		},
	}
}

// shell returns an exec.Cmd that runs the text of command in a shell.
func shell(command, scratch string) *exec.Cmd {
	here, _ := filepath.Abs(adaptors)
	npm := os.Getenv("NPM")
	if npm == "" {
		npm = filepath.Join(here, ".npm")
	}
	c := exec.Command("/bin/sh", "-c", command)
	c.Env = append(os.Environ(), "ADAPTORS="+here, "SCRATCH="+scratch, "NPM="+npm)
	c.Stderr = os.Stderr
	return c
}

var errMissing = errors.New("not found")

// installed returns the version of the library, or an error that names the missing parts.
func (p *program) installed() (string, error) {
	c := shell(p.version, os.TempDir())
	c.Stderr = nil
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%w: it needs %s", errMissing, p.packages)
	}
	return strings.TrimSpace(string(out)), nil
}

// The method named with builds the program. Then it calls use, with a function that starts the program.
func (p *program) with(use func(start func() (*running, error)) error) error {
	scratch, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if p.build != "" {
		if out, err := shell(p.build, scratch).Output(); err != nil {
			return fmt.Errorf("%s: %w\n%s", p.build, err, out)
		}
	}
	return use(func() (*running, error) {
		c := shell(p.run, scratch)
		in, err := c.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := c.StdoutPipe()
		if err != nil {
			return nil, err
		}
		return &running{out, in, c}, c.Start()
	})
}

// running is a running program.
type running struct {
	io.Reader
	io.WriteCloser
	c *exec.Cmd
}

// Close tells the program to end and waits for its end. If the program does not end, Close kills it.
func (r *running) Close() error {
	err := r.WriteCloser.Close()
	kill := time.AfterFunc(10*time.Second, func() { _ = r.c.Process.Kill() })
	defer kill.Stop()
	return errors.Join(err, r.c.Wait())
}

// talk is a connection to a program for the function measure. This function sends many keys per line, and asks the
// program for the m and k of a filter.
type talk struct {
	*running
	in  *bufio.Reader
	ids int
	err error
}

// ask sends a line and returns the answer.
func (t *talk) ask(line string) string {
	if t.err != nil {
		return ""
	}
	answer := ""
	if _, t.err = io.WriteString(t.running, line+"\n"); t.err == nil {
		answer, t.err = t.in.ReadString('\n')
	}
	return strings.TrimSuffix(answer, "\n")
}

// The type named at identifies one of the filters in a running program.
type at struct {
	id string
	m  uint64
	k  int
}

func (t *talk) subject() conform.Subject[*at] {
	words := func(command string, f *at, keys [][]byte) string {
		line := command + " " + f.id
		for _, key := range keys {
			line += " " + hex.EncodeToString(key)
		}
		return line
	}
	return conform.Subject[*at]{
		Make: func(n uint64, rate float64) (*at, error) {
			f := &at{id: strconv.Itoa(t.ids)}
			if t.ids++; t.ids > 1 {
				t.ask("free " + strconv.Itoa(t.ids-2))
			}
			answer := t.ask(fmt.Sprintf("make %s %d %v", f.id, n, rate))
			if _, err := fmt.Sscanf(answer, "ok %d %d", &f.m, &f.k); err != nil {
				return nil, fmt.Errorf("%s: %w", answer, err)
			}
			return f, t.err
		},
		Shape:    func(f *at) (uint64, int) { return f.m, f.k },
		AddBatch: func(f *at, keys [][]byte) { t.ask(words("add", f, keys)) },
		ContainsBatch: func(f *at, keys [][]byte) []bool {
			out := make([]bool, len(keys))
			for i, digit := range t.ask(words("has", f, keys)) {
				out[i] = digit == '1'
			}
			return out
		},
	}
}
