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
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

// reportFile is the path of the report. For each function, the report has two hashes. One is the hash of the function's
// bytes, and the other is the hash of the proved claims.
const reportFile = "verify/proof/machine/report.txt"

const reportHead = "function | platform | bytes | distances | sha256 | paths | obligations | claims | verdict\n"

// The type "result" has the data of one row of the report.
type result struct {
	name, goarch string
	size         int
	// Some instructions contain the distance from the instruction to an address outside the function. The list
	// "distances" has the places of these distances in the code. Such a distance depends on where the linker puts the
	// function. So each distance is replaced by 0 before the hash is computed. If the address is that of read-only
	// data, the hash includes these data.
	distances          []distance
	hash               string
	paths, obligations int
	claims             string // the hash of the obligations; "" if there are none
	verdict            string
}

// In package kernel, some functions jump to kernels. The constant "stubs" is the prefix of their names.
const stubs = "kernel."

const proved = "proved by z3 and cvc5"

// String returns the line of report.txt for the result.
func (r result) String() string {
	at := make([]string, len(r.distances))
	for i, d := range r.distances {
		at[i] = d.String()
	}
	return fmt.Sprintf("%s | %s | %d | %s | %s | %d | %d | %s | %s\n",
		r.name, r.goarch, r.size, strings.Join(at, " "), r.hash, r.paths, r.obligations, r.claims, r.verdict)
}

func parseReport(text string) ([]result, error) {
	lines, ok := strings.CutPrefix(text, reportHead)
	if !ok {
		return nil, fmt.Errorf("%s does not begin with %q", reportFile, reportHead)
	}
	var out []result
	for l := range strings.Lines(lines) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " | ", 9)
		if len(f) != 9 {
			return nil, fmt.Errorf("%s: %q has not nine columns", reportFile, l)
		}
		r := result{name: f[0], goarch: f[1], hash: f[4], claims: f[7], verdict: f[8]}
		numbers := []string{f[2], f[5], f[6]}
		values := make([]int, len(numbers))
		for i, s := range numbers {
			var err error
			if values[i], err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", reportFile, l, err)
			}
		}
		r.size, r.paths, r.obligations = values[0], values[1], values[2]
		for _, s := range strings.Fields(f[3]) {
			d, err := parseDistance(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", reportFile, l, err)
			}
			r.distances = append(r.distances, d)
		}
		out = append(out, r)
	}
	return out, nil
}

// The code of a function can contain the distance to an address outside the function, in bytes. The type "distance"
// represents the place of this distance in the code.
type distance struct {
	at int
	// The distance may lead to an address in read-only data. The hash of the function then includes some bytes of these
	// data. The field "bytes" is the number of these bytes. This number is 0 if the data can change. It is also 0 if
	// the distance is not at the end of the instruction. Some of these bytes may lie before that address. The field
	// "before" is the number of these earlier bytes.
	bytes, before int
	// For the distance of a jump or call, the field "to" is the name of the target function. For a distance in a stub, it is
	// the name of a variable. For all other distances, it is empty.
	to string
}

func (d distance) String() string {
	switch {
	case d.to != "":
		return fmt.Sprintf("%d=%s", d.at, d.to)
	case d.bytes == 0:
		return strconv.Itoa(d.at)
	case d.before > 0:
		return fmt.Sprintf("%d:%d-%d", d.at, d.bytes, d.before)
	}
	return fmt.Sprintf("%d:%d", d.at, d.bytes)
}

func parseDistance(s string) (d distance, err error) {
	if at, to, ok := strings.Cut(s, "="); ok {
		d.to = to
		d.at, err = strconv.Atoi(at)
		return d, err
	}
	at, n, constant := strings.Cut(s, ":")
	n, before, below := strings.Cut(n, "-")
	if d.at, err = strconv.Atoi(at); err == nil && constant {
		d.bytes, err = strconv.Atoi(n)
	}
	if err == nil && below {
		d.before, err = strconv.Atoi(before)
	}
	return d, err
}

// The method "target" adds the distance to the address of the next instruction, and returns the sum. The instruction
// must end with the four bytes of the distance.
func (d distance) target(c object.Code) uint64 {
	return c.Address + uint64(d.at) + 4 + uint64(int64(int32(binary.LittleEndian.Uint32(c.Bytes[d.at:]))))
}

// Some places in the code of an amd64 function contain a distance. The function "distances" returns these places. The
// arguments "name" and "around" are two functions, which the caller passes. The function "name" returns the name of the
// function or variable at an address. If an instruction computes an address in a table, the hash includes the whole
// table. The function "around" returns the address where this table begins, and its size in bytes.
func distances(code []decode.Instruction, data symbolic.Data, name func(uint64) string, around func(uint64) (uint64, int)) ([]distance, error) {
	var out []distance
	stub, end := strings.HasPrefix(name(code[0].Address), stubs), code[len(code)-1].Next()
	for _, in := range code {
		for _, a := range in.Args {
			if (stub || in.Name == "call") && len(in.Bytes) > 4 &&
				(a.Kind == decode.Target && (a.Value < code[0].Address || a.Value >= end) || a.Kind == decode.Memory && !a.Base && a.Scale == 0) {
				if _, err := data(a.Value, a.Width/8); a.Width == 0 || err != nil {
					out = append(out, distance{at: int(in.Next()-code[0].Address) - 4, to: name(a.Value)})
					continue
				}
			}
			if a.Kind != decode.Memory || a.Base || a.Scale > 0 || a.Thread {
				continue
			}
			b := binary.LittleEndian.AppendUint32(nil, uint32(a.Value-in.Next()))
			at := bytes.LastIndex(in.Bytes, b)
			if at < 0 || bytes.Count(in.Bytes, b) > 1 {
				return nil, fmt.Errorf("%s: the distance %x is not there once", in.Text, b)
			}
			d := distance{at: int(in.Address-code[0].Address) + at}
			from, n := a.Value, a.Width/8
			if in.Name == "lea" {
				from, n = around(a.Value)
			}
			if _, err := data(from, n); err == nil && n > 0 && at+4 == len(in.Bytes) {
				d.bytes, d.before = n, int(a.Value-from)
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// The function "hash" returns a hash of the function c. The hash includes the constants to which the given distances
// refer. In the hashed code, the distances are replaced by 0.
func hash(c object.Code, distances []distance, data symbolic.Data) (string, error) {
	b := slices.Clone(c.Bytes)
	for _, d := range distances {
		clear(b[d.at : d.at+4])
	}
	for _, d := range distances {
		b = append(b, d.to...)
		if d.bytes == 0 {
			continue
		}
		constant, err := data(d.target(c)-uint64(d.before), d.bytes)
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.Name, err)
		}
		b = append(b, constant...)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

// The proof of the function c used some constants. The function "hashed" returns an error unless the hash of c includes
// all of them.
func hashed(c object.Code, distances []distance, used []symbolic.Constant) error {
	for _, u := range used {
		if !slices.ContainsFunc(distances, func(d distance) bool {
			from := d.target(c) - uint64(d.before)
			return from <= u.Address && u.Address+uint64(u.Bytes) <= from+uint64(d.bytes)
		}) {
			return fmt.Errorf("the constant at %#x is not in the hash", u.Address)
		}
	}
	return nil
}
