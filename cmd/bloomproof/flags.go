package main

import (
	"encoding"
	"flag"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// flagSpec declares a flag.
type flagSpec struct {
	name string
	arg  string // the name of its value in the help text; "" for a boolean
	doc  string
}

var jsonFlag = flagSpec{"json", "", "print one JSON object and nothing else"}

// Several commands have these flags.
var (
	mFlag       = flagSpec{"m", "BITS", "bits, 1 to 2^64-1"}
	kFlag       = flagSpec{"k", "K", "positions per item, 1 to 4096"}
	hashingFlag = flagSpec{"hashing", "standard|classic|partitioned", "k independent positions (standard, the default); k distinct ones (classic);\none in each of k slices of m/k bits (partitioned)"}
	ratesFlag   = flagSpec{"hashing", hashingFlag.arg + "|double|double-zero|double-odd|double-partitioned|enhanced-double|triple",
		hashingFlag.doc + ";\na start and a step, from 1 to m-1 (double), from 0 (double-zero), odd with m\na power of two (double-odd), in slices of m/k bits (double-partitioned),\nwith a step from 0 to m-1 that grows by 1, 2, ... (enhanced-double) or by a third\nnumber (triple)"}
	blockFlag  = flagSpec{"block", "BITS", "bits of a block, a divisor of m: an item has its k positions in one block\n(default 0: no blocks)"}
	digitsFlag = flagSpec{"digits", "D", fmt.Sprintf("significant digits, 1 to %d (default %d)", maxDigits, defaultDigits)}
)

const (
	defaultDigits = 17
	maxDigits     = 10000
)

// A value of the type "inputs" has the flags of one call. Each getter reads one flag. The first getter that fails sets
// err, and the command checks err once.
type inputs struct {
	values map[string]*value
	err    error
}

// The type "value" keeps the value of a flag as text, so that an error message can name the flag and its limits.
type value struct {
	text      string
	arg       string // the arg of its flagSpec
	set, bool bool
}

// The method "whole" parses s as a whole number in the unit of the flag.
func (v *value) whole(s string) (uint64, error) {
	switch v.arg {
	case "BITS":
		return parseBits(s)
	case "BYTES":
		return parseBytes(s)
	}
	return parseNumber(s)
}

func (v *value) String() string   { return v.text }
func (v *value) IsBoolFlag() bool { return v.bool }
func (v *value) Set(s string) error {
	v.text, v.set = s, true
	return nil
}

// The function "parse" parses args. The argument "specs" is the list of the permitted flags. The error is flag.ErrHelp
// for -h.
func parse(specs []flagSpec, args []string) (*inputs, error) {
	in := &inputs{values: map[string]*value{}}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	for _, s := range specs {
		v := &value{arg: s.arg, bool: s.arg == ""}
		in.values[s.name] = v
		set.Var(v, s.name, s.doc)
		if s.name == "fpr" {
			set.Var(v, "p", s.doc) // textbooks call the rate p
		}
	}
	if err := set.Parse(args); err != nil {
		return nil, flagError(err, specs)
	}
	if set.NArg() > 0 {
		return nil, unexpected(set.Arg(0))
	}
	return in, nil
}

// flagError converts an error of package flag into a usageError.
func flagError(err error, specs []flagSpec) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		var known []string
		for _, s := range specs {
			known = append(known, s.name)
		}
		return &usageError{short(name), fmt.Sprintf("is no flag of this command; the nearest is -%s (-h lists them)", nearest(short(name), known))}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return &usageError{short(name), "needs a value"}
	}
	if arg, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return unexpected(arg)
	}
	return err // flag.ErrHelp
}

func short(name string) string {
	const most = 64
	if len(name) > most {
		return name[:most] + "..."
	}
	return name
}

