//go:build !js

package main

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// knownRates are rates that a separate Python program computed in rational arithmetic. The command "selftest" compares
// the rates that it computes with these rates. The Python program updates the distribution of the number of set bits in
// steps. Each step adds one position for standard hashing, and one item for classic hashing. The rates 5/8 and 1/3 are
// easily checked by hand. Section 3.4 of Burns prints two of the rates, both for m = 64 and n = 4. They are 6.15e-4 for
// k = 10 with standard hashing, and 4.55e-4 for k = 9 with classic hashing.
var knownRates = []knownRate{
	{bloomproof.Geometry{M: 2, K: 2}, 1, "5", "8"},
	{bloomproof.Geometry{M: 3, K: 1}, 1, "1", "3"},
	{bloomproof.Geometry{M: 5, K: 7}, 2, "79247600949393", "95367431640625"},
	{bloomproof.Geometry{M: 64, K: 10}, 4,
		"19587670980123648793307868760264014645890832186132858375246006432390987352883831436445",
		"31828687130226345097944463881396533766429193651030253916189694521162207808802136034115584"},
	{bloomproof.Geometry{M: 5, K: 2, Hashing: bloomproof.Classic}, 2, "37", "100"},
	{bloomproof.Geometry{M: 64, K: 9, Hashing: bloomproof.Classic}, 4,
		"4436735816099214896482140926412397955", "9750807926711514808214569695679562645504"},
	{bloomproof.Geometry{M: 64, K: 8, Hashing: bloomproof.Partitioned}, 4,
		"68133016990855863312890625", "79228162514264337593543950336"},
}

// The positions of a key with this hash are computed from the outputs of SplitMix64 with seed 1234567. Its first
// outputs are published: 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
// 16408922859458223821. With m = 2^48 a position is an output without its lowest 16 bits. A separate Python program
// computed the other positions by the derivation of docs/format.md.
var splitMix = kernel.Hash{H0: 1234567, H1: 0x9e3779b97f4a7c15}

var knownPositions = []knownPosition{
	{bloomproof.Geometry{M: 1 << 48, K: 5}, splitMix,
		[]uint64{6457827717110365317 >> 16, 3203168211198807973 >> 16, 9817491932198370423 >> 16, 4593380528125082431 >> 16, 16408922859458223821 >> 16}},
	{bloomproof.Geometry{M: 1000, K: 8}, splitMix, []uint64{350, 173, 532, 249, 889, 423, 590, 275}},
	{bloomproof.Geometry{M: 8, K: 8, Hashing: bloomproof.Classic}, splitMix, []uint64{2, 1, 4, 7, 3, 6, 5, 0}},
	{bloomproof.Geometry{M: 1000, K: 8, Hashing: bloomproof.Partitioned}, splitMix, []uint64{43, 146, 316, 406, 611, 677, 823, 909}},
}
