package exact

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// TestReference compares with values that another program computed: the head of the
// file names it.
func TestReference(t *testing.T) {
	file, err := os.Open("testdata/fpr.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	half, _ := new(big.Rat).SetString("5e-60") // half a unit in the last digit, relative to 1.00...
	compared := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var hashing, rate string
		var g bloomproof.Geometry
		var n uint64
		if _, err := fmt.Sscan(line, &hashing, &g.M, &n, &g.K, &rate); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := g.Hashing.UnmarshalText([]byte(hashing)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want, ok := new(big.Rat).SetString(rate)
		if !ok {
			t.Fatalf("%q: no number", line)
		}
		e, _, err := FPR(g, n, PrecFor(80), Auto)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// The reference is rounded at its 60th digit, the enclosure is far narrower.
		lo, _ := e.Lo().Rat(nil)
		off := lo.Sub(lo, want)
		off.Quo(off, want)
		if off.Abs(off).Cmp(half) > 0 {
			t.Errorf("%v n=%d: %v, reference %s", g, n, e, rate)
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("only %d reference values", compared)
	}
}

// TestDistributionReference compares with distributions that another program computed committee by
// committee.
func TestDistributionReference(t *testing.T) {
	file, err := os.Open("testdata/distribution.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cut := new(big.Rat).SetFrac(integer.One, new(big.Int).Exp(big.NewInt(10), big.NewInt(39), nil))
	compared := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var kind, spec, number, value string
		var m, arg uint64
		if _, err := fmt.Sscan(line, &kind, &m, &spec, &number, &arg, &value); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		var departments [][]Committees
		for _, text := range strings.Split(spec, ",") {
			var d []Committees
			for _, group := range strings.Split(text, "+") {
				var c Committees
				if _, err := fmt.Sscanf(group, "%dx%d", &c.Size, &c.Count); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				d = append(d, c)
			}
			departments = append(departments, d)
		}
		make := Union
		if kind == "intersection" {
			make = Intersection
		}
		law, err := make(m, departments...)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want, ok := new(big.Rat).SetString(value)
		if !ok {
			t.Fatalf("%q: no number", line)
		}
		prec := PrecFor(60)
		var e Enclosure
		switch number {
		case "mean":
			e, err = law.Mean(prec)
		case "variance":
			e, err = law.Variance(prec)
		case "moment":
			e, err = law.Moment(int(arg), prec, Auto)
		case "binomial":
			e, err = law.BinomialMoment(int(arg), prec, Auto)
		case "pmf":
			e, err = law.PMF(arg, prec, Auto)
		default:
			t.Fatalf("%q: no such number", line)
		}
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// The reference is cut after its 40th digit, the enclosure is far narrower.
		lo, _ := e.Lo().Rat(nil)
		hi, _ := e.Hi().Rat(nil)
		most := new(big.Rat).Mul(want, new(big.Rat).Add(big.NewRat(1, 1), cut))
		if hi.Cmp(want) < 0 || lo.Cmp(most) > 0 {
			t.Errorf("%q: %v", line, e)
		}
		compared++
	}
	if compared < 90 {
		t.Errorf("only %d reference values", compared)
	}
}