// wantsJSON reports whether args ask for JSON. It also works for args that cannot be parsed.
func wantsJSON(args []string) bool {
	json := false
	for _, a := range args {
		name, text, hasText := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-"), "=")
		if name != "json" || !strings.HasPrefix(a, "-") {
			continue
		}
		b, err := strconv.ParseBool(text)
		json = !hasText || err != nil || b
	}
	return json
}

// The method "has" reports whether the flag with this name was given.
func (in *inputs) has(name string) bool { return in.values[name].set }

func (in *inputs) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

// The method "need" checks that all flags in the list "names" were given. If a flag is missing, it sets an error about
// the first missing one.
func (in *inputs) need(names ...string) {
	for _, name := range names {
		if !in.has(name) {
			in.fail(missing(name))
		}
	}
}

// The method "number" returns the value of a flag, which must be a whole number from lo to hi. It returns def if the
// flag was not given.
func (in *inputs) number(name string, lo, hi, def uint64) uint64 {
	if !in.has(name) {
		return def
	}
	text := in.values[name].text
	limits := fmt.Sprintf("between %s and %s", limit(lo), limit(hi))
	n, err := in.values[name].whole(text)
	switch {
	case err != nil:
		example := "64Ki"
		if in.values[name].arg == "BITS" {
			example = "8KiB"
		}
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "a whole number " + limits + " such as 1000, 2^10, 1e9 or " + example})
		return def
	case n < lo || n > hi:
		in.fail(&bloomproof.ParamError{Param: name, Value: n, Want: limits})
		return def
	}
	return n
}

// The method "digits" returns the value of -digits.
func (in *inputs) digits() int { return int(in.number("digits", 1, maxDigits, defaultDigits)) }

// The method "block" returns the value of -block.
func (in *inputs) block() uint64 { return in.number(blockFlag.name, 0, 1<<64-1, 0) }

// The function "limit" returns n as text in the form that a person would write.
func limit(n uint64) string {
	switch {
	case n == 1<<64-1:
		return "2^64-1"
	case n == 1<<48:
		return "2^48"
	}
	return strconv.FormatUint(n, 10)
}

// The method "fraction" returns the value of a flag as an exact number and as text. The value must be a decimal in [0,
// 1). It returns 0 if the flag was not given.
func (in *inputs) fraction(name string) (*big.Rat, string) {
	if !in.has(name) {
		return new(big.Rat), "0"
	}
	text := in.values[name].text
	r, ok := parseDecimal(text)
	if !ok || r.Cmp(big.NewRat(1, 1)) >= 0 {
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "a decimal of at least 0 and below 1 such as 0.25 or 1e-3, its exponent of at most four digits"})
		return new(big.Rat), "0"
	}
	return r, text
}

func (in *inputs) boolean(name string, def bool) bool {
	v := in.values[name]
	if !v.set {
		return def
	}
	b, err := strconv.ParseBool(v.text)
	if err != nil {
		in.fail(&bloomproof.ParamError{Param: name, Value: v.text, Want: "true or false"})
		return def
	}
	return b
}

// The method "enum" parses the value of a flag into dst. This value is a name. If the flag was not given, dst is
// unchanged.
func (in *inputs) enum(name string, dst encoding.TextUnmarshaler) {
	if in.has(name) {
		if err := dst.UnmarshalText([]byte(in.values[name].text)); err != nil {
			in.fail(err)
		}
	}
}

func (in *inputs) text(name string) string { return in.values[name].text }

// The method "geometry" returns the geometry that the flags -m, -k and -hashing give. If the command has the flag
// -block, this flag gives the block size. The value of -m may be at most maxM.
func (in *inputs) geometry(maxM uint64) bloomproof.Geometry {
	in.need("m", "k")
	g := bloomproof.Geometry{
		M: in.number("m", 1, maxM, 1),
		K: int(in.number("k", 1, bloomproof.MaxK, 1)),
	}
	in.enum("hashing", &g.Hashing)
	if _, ok := in.values[blockFlag.name]; ok {
		g.Block = in.block()
	}
	if err := g.Validate(); err != nil {
		in.fail(err)
	}
	return g
}
