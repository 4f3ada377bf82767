package fm

import (
	"math"
	"math/bits"
)

// Product returns a*b, rounded once to the nearest float64. If two float64 are equally near, it returns the one whose
// last bit is 0. The relative error is at most u = 2^-53, although a*b may need 128 bits.
func Product(a, b uint64) float64 {
	hi, lo := bits.Mul64(a, b)
	if hi == 0 {
		return float64(lo)
	}
	// The code takes the top 64 bits of the product. It sets the last of these bits if any lower bit of the product is
	// set. Since 64 > 53+1, rounding the resulting number to a float64 rounds the whole product correctly.
	s := bits.LeadingZeros64(hi)
	top := hi<<s | lo>>(64-s)
	if lo<<s != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-s)
}

// stirlingSmall[x] is delta(x), as StirlingError defines it, for x = 1 to 15. The entry for 0 is not used.
var stirlingSmall = [16]float64{
	0,
	0.0810614667953272582196703, // 0x1.4c071bcda0a5bp-4
	0.0413406959554092940938221, // 0x1.52a9b923ea649p-5
	0.0276779256849983391487893, // 0x1.c579a268d80b3p-6
	0.0207906721037650931115228, // 0x1.54a2662fd78a9p-6
	0.0166446911898211921631949, // 0x1.10b4e513fcbedp-6
	0.0138761288230707479987457, // 0x1.c6b167bebdf36p-7
	0.0118967099458917700950557, // 0x1.85d4d612e4a86p-7
	0.0104112652619720964974786, // 0x1.552805e7b3076p-7
	0.0092554621827127329177286, // 0x1.2f4871b12ab64p-7
	0.0083305634333628712564693, // 0x1.10f9d4c0743a7p-7
	0.0075736754879518407949720, // 0x1.f0593088014f8p-8
	0.0069428401072095298656642, // 0x1.c7018733aa9c6p-8
	0.0064089941880042070684396, // 0x1.a40514700f36cp-8
	0.0059513701127588477356244, // 0x1.86076c002d4a7p-8
	0.0055547335519628013710387, // 0x1.6c08f6f194a10p-8
}

// StirlingError returns delta(x) = ln(x! / (sqrt(2 pi x) (x/e)^x)) for an integer x >= 1, with an absolute error of at
// most u = 2^-53.
//
// For x <= 15 it uses a table. For larger x it sums the first six terms of Stirling's divergent series. The error is
// less than the next term, which is x^-13/156 < 2^-59 at x = 16.
func StirlingError(x float64) float64 {
	if x < 16 {
		return stirlingSmall[int(x)]
	}
	y := 1 / x
	z := y * y
	return y * (1./12 - z*(1./360-z*(1./1260-z*(1./1680-z*(1./1188-z*(691./360360))))))
}
