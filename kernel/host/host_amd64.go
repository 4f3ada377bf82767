//go:build gc && !purego

package host

import "github.com/klauspost/cpuid/v2"

// The variable "rows" lists the implementations for amd64, the best one first. Package cpuid reports an AVX feature
// only if the operating system supports it too. The names of features in each row are the same as in the Requires lines
// of the .s files. A test compares them.
var rows = []row{
	{AVX512, requirements{
		Popcount:   {cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ},
		Probe:      {cpuid.AVX2, cpuid.POPCNT, cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512IFMA},
		Transition: {cpuid.AVX2, cpuid.AVX512F},
		Hash:       {cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512DQ},
		Block:      {cpuid.AVX2, cpuid.POPCNT, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ},
	}},
	{AVX2, requirements{
		Popcount:   {cpuid.AVX2, cpuid.POPCNT},
		Probe:      {cpuid.AVX2, cpuid.POPCNT, cpuid.BMI2},
		Transition: {cpuid.AVX2},
		Hash:       {cpuid.AVX2},
		Block:      {cpuid.AVX2, cpuid.POPCNT},
	}},
	{Popcnt, requirements{
		Popcount: {cpuid.POPCNT},
		Probe:    {cpuid.POPCNT}, // required only to be consistent with the level; the kernels need nothing beyond amd64
		Block:    {cpuid.POPCNT}, // required for the same reason
	}},
	{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}},
}
