package kernel

import (
	"math"
	"testing"
)

// The derivation reaches a position by floor(2^52/m) or ceil(2^52/m) words, and its
// documentation bounds what that does to the rate. Here the same reduction with
// words of w bits, small enough that the unevenness shows, is computed exactly as a
// chain over the numbers of set positions of either kind.

// unevenRate returns the rate of standard hashing with balls balls in m positions,
// reached by w-bit words, and the mean square of the positions' relative deviation.
func unevenRate(m, balls, k, w int) (rate, meanSquare float64) {
	total := 1 << w
	q, often := total/m, total%m // positions with q+1 words
	rare := m - often
	pOften, pRare := float64(q+1)/float64(total), float64(q)/float64(total)
	p := make([][]float64, often+1)
	for i := range p {
		p[i] = make([]float64, rare+1)
	}
	p[0][0] = 1
	for range balls {
		for i := often; i >= 0; i-- {
			for j := rare; j >= 0; j-- {
				stay := p[i][j] * (float64(i)*pOften + float64(j)*pRare)
				if i > 0 {
					stay += p[i-1][j] * float64(often-i+1) * pOften
				}
				if j > 0 {
					stay += p[i][j-1] * float64(rare-j+1) * pRare
				}
				p[i][j] = stay
			}
		}
	}
	for i := range p {
		for j, x := range p[i] {
			rate += x * math.Pow(float64(i)*pOften+float64(j)*pRare, float64(k))
		}
	}
	dOften, dRare := pOften*float64(m)-1, pRare*float64(m)-1
	meanSquare = (float64(often)*dOften*dOften + float64(rare)*dRare*dRare) / float64(m)
	return rate, meanSquare
}

// evenRate returns the rate of standard hashing with m equally likely positions.
func evenRate(m, balls, k int) float64 {
	p := make([]float64, m+1)
	p[0] = 1
	for range balls {
		for b := m; b > 0; b-- {
			p[b] = p[b]*float64(b)/float64(m) + p[b-1]*float64(m-b+1)/float64(m)
		}
		p[0] = 0
	}
	rate := 0.0
	for b, x := range p {
		rate += x * math.Pow(float64(b)/float64(m), float64(k))
	}
	return rate
}

func TestUnevenPositionsMoveTheRateInSecondOrder(t *testing.T) {
	worst := 0.0
	for _, w := range []int{8, 10, 12, 14} {
		for _, m := range []int{3, 5, 7, 11, 13, 19, 23, 31, 37, 61} {
			if 16*m > 1<<w {
				continue
			}
			for _, k := range []int{1, 2, 3, 5, 8, 13} {
				for _, n := range []int{1, 2, 3, 5, 9} {
					rate, meanSquare := unevenRate(m, n*k, k, w)
					ratio := float64(m) / float64(int(1)<<w)
					if meanSquare > ratio*ratio/4 {
						t.Errorf("w=%d m=%d: mean square deviation %g, more than (m/2^w)^2/4", w, m, meanSquare)
					}
					moved := math.Abs(rate/evenRate(m, n*k, k) - 1)
					if bound := 1.5 * float64(k) * meanSquare; moved > bound+1e-12 {
						t.Errorf("w=%d m=%d k=%d n=%d: rate moved by %g, bound %g", w, m, k, n, moved, bound)
					}
					if float64(k)*ratio < 0.01 {
						worst = max(worst, moved/(float64(k)*meanSquare))
					}
				}
			}
		}
	}
	t.Logf("largest move in units of k times the mean square deviation: %.3f", worst)
	if worst < 1 {
		t.Error("the grid has no case near the bound, so it shows nothing")
	}
}
