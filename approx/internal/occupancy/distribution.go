package occupancy

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// Distribution returns the probabilities P[Y = i] for i = 0..min(m,k). It includes even the smallest probabilities. Y
// is the number of urns that are occupied after k >= 1 balls fall into m urns at random. With the Stirling numbers
// S(k,i) of the second kind, P[Y = i] is
//
//	S(k,i) m(m-1)...(m-i+1)/m^k.
//
// Error: relative, at most 3u (u = 2^-53).
// Cost: 2k multiplications in two words for k <= 64. Larger k need k^2 multiplications of numbers of the type
// fm.Scaled. For k = 4096 these take 0.3 seconds.
func Distribution(m uint64, k int) []fm.Scaled {
	most := int(min(m, uint64(k)))
	inverse := fm.Whole(1).Quo(fm.Whole(m))
	if k > TableK {
		return follow(m, k, most, inverse)
	}
	p := make([]fm.Scaled, most+1)
	power := fm.Whole(1).Scale() // m(m-1)...(m-i+1)/m^i
	for i := 1; i <= most; i++ {
		power = power.Times(fm.Whole(m - uint64(i-1)).Mul(inverse))
		p[i] = power.Times(fm.Double{Hi: Stirling2()[k][i]})
	}
	power = fm.Whole(1).Scale() // 1/m^(k-i)
	for range k - most {
		power = power.Times(inverse)
	}
	for i := most; i > 0; i-- {
		p[i] = p[i].Mul(power)
		power = power.Times(inverse)
	}
	return p
}

// The function "follow" adds k balls one by one. Each ball falls into one of the i occupied urns or into one of the m-i
// empty urns. All terms are positive, so the relative error after k balls is at most 24 k v < 2^-89 (v = 2^-106).
func follow(m uint64, k, most int, inverse fm.Double) []fm.Scaled {
	p := make([]fm.Scaled, most+1)
	p[0] = fm.Whole(1).Scale()
	stay, join := make([]fm.Double, most+1), make([]fm.Double, most+1) // probabilities at i occupied urns
	for i := range stay {
		stay[i] = inverse.MulFloat(float64(i))
		join[i] = fm.Whole(m - uint64(i)).Mul(inverse)
	}
	for b := range k {
		for i := min(b+1, most); i > 0; i-- {
			p[i] = p[i].Times(stay[i]).Add(p[i-1].Times(join[i-1]))
		}
		p[0] = fm.Scaled{}
	}
	return p
}
