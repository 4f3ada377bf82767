//go:build gc && !purego && !race

#include "go_asm.h"
#include "textflag.h"

// The exported operations on words enter here. A call in Go costs as much as 8 words in a
// kernel: so the choice that ops_amd64.go makes for the filters is made for Auto without
// one, and the kernel returns to the caller.

// func countAuto(x []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·CountPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·CountAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·CountAVX512
#define REST   ·countRest
TEXT ·countAuto(SB), NOSPLIT, $0-32
#include "bits_amd64.h"

// func andCountAuto(a, b []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·AndCountPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·AndCountAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·AndCountAVX512
#define REST   ·andCountRest
TEXT ·andCountAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func orCountAuto(a, b []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·OrCountPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·OrCountAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·OrCountAVX512
#define REST   ·orCountRest
TEXT ·orCountAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func xorCountAuto(a, b []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·XorCountPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·XorCountAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·XorCountAVX512
#define REST   ·xorCountRest
TEXT ·xorCountAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func andNotCountAuto(a, b []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotCountPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotCountAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotCountAVX512
#define REST   ·andNotCountRest
TEXT ·andNotCountAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func andIntoAuto(dst, src []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·AndIntoPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·AndIntoAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·AndIntoAVX512
#define REST   ·andIntoRest
TEXT ·andIntoAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func orIntoAuto(dst, src []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·OrIntoPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·OrIntoAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·OrIntoAVX512
#define REST   ·orIntoRest
TEXT ·orIntoAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"

// func andNotIntoAuto(dst, src []uint64) int
#define POPCNT github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotIntoPopcnt
#define AVX2   github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotIntoAVX2
#define AVX512 github·com∕bloomproof∕bloomproof∕kernel∕asm·AndNotIntoAVX512
#define REST   ·andNotIntoRest
TEXT ·andNotIntoAuto(SB), NOSPLIT, $0-56
#include "bits_amd64.h"
