package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// rangeFlags are the flags that take a range of values. With a range the result is a table.
var rangeFlags = []string{"m", "k", "n", "sigma", "fpr", "target"}

var csvFlag = flagSpec{"csv", "", "print comma-separated values: a row for each value of a range (bloomproof help numbers)"}

// mostRows is the largest number of rows of a table.
const mostRows = 10_000

// allFlags returns the flags of a command, including the flags that many commands share.
func (c command) allFlags() []flagSpec {
	all := slices.Clone(c.flags)
	if slices.ContainsFunc(all, func(f flagSpec) bool { return slices.Contains(rangeFlags, f.name) }) {
		all = append(all, csvFlag)
	}
	return append(all, jsonFlag)
}

// The value of one flag may be a range. The method "ranged" returns the name of this flag, and the values of the range.
// The result "name" is "" if no flag has a range.
func (in *inputs) ranged() (name string, values []string) {
	for _, flag := range rangeFlags {
		v := in.values[flag]
		if v == nil || !strings.Contains(v.text, "..") {
			continue
		}
		if name != "" {
			in.fail(&usageError{flag, "must be one value when -" + name + " is a range"})
			return name, nil
		}
		name = flag
		var ok bool
		whole := v.whole
		if flag == "fpr" || flag == "target" {
			whole = nil
		}
		if values, ok = valuesOf(v.text, whole); !ok {
			in.fail(&bloomproof.ParamError{Param: flag, Value: v.text,
				Want: fmt.Sprintf("a value, or a range of at most %d values such as 10..20, 1e6..2e6/10 or 1e3..1e6*10; of rates with / or *", mostRows)})
			return name, nil
		}
	}
	if name == "" {
		return "", nil
	}
	if v := in.values[reportFlag.name]; v != nil && v.set {
		in.fail(&usageError{reportFlag.name, "must be absent when -" + name + " is a range"})
	}
	if v := in.values["trace"]; v != nil && v.text == "-" {
		in.fail(&usageError{name, "must be one value for a trace from standard input, which is read once"})
	}
	return name, values
}

// valuesOf returns the values of a range of rates or of whole numbers. A range has one of three forms.
//
//	A..B        A, A+1, ... B
//	A..B/STEPS  STEPS+1 values from A to B, with equal distances
//	A..B*F      A, AF, AFF, ... up to B.
//
// The function "whole" parses a whole number. For rates, the argument "whole" is nil. If the values must be whole, each
// is rounded to the nearest whole number, and duplicates are left out.
func valuesOf(text string, whole func(string) (uint64, error)) (values []string, ok bool) {
	rates := whole == nil
	first, rest, _ := strings.Cut(text, "..")
	last, steps, even := strings.Cut(rest, "/")
	last, factor, growing := strings.Cut(last, "*")
	read := func(s string) (*big.Rat, bool) {
		if !rates {
			n, err := whole(s)
			return new(big.Rat).SetInt(new(big.Int).SetUint64(n)), err == nil
		}
		return parseDecimal(s)
	}
	a, ok1 := read(first)
	b, ok2 := read(last)
	if !ok1 || !ok2 || even && growing {
		return nil, false
	}
	var all []string
	switch {
	case growing:
		f, ok := parseDecimal(factor)
		one := big.NewRat(1, 1)
		if !ok || f.Sign() == 0 || a.Sign() == 0 || f.Cmp(one) == 0 || f.Cmp(one) != b.Cmp(a) && b.Cmp(a) != 0 {
			return nil, false
		}
		// If the factor is close to 1, the list of values is too long. Such a factor is refused here, before its powers
		// get many digits.
		ratio, _ := new(big.Rat).Quo(b, a).Float64()
		growth, _ := f.Float64()
		if all := math.Abs(math.Log(ratio)); !math.IsInf(all, 0) && all > 2*mostRows*math.Abs(math.Log(growth)) {
			return nil, false
		}
		up := f.Cmp(one) > 0
		for num, den := new(big.Int).Set(a.Num()), new(big.Int).Set(a.Denom()); len(all) <= mostRows; {
			// The code compares num/den with b by cross multiplication. Reduced fractions would need a common divisor
			// at each step.
			order := new(big.Int).Mul(num, b.Denom()).Cmp(new(big.Int).Mul(b.Num(), den))
			if up && order > 0 || !up && order < 0 {
				break
			}
			all = append(all, written(num, den, rates))
			num.Mul(num, f.Num())
			den.Mul(den, f.Denom())
		}
	case even:
		n, err := parseNumber(steps)
		if err != nil || n < 1 || n >= mostRows {
			return nil, false
		}
		width := new(big.Rat).Sub(b, a)
		for i := range n + 1 {
			x := new(big.Rat).SetFrac(new(big.Int).SetUint64(i), new(big.Int).SetUint64(n))
			x.Add(x.Mul(x, width), a)
			all = append(all, written(x.Num(), x.Denom(), rates))
		}
	case rates || b.Cmp(a) < 0 || new(big.Rat).Sub(b, a).Cmp(big.NewRat(mostRows, 1)) >= 0:
		return nil, false
	default:
		for x := new(big.Int).Set(a.Num()); x.Cmp(b.Num()) <= 0; x.Add(x, big.NewInt(1)) {
			all = append(all, x.String())
		}
	}
	if len(all) > mostRows {
		return nil, false
	}
	for _, s := range all {
		if len(values) == 0 || values[len(values)-1] != s {
			values = append(values, s)
		}
	}
	return values, true
}

