package exported

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// TestUndeclaredHashing declares a hashing that no package implements and demands that
// every exported function that is handed one refuses it with a ParamError. A package that
// answered by the formula of another hashing would fail here.
func TestUndeclaredHashing(t *testing.T) {
	h, undo := declareHashing("undeclared")
	defer undo()
	g := bloomproof.Geometry{M: 840, K: 4, Hashing: h}
	if err := g.Validate(); err != nil {
		t.Fatalf("the vocabulary does not know the declared hashing: %v", err)
	}
	everyTaker(t, func(t *testing.T, name string, call func(bloomproof.Geometry) error) {
		wantRefused(t, call(g), "hashing")
	})
}

// TestBlocksRefused hands every exported function a filter with blocks. A function that
// has no formula for it refuses it with a ParamError; one that has is on the list
// answersBlocks.
func TestBlocksRefused(t *testing.T) {
	g := bloomproof.Geometry{M: 512, K: 4, Block: 64} // small, since some of the numbers are sums over k and over blocks
	everyTaker(t, func(t *testing.T, name string, call func(bloomproof.Geometry) error) {
		switch err := call(g); {
		case slices.Contains(hashingOnly, name): // no Geometry, so no block
		case slices.Contains(answersBlocks, name):
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		default:
			wantRefused(t, err, "block")
		}
	})
}

// TestRatesAlone hands every exported function the hashings of which little more than the rate is
// known. Those on the list answersRates answer; all others refuse them with a ParamError.
func TestRatesAlone(t *testing.T) {
	everyTaker(t, func(t *testing.T, name string, call func(bloomproof.Geometry) error) {
		for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.DoubleZero, bloomproof.DoubleOdd, bloomproof.DoublePartitioned, bloomproof.EnhancedDouble, bloomproof.Triple} {
			if !slices.Contains(answersRates, name) {
				wantRefused(t, call(bloomproof.Geometry{M: 512, K: 4, Hashing: h}), "hashing")
			} else if err := call(bloomproof.Geometry{M: 16, K: 2, Hashing: h}); err != nil {
				t.Errorf("%s, %v: %v", name, h, err)
			}
		}
	})
}

// wantRefused demands a ParamError for the parameter.
func wantRefused(t *testing.T, err error, param string) {
	t.Helper()
	var pe *bloomproof.ParamError
	if !errors.As(err, &pe) || pe.Param != param {
		t.Errorf("got error %v, want a ParamError for %s", err, param)
	}
}

// everyTaker runs a subtest for every exported function that takes a Geometry or a
// Hashing. The compiler's export data names them, so that none can be left out of the
// table calls.
func everyTaker(t *testing.T, check func(t *testing.T, name string, call func(bloomproof.Geometry) error)) {
	found := takers(t)
	for name := range calls {
		if !slices.Contains(found, name) {
			t.Errorf("%s is in the table of this test and takes no Geometry or Hashing, or is not exported", name)
		}
	}
	for _, name := range found {
		f, ok := calls[name]
		if elsewhere[name] != "" {
			continue
		}
		if !ok {
			t.Errorf("%s takes a Geometry or a Hashing: add it to the table of this test", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			check(t, name, func(g bloomproof.Geometry) error { return callWith(t, f, g) })
		})
	}
}

// callWith calls f with g, or g's Hashing, wherever f takes one, and with ordinary values
// elsewhere. It returns f's last result, which must be an error.
func callWith(t *testing.T, f any, g bloomproof.Geometry) (err error) {
	t.Helper()
	defer func() { // what only tests call may panic with its refusal
		if p, ok := recover().(*bloomproof.ParamError); ok {
			err = p
		}
	}()
	if special, ok := f.(func(bloomproof.Geometry) error); ok {
		return special(g)
	}
	v := reflect.ValueOf(f)
	args := make([]reflect.Value, v.Type().NumIn())
	for i := range args {
		args[i] = ordinary(v.Type().In(i), g)
	}
	results := v.Call(args)
	if len(results) == 0 {
		t.Fatal("no result: a function that takes a Geometry must be able to refuse it")
	}
	last := results[len(results)-1].Interface()
	refusal, ok := last.(error)
	if !ok && last != nil {
		t.Fatalf("the last result is a %T: a function that takes a Geometry must be able to refuse it", last)
	}
	return refusal
}

// ordinary returns an argument of type typ that no function refuses for its own sake.
func ordinary(typ reflect.Type, g bloomproof.Geometry) reflect.Value {
	for _, v := range []any{
		g, g.Hashing,
		bloomproof.Recycling{Sigma: 400},
		bloomproof.Workload{Popularity: bloomproof.Zipf(1, 10), Repeat: 0.5},
		sim.Plan{Runs: 2, Cycles: 2, Seed: 1},
		big.NewRat(1, 100), exact.Auto, bloomproof.BoundUpper, approxrecycling.Naive("worst"),
		uint64(3), 4, uint(53), 0.01, []uint64{5, 5}, model.Counters{Width: 4},
	} {
		if reflect.TypeOf(v) == typ {
			return reflect.ValueOf(v)
		}
	}
	if typ == reflect.TypeFor[context.Context]() {
		return reflect.ValueOf(context.Background())
	}
	return reflect.Zero(typ)
}

// takers returns the exported functions and methods, of all packages that can be
// imported, that are handed a Geometry or a Hashing, in a struct or a slice too.
func takers(t *testing.T) []string {
	t.Helper()
	found, err := listTakers()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// listTakers reads the packages once for all tests.
var listTakers = sync.OnceValues(func() ([]string, error) {
	paths, load, err := importable()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, path := range paths {
		if path == module {
			continue
		}
		pkg, err := load(path)
		if err != nil {
			return nil, err
		}
		add := func(name string, f *types.Func) {
			if f.Exported() && carriesHashing(f.Type().(*types.Signature).Params(), map[types.Type]bool{}) {
				found = append(found, strings.TrimPrefix(path, module+"/")+"."+name)
			}
		}
		for _, name := range pkg.Scope().Names() {
			switch o := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				add(name, o)
			case *types.TypeName:
				if named, ok := o.Type().(*types.Named); ok && o.Exported() {
					for i := range named.NumMethods() {
						add(fmt.Sprintf("%s.%s", name, named.Method(i).Name()), named.Method(i))
					}
				}
			}
		}
	}
	if len(found) < 20 {
		return nil, fmt.Errorf("found only %v", found)
	}
	slices.Sort(found)
	return found, nil
})

// carriesHashing reports whether a caller fills a Hashing into a value of type t: in an
// exported field, an element, or the value itself.
func carriesHashing(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.(type) {
	case *types.Named:
		o := u.Obj()
		return o.Pkg() != nil && o.Pkg().Path() == "github.com/bloomproof/bloomproof" && o.Name() == "Hashing" ||
			carriesHashing(u.Underlying(), seen)
	case *types.Tuple:
		for i := range u.Len() {
			if carriesHashing(u.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() && carriesHashing(f.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return carriesHashing(u.Elem(), seen)
	default:
		if a := types.Unalias(t); a != t {
			return carriesHashing(a, seen)
		}
	}
	return false
}
