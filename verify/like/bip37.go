package like

import "math"

// bip37 describes the filter of BIP 37, which Bitcoin's light clients use.
var bip37 = &Filter{
	Name:      "bip37",
	Version:   "BIP 37 (0297db5)",
	Source:    "bitcoin/bips bip-0037.mediawiki; bitcoin/bitcoin src/common/bloom.cpp (0a789ee)",
	Hash:      "MurmurHash3, 32 bits, k seeds",
	Positions: "the hash with seed i 0xFBA4C795 + tweak, modulo m, i < k",
	Sizing:    "m = -n ln p/ln^2 2, rounded down to whole bytes, at most 36,000 of them; k = floor(m/n) ln 2, rounded down, at most 50",
	Assumes:   "32-bit hashes of different seeds as independent",
	Finding:   "the positions are independent; the rate is too high because m/n is rounded down before k is computed from it, and with more than 20,000 keys at 0.1 % also because m is limited",
	known:     []size{{1000, 0.01, 9584, 6}},
	Law:       Enclosed,
	bits:      width{step: 8, lo: 8, hi: 8 * 36000},
	k:         span{1, 50},
	rate:      reduced(32),
	own: func(n uint64, rate float64) (uint64, int) {
		m := min(uint64(min(1<<32-1, -1/(math.Ln2*math.Ln2)*float64(n)*math.Log(rate))), 8*36000) / 8 * 8
		return m, int(min(50, float64(m/n)*math.Ln2))
	},
}
