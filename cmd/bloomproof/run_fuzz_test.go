package main

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

// fuzzedArgs decodes bytes into arguments: the command, then flags of a table with
// values of a table, which keep a run short, or now and then a piece of the bytes
// themselves where it cannot ask for much.
func fuzzedArgs(data []byte) (args []string, stdin []byte) {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	piece := func() string {
		n := min(int(next())%12, len(data))
		s := string(data[:n])
		data = data[n:]
		return s
	}
	pick := func(from []string) string { return from[int(next())%len(from)] }
	names := []string{"fpr", "replay", "fnr", "replay", "cpu", "help", "size", "efficiency", "occupancy", "counting", "estimate", "recycle", "simulate", "claims", "conform", "growing"}
	args = []string{pick(names)}
	sizes := []string{"0", "1", "2", "63", "64", "100", "1000", "4Ki", "2^10-1", "2e3", "-1", "", "1.5", "2^64", "abc"}
	few := []string{"0", "1", "2", "7", "63", "64", "100", "2^7", "1e2", "128", "-5", "", "0.5", "2^65", "x"} // fpr's routes over set bits are slow
	huge := append([]string{"2^64-1", "2^48", "1e18", "18446744073709551615", "2^63"}, sizes...)
	k := []string{"0", "1", "2", "7", "10", "33", "64", "65", "4096", "4097", "2^32", "-3", "x"}
	values := map[string][]string{
		"m": few, "n": few, "k": k[:8], "sigma": huge, "messages": huge, "seed": huge,
		"digits":  {"0", "1", "2", "17", "40", "99", "10001", "2^64-1"},
		"hashing": {"standard", "classic", "partitioned", "Standard", ""},
		"route":   {"auto", "stirling", "difference", "recursive", "hypergeometric", "christensen", "grandi", "closed", "best"},
		"phases":  {"1", "2", "0", "3"}, "freeze": {"after", "before", "now"}, "positions": {"fixed", "fresh", ""},
		"warmup": {"0", "0.5", "0.999", "1", "-1", "1e-9", "1e-9999", "x"}, "trace": {"-", "testdata/README.md", "testdata/none", "testdata", ""},
		"fpr": {"0.5", "1e-3", "0.123456789", "1e-9", "0", "1", "0.999999", "x"}, "peak": nil,
		"popularity": {"uniform:9", "zipf:1:20", "zipf:1e308:5", "biuniform:2:0.3:9", "list:3,2,1", "list:0", "uniform:2^40", "uniform:0", "zipf:1", "file:testdata/none", ""},
		"repeat":     {"0", "0.5", "1", "1.5", "1e-9", "x"}, "arrivals": {"popularity", "uniform", "last", "first", "file:testdata/none", "x"},
		"model":  {"renewal", "lower", "biuniform", "disabling", "fluid", "exact", "all", "x"},
		"target": {"0.1", "1e-3", "0.5", "0", "1", "x"}, "fnr": {"0.1", "0.01", "1", "0", "x"}, "frontier": nil,
		"increment": {"distinct", "literal", "x"}, "bits": few, "kind": {"classic", "committee", "union", "intersection", "x"},
		"balls": few, "committees": {"3x2", "3x2,4x1+5x1", "1x1,1x1,2x3", "0x1", "3", "x", "999x1", ""}, "r": {"0", "1", "3", "-1", "9"}, "i": few,
		"stat":   {"mean", "variance", "pmf", "moment", "factorial-moment", "binomial-moment", "x"},
		"cycles": {"1", "5", "0", "x"}, "runs": {"2", "3", "1", "x"}, "arrivals-total": {"1", "40", "0", "2^65"}, "ideal": nil,
		"paper": {"burns", "fan", "dozier-fp", "dozier-fn", "x"}, "id": {"burns", "fan.eq18", "dozier-fn", "dozier", "x", ""}, "shard": {"1/1", "2/1", "x"}, "effort": {"quick", "full", "10", "x"},
		"growth": few, "tighten": {"0.5", "0.8", "1", "0", "1e-9", "x"}, "after": {"0", "3", "2,9", "2,,9", "128", ""}, "layers": few,
		"retain": nil, "copy": {"true", "false", "1", "perhaps"}, "bounds": nil, "json": nil,
	}
	flags := []string{"m", "k", "n", "sigma", "trace", "hashing", "route", "digits", "bounds", "messages", "phases", "retain", "copy", "freeze", "positions", "warmup", "seed", "json", "fpr", "peak", "popularity", "repeat", "arrivals", "model"}
	base := map[string][]string{
		"occupancy": {"-m=64", "-balls=9"}, "counting": {"-m=64", "-k=3", "-n=5"}, "estimate": {"-m=64", "-k=3", "-bits=20"},
		"recycle": {"-m=64", "-k=3"}, "simulate": {"-m=64", "-k=3", "-runs=2", "-cycles=3"}, "conform": {"-effort=1"}, "growing": {"-n=9", "-fpr=0.1", "-after=3"},
	}
	own := map[string][]string{ // what the commands of base, and claims, take beside or instead
		"occupancy": {"m", "kind", "balls", "k", "n", "committees", "stat", "r", "i", "route", "digits", "json"},
		"counting":  {"m", "k", "n", "increment", "hashing", "digits", "json"},
		"growing":   {"n", "fpr", "growth", "tighten", "after", "layers", "hashing", "digits", "json"},
		"estimate":  {"m", "n", "k", "bits", "hashing", "digits", "json"},
		"recycle":   {"m", "k", "sigma", "messages", "target", "hashing", "retain", "phases", "copy", "freeze", "positions", "fnr", "repeat", "popularity", "arrivals", "trace", "warmup", "digits", "json"},
		"simulate":  {"m", "k", "hashing", "n", "increment", "sigma", "messages", "phases", "retain", "copy", "freeze", "positions", "repeat", "popularity", "arrivals", "cycles", "arrivals-total", "runs", "seed", "ideal", "json"},
		"claims":    {"paper", "id", "effort", "shard", "json"},
		"conform":   {"effort", "seed", "json"},
	}
	if o := own[args[0]]; o != nil {
		flags = o
		values["m"], values["sigma"], values["messages"] = few, few, few
		args = append(args, base[args[0]]...)
		if args[0] == "recycle" || args[0] == "simulate" {
			args = append(args, pick([]string{"-sigma=32", "-messages=4", "-n=9", "-target=0.1"}))
		}
	}
	if args[0] == "replay" { // sizes that are cheap there; a filter has 2^48 bits at most
		values["m"], values["k"] = sizes, k
		args = append(args, "-trace=-", "-m=64", "-k=3", "-sigma=32")
	}
	if args[0] == "fnr" {
		args = append(args, "-m=64", "-k=3", "-sigma=32", "-popularity=uniform:9", "-repeat=0.5", "-model=renewal")
	}
	if args[0] == "fpr" {
		args = append(args, "-m=64", "-k=3", "-n=5")
	}
	if args[0] == "size" {
		args = append(args, "-m=64", "-fpr=1e-3")
	}
	if args[0] == "efficiency" {
		args = append(args, "-m=64", "-k=3", "-n=5")
	}
	for range int(next()) % 8 {
		switch choice := next(); {
		case choice < 8:
			args = append(args, piece())
		case choice < 16:
			args = append(args, "-"+piece())
		case choice < 24: // any bytes as a value, of flags that no value makes slow
			args = append(args, "--"+pick([]string{"hashing", "route", "phases", "freeze", "positions", "copy", "retain", "seed", "sigma", "warmup"})+"="+piece())
		default:
			name := pick(flags)
			arg := "-" + name
			if values[name] != nil {
				arg += "=" + pick(values[name])
			}
			args = append(args, arg)
		}
	}
	return args, data
}