// The function "written" returns num/den as text. A rate is written as a decimal, and any other number is rounded to
// the nearest whole number.
func written(num, den *big.Int, rate bool) string {
	if rate {
		x := new(big.Float).SetPrec(256).SetInt(num)
		return x.Quo(x, new(big.Float).SetPrec(256).SetInt(den)).Text('g', defaultDigits)
	}
	half := new(big.Int).Add(num, new(big.Int).Rsh(den, 1))
	return half.Quo(half, den).String()
}

// inBytes wraps a report. Some values may have been given in bytes. They are first printed as numbers of bits. The
// report follows.
type inBytes struct {
	*inputs
	report
}

func (r inBytes) print(w io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		v := r.values[name]
		if n, err := v.whole(v.text); v.arg == "BITS" && strings.HasSuffix(v.text, "B") && err == nil {
			fmt.Fprintf(w, "-%s\t%s = %d bits\n", name, v.text, n)
		}
	}
	r.report.print(w)
}

// tableReport has a row for each value of a flag.
type tableReport struct {
	Rows []report `json:"rows"`

	flag   string // "" if there is no range, and so only one row
	values []string
}

// runTable runs the command for each value of the flag.
func (cmd command) runTable(c call, flag string, values []string) (report, error) {
	t := tableReport{flag: flag, values: values}
	for _, text := range values {
		row := c
		row.inputs = &inputs{values: map[string]*value{}}
		for name, v := range c.values {
			row.values[name] = v
		}
		row.values[flag] = &value{text: text, set: true}
		r, err := cmd.run(&row)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, r)
	}
	return t, nil
}

// The type "cells" holds a row of the table. It has the name and the text of each column, in order.
type cells struct {
	names []string
	texts map[string]string
}

// cellsOf returns the numbers, words and booleans of a report by their JSON paths. It leaves out lists.
func cellsOf(r report) (cells, error) {
	var b bytes.Buffer
	if err := writeJSON(&b, r); err != nil {
		return cells{}, err
	}
	all := cells{texts: map[string]string{}}
	d := json.NewDecoder(&b)
	d.UseNumber()
	_, err := d.Token() // the object begins
	if err == nil {
		err = all.read(d, "")
	}
	return all, err
}

func (c *cells) read(d *json.Decoder, path string) error {
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		at := path + fmt.Sprint(name)
		v, err := d.Token()
		switch v {
		case json.Delim('{'):
			err = c.read(d, at+".")
		case json.Delim('['):
			for depth := 1; depth > 0 && err == nil; {
				v, err = d.Token()
				switch v {
				case json.Delim('['), json.Delim('{'):
					depth++
				case json.Delim(']'), json.Delim('}'):
					depth--
				}
			}
		case nil:
			c.add(at, "")
		default:
			c.add(at, fmt.Sprint(v))
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token() // the object ends
	return err
}

func (c *cells) add(name, text string) {
	c.names = append(c.names, name)
	c.texts[name] = text
}

// The method "columns" returns the rows and the names of all their columns.
func (t tableReport) columns() (rows []cells, names []string, err error) {
	for _, r := range t.Rows {
		row, err := cellsOf(r)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
		for i, name := range row.names {
			if !slices.Contains(names, name) {
				names = slices.Insert(names, min(i, len(names)), name)
			}
		}
	}
	return rows, names, nil
}

// writeCSV writes all columns. If the value of a flag is a range, the first column has its values.
func (t tableReport) writeCSV(w io.Writer) error {
	rows, names, err := t.columns()
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	line := func(first string, cell func(name string) string) {
		var all []string
		if t.flag != "" {
			all = append(all, first)
		}
		for _, name := range names {
			all = append(all, cell(name))
		}
		_ = out.Write(all) // writes to memory cannot fail
	}
	line("-"+t.flag, func(name string) string { return name })
	for i, row := range rows {
		first := ""
		if t.flag != "" {
			first = t.values[i]
		}
		line(first, func(name string) string { return row.texts[name] })
	}
	out.Flush()
	return out.Error()
}

// The method "print" prints the columns whose values differ between rows. It leaves out the ends of intervals, and
// fields that are nested more than one object deep.
func (t tableReport) print(w io.Writer) {
	rows, names, err := t.columns()
	if err != nil {
		return // impossible, because the JSON is our own
	}
	short := func(name string) string { return strings.TrimSuffix(strings.TrimSuffix(name, ".mid"), ".mean") }
	names = slices.DeleteFunc(names, func(name string) bool {
		last := name[strings.LastIndexByte(name, '.')+1:]
		return name == t.flag || strings.Count(short(name), ".") > 1 || slices.Contains([]string{"lo", "hi", "low", "high", "rational", "per_second"}, last) ||
			!slices.ContainsFunc(rows, func(row cells) bool { return row.texts[name] != rows[0].texts[name] })
	})
	fmt.Fprint(w, t.flag)
	for _, name := range names {
		fmt.Fprintf(w, "\t%s", short(name))
	}
	for i, row := range rows {
		fmt.Fprintf(w, "\n%s", t.values[i])
		for _, name := range names {
			text := row.texts[name]
			x, err := strconv.ParseFloat(text, 64)
			switch {
			case text == "":
				text = "-"
			case err == nil && strings.Contains(text, ".") && !strings.HasSuffix(name, ".mid"):
				text = strconv.FormatFloat(x, 'g', 6, 64)
			}
			fmt.Fprintf(w, "\t%s", text)
		}
	}
	fmt.Fprintln(w)
}
