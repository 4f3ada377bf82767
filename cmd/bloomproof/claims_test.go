package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/bloomproof/bloomproof/verify/claims"
)

// The table has a line for every claim, with its verdict.
func TestClaimsTable(t *testing.T) {
	status, stdout, stderr := try(nil, "claims")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	all := claims.All()
	if status != statusOK || stderr != "" || len(lines) != len(all) {
		t.Fatalf("status %d, stderr %q, %d lines for %d claims", status, stderr, len(lines), len(all))
	}
	for i, c := range all {
		if f := strings.Fields(lines[i]); len(f) < 3 || f[0] != c.ID || f[1] != string(c.Verdict) {
			t.Errorf("line %q for %s", lines[i], c.ID)
		}
	}
	_, stdout, _ = try(nil, "claims", "-json", "-paper", "burns")
	rows, _ := checkJSON(t, stdout)["claims"].([]any)
	for _, row := range rows {
		if row.(map[string]any)["paper"] != "burns" {
			t.Errorf("%v is not of burns", row)
		}
	}
	if len(rows) == 0 {
		t.Error("no claim of burns")
	}
}

// A refuted verdict makes the command fail with status 1, and its line says why.
func TestClaimsFail(t *testing.T) {
	claim, wrong := claims.All()[0], claims.Result{Cases: 3, Err: errors.New("m=1: left 1, right 2")}
	r := claimsReport{Shard: "1/2", Effort: "quick", Failed: new(int)}
	r.Claims = []claimRow{rowOf(claim)}
	err := r.take([]claims.Result{wrong})
	if !errors.Is(err, errFailed) || *r.Failed != 1 {
		t.Errorf("%v, %d failed", err, *r.Failed)
	}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)
	r.print(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%s confirmed fail shard 1/2 quick 3 cases m=1: left 1, right 2\n", claim.ID); out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// refusesClaims reports whether claims -run is refused here, as it is where an int has 32 bits,
// and fails when it is refused elsewhere, or otherwise than it should be.
func refusesClaims(t *testing.T, status int, stderr string) bool {
	t.Helper()
	const want = "bloomproof claims: -run: the checks compute with an int of 64 bits; here it has 32\n"
	refused := strings.HasSuffix(stderr, want)
	if narrow := strconv.IntSize == 32; refused != narrow || narrow && status != statusUsage {
		t.Fatalf("an int has %d bits; status %d, %q", strconv.IntSize, status, stderr)
	}
	return refused
}

func TestClaimsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr strings.Builder
	status := run(ctx, []string{"claims", "-run"}, nil, &stdout, &stderr)
	if refusesClaims(t, status, stderr.String()) {
		return
	}
	if status != statusIO || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("status %d, %q", status, stderr.String())
	}
}

// The cases of the shards add up to those of the whole.
func TestClaimsShards(t *testing.T) {
	cases := func(shard string) (n int64) {
		status, stdout, stderr := try(nil, "claims", "-run", "-id", "burns.eq4", "-shard", shard, "-json")
		if refusesClaims(t, status, stderr) {
			return 0
		}
		if status != statusOK {
			t.Fatalf("status %d: %s", status, stderr)
		}
		rows := checkJSON(t, stdout)["claims"].([]any)
		n, err := rows[0].(map[string]any)["cases"].(json.Number).Int64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if one, parts := cases("1/1"), cases("1/3")+cases("2/3")+cases("3/3"); one != parts || one == 0 && strconv.IntSize == 64 {
		t.Errorf("%d cases in one, %d in three parts", one, parts)
	}
}

// A part of the cases is read as it is printed, and nothing else is.
func TestShardText(t *testing.T) {
	for _, bad := range []string{"", "1", "0/1", "2/1", "1/0", "-1/2", "1/2x", "a/b", "1/2/3", "1e9/2"} {
		s := shard{3, 4}
		if err := s.UnmarshalText([]byte(bad)); err == nil || s != (shard{3, 4}) {
			t.Errorf("%q: %v, %v", bad, s, err)
		}
	}
	var s shard
	if err := s.UnmarshalText([]byte("3/16")); err != nil || s.String() != "3/16" {
		t.Errorf("%v, %v", s, err)
	}
}
