package like

import "math"

// bip37 is the filter of Bitcoin's light clients.
var bip37 = &Filter{
	Name:      "bip37",
	Version:   "BIP 37 (0297db5)",
	Source:    "bitcoin/bips bip-0037.mediawiki; bitcoin/bitcoin src/common/bloom.cpp (0a789ee)",
	Hash:      "MurmurHash3, 32 bits, k seeds",
	Positions: "the hash with seed i 0xFBA4C795 + tweak, modulo m, i < k",
	Sizing:    "m = -n ln p/ln^2 2, rounded down to whole bytes, at most 36,000 of them; k = floor(m/n) ln 2, rounded down, at most 50",
	Assumes:   "32-bit hashes of different seeds as independent",
	Finding:   "the positions are independent; the rate is missed because m/n is rounded down before k is computed of it, and beyond 20,000 keys at 0.1 % because m is capped",
	Law:       Enclosed,
	bits:      bits{step: 8, lo: 8, hi: 8 * 36000},
	k:         span{1, 50},
	rate:      reduced(32),
	own: func(n uint64, rate float64) (uint64, int) {
		m := min(uint64(min(1<<32-1, -1/(math.Ln2*math.Ln2)*float64(n)*math.Log(rate))), 8*36000) / 8 * 8
		return m, int(min(50, float64(m/n)*math.Ln2))
	},
}

// ethereum is the filter of the logs of a block or a receipt.
var ethereum = &Filter{
	Name:      "ethereum",
	Version:   "go-ethereum 1.17.6 (02b73d4)",
	Source:    "ethereum/go-ethereum core/types/bloom9.go",
	Hash:      "Keccak-256",
	Positions: "11 bits of each of the first three 16-bit words of the hash",
	Assumes:   "nothing but an ideal hash",
	Finding:   "the standard filter; 165 addresses and topics fill it to a rate of 1 %, and with 1,000 the rate is 45 %",
	Law:       Exact,
	bits:      bits{step: 1, lo: 2048, hi: 2048},
	k:         span{3, 3},
}
