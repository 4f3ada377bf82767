package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// sizeForms has what size answers, with and without -quick.
type sizeForms struct {
	M, K, N, Block json.Number
	KLast          int `json:"k_last"`
	FPR            struct{ Lo, Mid, Hi string }
	Quick          bool
	Proof          string
}

// Where -quick says that no error can change its answer, that is the proven one, and its ends enclose the proven rate.
func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 5))
	shapes := []string{"", " -hashing classic", " -hashing partitioned", " -block 512", " -block 256 -hashing partitioned -k 8"}
	sure, all := 0, 0
	for i := range longtest.Of(20, 32, 1000) {
		n, p := rng.Uint64N(1<<(4+rng.Uint64N(24)))+1, fmt.Sprintf("%.3ge-%d", 1+8*rng.Float64(), 1+rng.IntN(6))
		args := []string{
			fmt.Sprintf("size -n %d -fpr %s", n, p), fmt.Sprintf("size -m %d -fpr %s", (n+10)*512, p), fmt.Sprintf("size -n %d -m %d", n, (n/40+1)*512),
			fmt.Sprintf("size -n %d -m %d -k %d", n, (n/40+1)*512, 1+rng.IntN(8)),
		}[i%4]
		if shape := shapes[rng.IntN(len(shapes))]; !strings.Contains(args, "-k") || !strings.Contains(shape, "-k") && !strings.Contains(shape, "partitioned") {
			args += shape
		}
		var quick, proven sizeForms
		for _, x := range []struct {
			flags string
			to    *sizeForms
		}{{" -quick -json", &quick}, {" -digits 20 -json", &proven}} {
			_, text, _ := try(nil, strings.Fields(args+x.flags)...)
			if err := json.Unmarshal([]byte(text), x.to); err != nil {
				t.Fatal(err)
			}
		}
		if all++; !quick.Quick || proven.Quick {
			t.Fatalf("%s: %+v, %+v", args, quick, proven)
		}
		if quick.Proof != "none: float64 within its error bounds" {
			continue
		}
		sure++
		if quick.M != proven.M || quick.K != proven.K || quick.N != proven.N {
			t.Errorf("%s: %+v, proven %+v", args, quick, proven)
		}
		low, mid, high := fraction(t, quick.FPR.Lo), fraction(t, quick.FPR.Mid), fraction(t, quick.FPR.Hi)
		if low.Cmp(fraction(t, proven.FPR.Lo)) > 0 || high.Cmp(fraction(t, proven.FPR.Hi)) < 0 || low.Cmp(mid) > 0 || mid.Cmp(high) > 0 {
			t.Errorf("%s: %+v, proven %+v", args, quick, proven)
		}
		if wide := new(big.Rat).Sub(high, low); wide.Cmp(new(big.Rat).Mul(low, big.NewRat(21, 1e9))) > 0 {
			t.Errorf("%s: %+v is wider than two of its last digits", args, quick)
		}
	}
	if sure < all*9/10 {
		t.Errorf("%d of %d answers were sure", sure, all)
	}
}

// One block, several best numbers of positions, and no item are answered as without -quick; hashings that package
// approx lacks are refused.
func TestQuickCorners(t *testing.T) {
	for _, args := range []string{
		"size -n 427 -fpr 0.9 -block 512", "size -m 512 -n 427 -block 512", "size -hashing classic -block 256 -n 11 -fpr .01", "size -hashing partitioned -block 100 -n 29 -fpr .75",
		"size -hashing partitioned -m 4 -n 1", "size -hashing partitioned -m 8 -n 1",
	} {
		var quick, proven sizeForms
		_, text, stderr := try(nil, strings.Fields(args+" -quick -json")...)
		_, want, _ := try(nil, strings.Fields(args+" -json")...)
		if err := json.Unmarshal([]byte(text), &quick); err != nil {
			t.Fatalf("%s: %v, %s", args, err, stderr)
		}
		if err := json.Unmarshal([]byte(want), &proven); err != nil {
			t.Fatal(err)
		}
		if quick.M != proven.M || quick.K != proven.K || quick.KLast != proven.KLast || quick.Block != proven.Block {
			t.Errorf("%s: %+v, proven %+v", args, quick, proven)
		}
	}
	if status, text, _ := try(nil, strings.Fields("size -m 2 -fpr 0.1 -quick -json")...); status != statusOK || !strings.Contains(text, `"n": 0`) {
		t.Errorf("no item: %s", text)
	}
	rejected(t, strings.Fields("size -hashing double -k 5 -n 163 -fpr .5 -quick"), "hashing", statusUsage)
}

func fraction(t *testing.T, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return x
}
