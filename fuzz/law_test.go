package fuzz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// decodeLaw returns a law of balls, of a union or of an intersection, its name and its
// number of committees; false where data ends or says what no law is.
func decodeLaw(t *testing.T, data []byte) (l exact.Distribution, name string, committees float64, ok bool) {
	if len(data) < 12 {
		return exact.Distribution{}, "", 0, false
	}
	// Sizes by number of bits first, so that small ones occur as often as large ones.
	m := binary.LittleEndian.Uint64(data) >> (data[8] & 63)
	departments := make([][]exact.Committees, 1+data[9]%3)
	intersection := data[10]&1 == 1
	for i, data := 0, data[11:]; len(data) >= 6 && i < 6; i, data = i+1, data[6:] {
		c := exact.Committees{
			Size:  uint64(binary.LittleEndian.Uint16(data)) << (data[4] & 63),
			Count: uint64(binary.LittleEndian.Uint16(data[2:])) >> (data[5] & 15) << (data[5] >> 4 * 3),
		}
		if m > 0 {
			c.Size = c.Size%m + 1
		}
		committees += float64(c.Count)
		d := &departments[i%len(departments)]
		*d = append(*d, c)
	}
	make := exact.Union
	if intersection {
		make = exact.Intersection
	}
	l, err := make(m, departments...)
	if (err != nil) != (m == 0) {
		t.Fatalf("law of %d urns, %v: %v", m, departments, err)
	}
	return l, fmt.Sprintf("m=%d %v intersection=%v", m, departments, intersection), committees, err == nil
}

// FuzzLaw computes the numbers of a law by every route, each at a precision of its own: the
// enclosures must overlap, keep the precision asked and obey the bounds, and no input may panic. A
// route may refuse for its cost, or where a number is below all big floats.
func FuzzLaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		l, name, committees, ok := decodeLaw(t, data)
		if !ok {
			return
		}
		get := func(what string, prec uint, f func(prec uint) (exact.Enclosure, error)) (exact.Enclosure, bool) {
			cases.Add(1)
			e, err := f(prec)
			var none *bloomproof.ParamError // the distribution has no such route
			switch {
			case errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, bloomproof.ErrRange), errors.As(err, &none) && none.Param == "route":
				return e, false
			case err != nil:
				t.Fatalf("%s: %s: %v", name, what, err)
			case e.RelBits() < int(prec) || e.Sign() < 0 || e.Sign() == 0 && e.Hi().Sign() != 0:
				t.Fatalf("%s: %s = %v with %d bits, %d asked", name, what, e, e.RelBits(), prec)
			}
			return e, true
		}
		agree := func(what string, routes []exact.Route, f func(prec uint, route exact.Route) (exact.Enclosure, error)) {
			var first exact.Enclosure
			for i, route := range routes {
				e, ok := get(fmt.Sprintf("%s by %v", what, route), uint(40+25*i), func(prec uint) (exact.Enclosure, error) { return f(prec, route) })
				switch {
				case !ok && i == 0:
					return
				case i == 0:
					first = e
				case ok && !e.Overlaps(first):
					t.Fatalf("%s: %s is %v by %v, %v by %v", name, what, e, route, first, routes[0])
				}
			}
		}
		part := longtest.Part(4, data...)
		r := int(data[10] >> 1 % 24)
		all := []exact.Route{"difference", "hypergeometric", exact.Recursive, "stirling", exact.ClosedForm}
		if part(0) {
			agree(fmt.Sprintf("BinomialMoment(%d)", r), all, func(prec uint, route exact.Route) (exact.Enclosure, error) { return l.BinomialMoment(r, prec, route) })
		}
		least, most := l.Range()
		moments := all
		slow := committees*float64(min(most, 400)) > 1<<14 // to add one by one, for a fuzz target
		if slow {
			moments = moments[:1]
		}
		if part(1) {
			agree(fmt.Sprintf("Moment(%d)", r), moments, func(prec uint, route exact.Route) (exact.Enclosure, error) { return l.Moment(r, prec, route) })
		}
		for _, i := range []uint64{least, least + (most-least)/3, most} {
			if !part(2) {
				break
			}
			routes := all
			if slow || i > 60 {
				routes = routes[:1]
			}
			if slow && i < most || i > 200 && i < 3000 || most > 60 && data[10]&1 == 1 {
				continue // these can take seconds
			}
			agree(fmt.Sprintf("PMF(%d)", i), routes, func(prec uint, route exact.Route) (exact.Enclosure, error) { return l.PMF(i, prec, route) })
		}
		if !part(3) {
			return
		}
		mean, ok1 := get("mean", 90, l.Mean)
		variance, ok2 := get("variance", 90, l.Variance)
		if ok1 && ok2 && (variance.Sign() == 0) != (least == most) {
			t.Fatalf("%s: mean %v, variance %v, range %d..%d", name, mean, variance, least, most)
		}
	})
}
