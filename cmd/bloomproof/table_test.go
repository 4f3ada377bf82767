package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestValuesOf(t *testing.T) {
	for _, c := range []struct {
		text string
		arg  string // of the flag
		want string
	}{
		{"1..4", "N", "1 2 3 4"},
		{"7..7", "N", "7"},
		{"0..10/4", "N", "0 3 5 8 10"},
		{"10..0/2", "N", "10 5 0"},
		{"0..2/8", "N", "0 1 2"},
		{"1..1000*10", "N", "1 10 100 1000"},
		{"1..9*1.5", "N", "1 2 3 5 8"},
		{"9..9*1.5", "N", "9"},
		{"9..9*0.5", "N", "9"},
		{"100..104*1.0001", "N", "100 101 102 103 104"},
		{"1Ki..4Ki*2", "N", "1024 2048 4096"},
		{"1KiB..4KiB*2", "BITS", "8192 16384 32768"},
		{"1,000..3,000/2", "N", "1000 2000 3000"},
		{"2^64-1..2^64-1", "N", "18446744073709551615"},
		{"1000..10*0.1", "N", "1000 100 10"},
		{"0.1..0.001*0.1", "P", "0.1 0.01 0.001"},
		{"0.1..0.4/3", "P", "0.1 0.2 0.3 0.4"},
		{"0.1..0.2/3", "P", "0.1 0.13333333333333333 0.16666666666666667 0.2"},
		{"1e-9..1e-8*10", "P", "1e-09 1e-08"},
	} {
		whole := (&value{arg: c.arg}).whole
		if c.arg == "P" {
			whole = nil
		}
		if got, ok := valuesOf(c.text, whole); !ok || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v, want %s", c.text, got, ok, c.want)
		}
	}
}

// The rows of a range are what the command prints for each of its values, as JSON and as CSV, and the
// table has what differs.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		args, flag, of string
		values         []string
		columns        string // of the table
	}{
		{"fpr -m 64 -k 4", "-n", "10..30/2", []string{"10", "20", "30"}, "n fpr"},
		{"size -n 100", "-fpr", "0.1..0.01*0.1", []string{"0.1", "0.01"}, "fpr m k k_last fpr efficiency heuristic.m heuristic.k heuristic.fpr"},
		{"recycle -m 1Ki", "-target", "0.1..0.2/1", []string{"0.1", "0.2"}, ""},
		{"replay -m 1Ki -k 3 -model lower -trace testdata/timed.txt", "-sigma", "2..6/2", []string{"2", "4", "6"}, ""},
	} {
		args := append(strings.Fields(c.args), c.flag, c.of)
		status, stdout, stderr := try(nil, append(args, "-json")...)
		if status != statusOK {
			t.Fatal(stderr)
		}
		rows := checkJSON(t, stdout)["rows"].([]any)
		_, text, _ := try(nil, append(args, "-csv")...)
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != len(c.values) || len(lines) != len(c.values)+1 || lines[0][0] != c.flag {
			t.Fatalf("%s: %v, %d rows, %d lines\n%s", args, err, len(rows), len(lines), text)
		}
		for i, value := range c.values {
			one := append(strings.Fields(c.args), c.flag, value)
			_, stdout, _ := try(nil, append(one, "-json")...)
			want := checkJSON(t, stdout)
			row := rows[i].(map[string]any)
			delete(want, "per_second")
			delete(row, "per_second")
			if fmt.Sprint(row) != fmt.Sprint(want) {
				t.Errorf("%s: row %d is\n%v, want\n%v", args, i, row, want)
			}
			_, text, _ := try(nil, append(one, "-csv")...)
			alone, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil || len(alone) != 2 || lines[i+1][0] != value {
				t.Fatalf("%s: %v\n%s", one, err, text)
			}
			for j, name := range alone[0] {
				at := slices.Index(lines[0][1:], name) + 1
				if got := lines[i+1][at]; name != "per_second" && (at == 0 || got != alone[1][j]) {
					t.Errorf("%s: %s is %s, want %s", args, name, got, alone[1][j])
				}
				if v, ok := deepAt(want, strings.Split(name, ".")); name != "per_second" && (!ok || v != nil && fmt.Sprint(v) != alone[1][j] || v == nil && alone[1][j] != "") {
					t.Errorf("%s: %s is %s, in JSON %v", one, name, alone[1][j], v)
				}
			}
		}
		_, table, _ := try(nil, args...)
		head, _, _ := strings.Cut(table, "\n")
		if got := strings.Join(strings.Fields(head), " "); c.columns != "" && got != c.columns || strings.Count(table, "\n") != len(c.values)+1 {
			t.Errorf("%s:\n%s", args, table)
		}
	}
}

func deepAt(v any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = object[name]; !ok {
			return nil, false
		}
	}
	return v, true
}
