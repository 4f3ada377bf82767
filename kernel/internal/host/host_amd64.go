//go:build gc && !purego

package host

import "github.com/klauspost/cpuid/v2"

// rows lists best first. cpuid's AVX features include the operating system's
// support. Each list is the Requires line of the .s files (a test compares them).
var rows = []row{
	{AVX512, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ}},
	{AVX2, []cpuid.FeatureID{cpuid.AVX2, cpuid.POPCNT}},
	{Popcnt, []cpuid.FeatureID{cpuid.POPCNT}},
	{Portable, nil},
}
