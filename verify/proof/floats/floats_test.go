package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

const root = "../../.."

// The tables of package fm are those that this command computes.
func TestTables(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(root, "approx/internal/fm/tables.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, tables()) {
		t.Error("approx/internal/fm/tables.go is not what the command prints with -tables")
	}
}

// text returns the files of package fm.
func text(t *testing.T) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(root, "approx/internal/fm", name))
		if err != nil {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: b}
	}
	return m
}

func proved(t *testing.T, dir fstest.MapFS, stride int, parts ...func(*prover) []result) ([]result, error) {
	t.Helper()
	s, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return (&prover{s, stride}).prove(parts...)
}

// A sample of the pieces keeps the bounds of the comments. A long run proves all pieces, and finds the lines of
// certificate.txt.
func TestCertificate(t *testing.T) {
	if longtest.Enabled() {
		got, err := certificate(root)
		want, _ := os.ReadFile("certificate.txt")
		if err != nil || got != string(want) {
			t.Errorf("%v\n%s\ncertificate.txt has\n%s", err, got, want)
		}
		return
	}
	results, err := proved(t, text(t), longtest.Of(997, 101, 1), all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Log(r)
		if !(r.bound <= r.stated) || r.bound < 0.9 || r.pieces == 0 {
			t.Error(r)
		}
	}
}

// A fault of the text is refused, or the bound that is proven is above the stated one.
func TestFaults(t *testing.T) {
	parts := map[string]func(*prover) []result{
		"Exp": (*prover).exponential, "Expm1": (*prover).expm1, "Log": (*prover).logarithms, "Sin": (*prover).angles, "Atan": (*prover).tangents, "Differences": (*prover).differences,
	}
	for i, f := range []struct{ part, file, right, wrong string }{
		{"Exp", "exp.go", "float64(z*(1.0/720))", "z*(1.0/720)"}, // may be fused
		{"Exp", "exp.go", "1.0/24+float64(r*(1.0/120))", "1.0/24+float64(r*(1.0/121))"},
		{"Exp", "exp.go", "float64((p.hi+p.lo)*(r+expTail(r)))", "float64(p.hi*(r+expTail(r)))"},
		{"Exp", "exp.go", "rh := x - float64(j*partHi)", "rh := x - float64(j*partLo)"},
		{"Expm1", "exp.go", "low-rl", "low+rl"},
		{"Expm1", "exp.go", "w.Lo + (v.Lo + float64(s*rest))", "v.Lo + float64(s*rest)"},
		{"Expm1", "exp.go", "seriesExpm1 = 0x1p-4", "seriesExpm1 = 0x1p-2"},
		{"Log", "log.go", "-1.0/8+float64(r*(1.0/9))", "-1.0/8+float64(r*(1.0/8))"},
		{"Log", "log.go", "(zl + cz)", "(zl - cz)"},
		{"Log", "log.go", "within 1.02u for x > 0", "within 1.01u for x > 0"},
		{"Log", "log.go", "seriesLog = 0x1p-7", "seriesLog = 0x1p-6"},
		{"Sin", "angle.go", "-1.0/1307674368000", "1.0/1307674368000"},
		{"Sin", "angle.go", "(fourth - float64(r*rl))", "fourth"},
		{"Atan", "angle.go", "p.lo+(t", "p.hi+(t"},
		{"Differences", "elementary.go", "cubic(1.0/24, 1.0/720, ", "cubic(1.0/24, 1.0/721, "},
		{"Differences", "elementary.go", "1.0/9, 1.0/11, z, y)", "1.0/9, 1.0/11, y, z)"},
		{"Differences", "elementary.go", "s * (float64(float64(2*z)*sum) - x)", "s * (float64(float64(2*z)*sum) + x)"},
		{"Differences", "elementary.go", "s := x / (2 + x)", "s := x / (2 - x)"},
		{"Differences", "elementary.go", "1.0/6 - float64(z*", "1.0/6 + float64(z*"},
		{"Differences", "elementary.go", "return x - sin", "return x + sin"},
		{"Differences", "elementary.go", "sin x within 4.6u", "sin x within 3.6u"},
		{"Differences", "elementary.go", "within 9.3u for 1 <", "within 8.3u for 1 <"},
		{"Sin", "angle.go", "at most u|x|/128", "at most u|x|/512"},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		dir := text(t)
		was := string(dir[f.file].Data)
		if strings.Count(was, f.right) == 0 {
			t.Errorf("%s has no %q", f.file, f.right)
			continue
		}
		dir[f.file].Data = []byte(strings.Replace(was, f.right, f.wrong, 1))
		all, err := proved(t, dir, 997, parts[f.part])
		found := err != nil
		for _, r := range all {
			found = found || !(r.bound <= r.stated)
		}
		if !found {
			t.Errorf("%s: %q in place of %q is not found", f.file, f.wrong, f.right)
		}
	}
}

// Around the Poisson distribution with mean k, which is the limit of small k/R and R/(R+base), the
// bound holds what the Bessel function gives: e^-k I_0(k)/(e^-k k^k/k!).
func TestCircleOfPoisson(t *testing.T) {
	for k, want := range map[int]float64{1: 1.266065877752008, 2: 1.1397926511, 4: 1.0595551830} {
		small := span{0, 1e-6}
		p := polesOf(k, k, small)
		z, _ := zerosOf(k, k, small, small)
		got := circle{poles: p, zeros: z, mean: meanOf(k, k, p)}.ratio()
		if !(got >= want && got <= 1.2*want) {
			t.Errorf("k = %d: a bound of %v, the ratio is %v", k, got, want)
		}
	}
}

// Ranges of the exponential function and of the logarithm hold what package math returns, and are
// narrow.
func TestRanges(t *testing.T) {
	for z := 1e-9; z < 500; z *= 1.1 {
		if r := expNeg(z); !(r.lo <= math.Exp(-z) && math.Exp(-z) <= r.hi && r.hi <= r.lo*(1+1e-7)) {
			t.Errorf("e^-%v: %v", z, r)
		}
		if r := log1p(z); !(r.lo <= math.Log1p(z) && math.Log1p(z) <= r.hi && r.hi <= r.lo*(1+1e-4)) {
			t.Errorf("ln(1+%v): %v", z, r)
		}
	}
}
