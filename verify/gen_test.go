package verify_test

import (
	"bytes"
	"encoding"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math"
	"math/bits"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// generated names a generator, the check of its values, and the smallest value, at
// which shrinking must end when every value fails.
type generated struct {
	name  string
	gen   gopter.Gen
	valid func(any) error
	least any
}

func valid[T interface{ Validate() error }](v any) error { return v.(T).Validate() }

// named refuses a value of an enumeration that has no name.
func named[T encoding.TextMarshaler](v any) error {
	_, err := v.(T).MarshalText()
	return err
}

// upTo refuses a value of an enumeration beyond its last.
func upTo[T ~uint8 | ~string](last T) func(any) error {
	return func(v any) error {
		if v.(T) > last {
			return fmt.Errorf("%v is above %v", v, last)
		}
		return nil
	}
}

func generators() []generated {
	std := bloomproof.Geometry{M: 1, K: 1}
	g := bloomproof.Geometry{M: 1000, K: 7}
	rule := func(g bloomproof.Geometry) func(any) error {
		return func(v any) error { return v.(bloomproof.Recycling).Validate(g) }
	}
	within := func(v any) error {
		g := v.(bloomproof.Geometry)
		if g.M > 5000 || g.K > 10 || g.Hashing == bloomproof.Standard {
			return fmt.Errorf("%v is outside the limits", g)
		}
		return g.Validate()
	}
	return []generated{
		{"size", verify.GenSize(3, 1<<40), func(v any) error {
			if n := v.(uint64); n < 3 || n > 1<<40 {
				return fmt.Errorf("%d is outside [3, 2^40]", n)
			}
			return nil
		}, uint64(3)},
		{"layer", verify.GenLayer(0, 0), valid[bloomproof.Layer], bloomproof.Layer{Geometry: std, Sigma: 1}},
		{"hashing", verify.GenEnum[bloomproof.Hashing](), named[bloomproof.Hashing], bloomproof.Standard},
		{"bound", verify.GenEnum[bloomproof.Bound](), upTo(bloomproof.Bound("z")), bloomproof.BoundBloom},
		{"increment", verify.GenEnum[bloomproof.Increment](), upTo(bloomproof.Literal), bloomproof.Distinct},
		{"arrivals", verify.GenEnum[bloomproof.Arrivals](), upTo(bloomproof.ArrivalFirst), bloomproof.ArrivalPopularity},
		{"geometry", verify.GenGeometry(0, 0), valid[bloomproof.Geometry], std},
		{"geometry limited", verify.GenGeometry(5000, 10, bloomproof.Classic, bloomproof.Partitioned), within, bloomproof.Geometry{M: 1, K: 1, Hashing: bloomproof.Classic}},
		{"recycling", verify.GenRecycling(g), rule(g), bloomproof.Recycling{}},
		{"recycling m=k=1", verify.GenRecycling(std), rule(std), bloomproof.Recycling{}},
		{"recycling filter", verify.GenRecyclingCase(0, 0), func(v any) error { c := v.(verify.RecyclingCase); return c.Recycling.Validate(c.Geometry) },
			verify.RecyclingCase{Geometry: std}},
		{"popularity", verify.GenPopularity(0), func(v any) error { return bloomproof.Workload{Popularity: v.(bloomproof.Popularity)}.Validate() }, bloomproof.Uniform(1)},
		{"popularity of 5", verify.GenPopularity(5), func(v any) error { return bloomproof.Workload{Popularity: v.(bloomproof.Popularity)}.Validate() }, bloomproof.Uniform(1)},
		{"workload", verify.GenWorkload(1000), valid[bloomproof.Workload], bloomproof.Workload{Popularity: bloomproof.Uniform(1)}},
	}
}

func draws(full int) int {
	return longtest.More(full/10, full)
}

// Every value validates, and so does all that it may shrink to on the way to the
// least value, which a walk of the first candidates must reach.
func TestGeneratedAndShrunkValuesValidate(t *testing.T) {
	for _, row := range generators() {
		t.Run(row.name, func(t *testing.T) {
			p := gopter.DefaultGenParameters().CloneWithSeed(property.Parameters(t).Seed())
			for range draws(2000) {
				result := row.gen(p)
				value := result.Result
				if err := row.valid(value); err != nil {
					t.Fatalf("generated %v: %v", value, err)
				}
				steps := 0
				for {
					shrink := result.Shrinker(value)
					next, ok := shrink()
					if !ok {
						break
					}
					for c, more := next, true; more; c, more = shrink() {
						if err := row.valid(c); err != nil {
							t.Fatalf("shrunk %v to %v: %v", value, c, err)
						}
					}
					value = next
					if steps++; steps > 500 {
						t.Fatalf("%v shrinks without end", result.Result)
					}
				}
				if !reflect.DeepEqual(value, row.least) {
					t.Fatalf("%v shrinks to %v, want %v", result.Result, value, row.least)
				}
			}
		})
	}
}

// One seed, one sequence of values.
func TestGeneratorsRepeat(t *testing.T) {
	for _, row := range generators() {
		a, b := gopter.DefaultGenParameters().CloneWithSeed(7), gopter.DefaultGenParameters().CloneWithSeed(7)
		for range 200 {
			if x, y := row.gen(a).Result, row.gen(b).Result; !reflect.DeepEqual(x, y) {
				t.Fatalf("%s: %v and %v from one seed", row.name, x, y)
			}
		}
	}
}

// Every value of every enumeration comes within 100 draws.
func TestEveryValueIsHit(t *testing.T) {
	p := gopter.DefaultGenParameters().CloneWithSeed(property.Parameters(t).Seed())
	found := 0
	for _, row := range generators() {
		typ := reflect.TypeOf(row.least)
		if typ.Kind() != reflect.Uint8 {
			continue
		}
		found++
		met := map[any]bool{}
		for range 100 {
			met[row.gen(p).Result] = true
		}
		for v := uint64(0); ; v++ {
			value := reflect.New(typ).Elem()
			value.SetUint(v)
			if row.valid(value.Interface()) != nil {
				break
			}
			if h, ok := value.Interface().(bloomproof.Hashing); ok && !slices.Contains(verify.AllHashings(), h) {
				continue // no filter of package kernel has it
			}
			if !met[value.Interface()] {
				t.Errorf("%s: %v does not come in 100 draws", row.name, value)
			}
		}
	}
	if found != 3 {
		t.Errorf("%d enumerations", found)
	}
}

// Every exported type of the vocabulary has a generator here, but the error.
func TestEveryTypeIsGenerated(t *testing.T) {
	types := map[string]bool{}
	for _, row := range generators() {
		types[reflect.TypeOf(row.least).Name()] = true
	}
	list, err := build.ImportDir("..", 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range list.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				name := spec.(*ast.TypeSpec).Name.Name
				if seen++; ast.IsExported(name) && !types[name] && name != "ParamError" {
					t.Errorf("no generator of bloomproof.%s", name)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("the vocabulary has %d types", seen)
	}
}

// classes counts the size classes that values fall in.
type classes map[string]int

func (c classes) size(name string, v uint64) {
	c[fmt.Sprintf("%s: %d bits", name, bits.Len64(v))]++
	for d := -1; d <= 1; d++ {
		w := v - uint64(d)
		if w >= 64 && w&(w-1) == 0 {
			c[fmt.Sprintf("%s: power of two%+d", name, d)]++
		} else if w > 64 && w%64 == 0 {
			c[fmt.Sprintf("%s: multiple of 64%+d", name, d)]++
		}
	}
}

func TestEverySizeClassIsHit(t *testing.T) {
	p := gopter.DefaultGenParameters().CloneWithSeed(property.Parameters(t).Seed())
	got, want := classes{}, []string{}
	near := func(name string) {
		for d := -1; d <= 1; d++ {
			want = append(want, fmt.Sprintf("%s: power of two%+d", name, d), fmt.Sprintf("%s: multiple of 64%+d", name, d))
		}
	}
	exponents := func(name string, first, last int) {
		for e := first; e <= last; e++ {
			want = append(want, fmt.Sprintf("%s: %d bits", name, e))
		}
	}
	yes := func(name string, hit bool) {
		if hit {
			got[name]++
		}
	}
	for range 5000 {
		got.size("size", verify.GenSize(0, 1<<64-1)(p).Result.(uint64))

		g := verify.GenGeometry(0, 0)(p).Result.(bloomproof.Geometry)
		got.size("m", g.M)
		got.size("k", uint64(g.K))
		k, h := uint64(g.K), g.Hashing
		yes(h.String(), true)
		yes("m 1", g.M == 1)
		yes("m 2^64-1", g.M == 1<<64-1)
		yes("k 1", k == 1)
		yes("k 4096", g.K == bloomproof.MaxK)
		n := verify.GenSize(1000, 1000003)(p).Result.(uint64)
		yes("size 1000", n == 1000)
		yes("size 1000003", n == 1000003)
		small := verify.GenGeometry(5000, 11)(p).Result.(bloomproof.Geometry)
		yes("m 5000", small.M == 5000)
		yes("k 11", small.K == 11)
		yes("k above m", k > g.M)
		yes("k divides m, not partitioned", h != bloomproof.Partitioned && k > 1 && g.M%k == 0)
		yes("one less than a multiple of k", k > 2 && g.M%k == k-1)
		yes("classic k = m", h == bloomproof.Classic && k == g.M && k > 1)
		yes("classic k = m-1", h == bloomproof.Classic && k+1 == g.M && k > 1)
		yes("partitioned slices of one bit", h == bloomproof.Partitioned && k == g.M && k > 1)

		f := verify.GenRecyclingCase(1<<20, 0)(p).Result.(verify.RecyclingCase)
		c, m, k := f.Recycling, f.Geometry.M, uint64(f.Geometry.K)
		bit := c.Messages == 0
		yes(fmt.Sprintf("bits %t retain %t two phases %t copy %t freeze before %t fresh positions %t", bit, c.Retain, c.TwoPhase, !c.NoCopyOver, c.FreezeBefore, c.FreshPositions), true)
		yes("sigma 0", bit && c.Sigma == 0 && m > 1)
		yes("sigma m-1", bit && c.Sigma == m-1 && m > 1)
		yes("sigma k when retaining", bit && c.Retain && c.Sigma == k)
		yes("sigma k-1", bit && k > 1 && c.Sigma == k-1)
		yes("sigma 2k", bit && c.Sigma == 2*k)
		yes("messages 2^64-1", c.Messages == 1<<64-1)
		yes("messages 1", c.Messages == 1)
		yes("messages 2 when retaining", c.Retain && c.Messages == 2)

		w := verify.GenWorkload(0)(p).Result.(bloomproof.Workload)
		got.size("D", w.Popularity.D)
		popularity, _, _ := strings.Cut(w.Popularity.String(), ":")
		yes("popularity "+popularity, true)
		arrivals := w.Arrivals.String()
		if w.ArrivalWeights != nil {
			arrivals = "list"
		}
		yes("arrivals "+arrivals, true)
		q := w.Popularity
		yes("D 1", q.D == 1)
		yes("D 2^40", q.D == 1<<40)
		yes("S 1", q.S == 1 && q.D > 2)
		yes("S D-1", q.S+1 == q.D && q.D > 2)
		yes("PH 1/D", q.S > 0 && q.PH == 1/float64(q.D))
		yes("PH 1/S", q.S > 0 && q.PH == 1/float64(q.S))
		yes("one weight", len(q.Weights) == 1)
		yes("alpha largest", q.Alpha == math.MaxFloat64)
		yes("alpha smallest", q.Alpha == math.SmallestNonzeroFloat64)
		yes("alpha 0", w.Popularity.Weights == nil && w.Popularity.S == 0 && w.Popularity.Alpha == 0)
		yes("last weight underflows", w.Popularity.Alpha > 0 && w.Popularity.Weight(w.Popularity.D-1) == 0)
		yes("last weight of a list is 0", w.Popularity.Weights != nil && w.Popularity.Weight(w.Popularity.D-1) == 0)
		yes("repeat 0", w.Repeat == 0)
		yes("repeat 1", w.Repeat == 1)
		yes("repeat near 1", w.Repeat > 0.9999 && w.Repeat < 1)
		yes("repeat between", w.Repeat > 0.2 && w.Repeat < 0.8)
	}
	near("size")
	near("m")
	near("D")
	exponents("size", 0, 64)
	exponents("m", 1, 64)
	exponents("k", 1, 13)
	exponents("D", 1, 41)
	want = append(want, "standard", "classic", "partitioned", "k above m", "k divides m, not partitioned",
		"one less than a multiple of k", "classic k = m", "classic k = m-1", "partitioned slices of one bit",
		"m 1", "m 2^64-1", "k 1", "k 4096", "size 1000", "size 1000003", "m 5000", "k 11", "messages 2^64-1",
		"D 1", "D 2^40", "S 1", "S D-1", "PH 1/D", "PH 1/S", "one weight", "alpha largest", "alpha smallest",
		"sigma 0", "sigma m-1", "sigma k when retaining", "sigma k-1", "sigma 2k", "messages 1", "messages 2 when retaining",
		"popularity list", "popularity uniform", "popularity zipf", "popularity biuniform",
		"arrivals popularity", "arrivals uniform", "arrivals last", "arrivals first", "arrivals list",
		"alpha 0", "last weight underflows", "last weight of a list is 0", "repeat 0", "repeat 1", "repeat near 1", "repeat between")
	for _, bits := range []string{"true", "false"} {
		for _, retain := range []string{"false", "true"} {
			for _, fresh := range []string{"false", "true"} {
				head, tail := "bits "+bits+" retain "+retain, " fresh positions "+fresh
				want = append(want, head+" two phases false copy true freeze before false"+tail)
				for _, copyOver := range []string{"true", "false"} {
					for _, before := range []string{"false", "true"} {
						want = append(want, head+" two phases true copy "+copyOver+" freeze before "+before+tail)
					}
				}
			}
		}
	}
	for _, name := range want {
		if got[name] == 0 {
			t.Errorf("no value of class %q in 5000", name)
		}
	}
}

// A property that fails from a threshold on is reported at the threshold, in the
// output that it was given, and not with the first value that failed.
//
// Claims: none: it is about the generators.
func TestShrinkingThroughGopter(t *testing.T) {
	parameters := property.Parameters(t)
	properties := gopter.NewProperties(parameters)
	properties.Property("m < 1000 or k < 5", prop.ForAll(
		func(g bloomproof.Geometry) bool { return g.M < 1000 || g.K < 5 },
		verify.GenGeometry(0, 0),
	))
	var out bytes.Buffer
	if properties.Run(gopter.NewFormatedReporter(false, 100, &out)) {
		t.Fatal("the property passed")
	}
	if !strings.Contains(out.String(), "ARG_0: standard m=1000 k=5") {
		t.Errorf("not shrunk to standard m=1000 k=5:\n%s", out.String())
	}
}

// Claims: none: it is about the generators.
func TestGeneratorsInAProperty(t *testing.T) {
	property.Check(t, "a geometry's text names what it holds", prop.ForAll(
		func(g bloomproof.Geometry) bool {
			return g.String() == fmt.Sprintf("%v m=%d k=%d", g.Hashing, g.M, g.K)
		},
		verify.GenGeometry(0, 0),
	))
}