// tame reports whether a command line that free pieces changed still asks for little, and
// neither for a file nor for a program: they may have made a flag of any kind.
func tame(args []string) bool {
	most := uint64(4096)
	if args[0] != "replay" {
		most = 128
	}
	for _, a := range args {
		name, value, has := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch name {
		case "", "run": // what a program, or a check of all claims, would take
			return false
		case "m", "k", "n", "after", "digits", "trace", "fpr", "target", "fnr", "frontier", "bits", "balls", "i", "r", "cycles", "runs", "arrivals-total", "effort", "committees", "popularity", "arrivals":
			if name == "frontier" || strings.HasPrefix(value, "file:") && value != "file:testdata/none" {
				return false
			}
			if name == "effort" || name == "popularity" || name == "arrivals" || name == "committees" {
				continue
			}
			if !has || !strings.HasPrefix(a, "-"+name) || len(value) > 18 {
				return false
			}
			if n, err := parseNumber(value); err == nil && n > most && n != 10001 && n != 1<<64-1 {
				return false
			}
			if r, ok := parseDecimal(value); name == "fpr" && ok && r.Cmp(big.NewRat(1, 1e9)) < 0 { // takes many positions
				return false
			}
			if name == "trace" && value != "-" && value != "" && !strings.HasPrefix(value, "testdata") {
				return false
			}
		}
	}
	return true
}

// FuzzRun: for every command line, the program returns one of its statuses within a minute, writes
// one line to standard error if it refuses and nothing but warnings otherwise, and prints a JSON
// object under -json.
func FuzzRun(f *testing.F) {
	for _, s := range []string{
		"", "0", "\x00", "\x01\x00a\nb\na\n", "\x04\x01\xff\x11", "\x05\x01\x00\x03fpr", "\x00\x02\xff\x00\x05\xff\x01\x03", "\x00\x03\xff\x05\x01\xff\x06\x04\xff\x11",
		"\x01\x03\xff\x0a\x01\xff\x0b\xff\x11key\nkey\n\nother\n", "\x01\x02\xff\x0e\x01\xff\x0a\x01\x1f\x8bnot gzip", "\x00\x01\x00\x05-json", "\x01\x01\x10\x00\x09-5",
		"\x02\x00", "\x02\x02\xff\x17\x06\xff\x11", "\x02\x02\xff\x14\x01\xff\x15\x02",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		args, stdin := fuzzedArgs(data)
		if !tame(args) {
			return
		}
		defer time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("%q takes more than a minute", args)) }).Stop()
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), args, bytes.NewReader(stdin), &stdout, &stderr)
		what := fmt.Sprintf("%q: status %d, stdout %q, stderr %q", args, status, stdout.String(), stderr.String())
		switch {
		case status != statusOK && status != statusUsage && status != statusIO:
			t.Error(what)
		case status == statusOK && (strings.Count(stderr.String(), "\n") != strings.Count("\n"+stderr.String(), "\nwarning: ") || stdout.Len() == 0):
			t.Error(what)
		case status != statusOK && (strings.Count(stderr.String(), "\n") != 1 || !strings.HasPrefix(stderr.String(), "bloomproof")):
			t.Error(what)
		}
		text := strings.HasPrefix(stdout.String(), "bloomproof") // help
		if json := wantsJSON(args); json && !text {
			checkJSON(t, stdout.String())
		} else if !json && status != statusOK && stdout.Len() > 0 {
			t.Error(what)
		}
	})
}
