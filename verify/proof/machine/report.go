package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
)

// reportFile holds what was proved of which bytes.
const reportFile = "verify/proof/machine/report.txt"

const reportHead = "function | platform | bytes | distances | sha256 | paths | obligations | verdict\n"

// result is a line of the report.
type result struct {
	name, goarch string
	size         int
	// distances are where in the function distances to read-only data stand. They change with
	// the place that the linker gives to a function, and are 0 in the hash.
	distances          []int
	hash               string
	paths, obligations int
	verdict            string
}

const proved = "proved by z3 and cvc5"

func (r result) String() string {
	at := make([]string, len(r.distances))
	for i, d := range r.distances {
		at[i] = strconv.Itoa(d)
	}
	return fmt.Sprintf("%s | %s | %d | %s | %s | %d | %d | %s\n",
		r.name, r.goarch, r.size, strings.Join(at, " "), r.hash, r.paths, r.obligations, r.verdict)
}

func parseReport(text string) ([]result, error) {
	lines, ok := strings.CutPrefix(text, reportHead)
	if !ok {
		return nil, fmt.Errorf("%s does not begin with %q", reportFile, reportHead)
	}
	var out []result
	for l := range strings.Lines(lines) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " | ", 8)
		if len(f) != 8 {
			return nil, fmt.Errorf("%s: %q has not eight columns", reportFile, l)
		}
		r := result{name: f[0], goarch: f[1], hash: f[4], verdict: f[7]}
		numbers := append([]string{f[2], f[5], f[6]}, strings.Fields(f[3])...)
		values := make([]int, len(numbers))
		for i, s := range numbers {
			var err error
			if values[i], err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", reportFile, l, err)
			}
		}
		r.size, r.paths, r.obligations, r.distances = values[0], values[1], values[2], values[3:]
		out = append(out, r)
	}
	return out, nil
}

// distances returns where an amd64 function holds distances to what is outside it.
func distances(code []decode.Instruction) ([]int, error) {
	var out []int
	for _, in := range code {
		for _, a := range in.Args {
			if a.Kind != decode.Memory || a.Base || a.Scale > 0 || a.Thread {
				continue
			}
			d := binary.LittleEndian.AppendUint32(nil, uint32(a.Value-in.Next()))
			if at := bytes.LastIndex(in.Bytes, d); at < 0 || bytes.Count(in.Bytes, d) > 1 {
				return nil, fmt.Errorf("%s: the distance %x is not there once", in.Text, d)
			} else {
				out = append(out, int(in.Address-code[0].Address)+at)
			}
		}
	}
	return out, nil
}

// hash returns that of a function without its distances.
func hash(c object.Code, distances []int) string {
	b := slices.Clone(c.Bytes)
	for _, d := range distances {
		clear(b[d : d+4])
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}
