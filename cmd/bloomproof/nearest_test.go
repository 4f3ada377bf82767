package main

import (
	"fmt"
	"strings"
	"testing"
)

// An unknown command or flag is told with the nearest one.
func TestNearest(t *testing.T) {
	for args, want := range map[string]string{
		"recycl":                               "the nearest is recycle",
		"sizes -m 64":                          "the nearest is size",
		"replay -trce x":                       "the nearest is -trace ",
		"recycle -confidense1":                 "the nearest is -confidence ",
		"help ruls":                            "the nearest is rules",
		"fpr -" + strings.Repeat("x", 100_000): "the nearest is -",
	} {
		if status, _, stderr := try(nil, strings.Fields(args)...); status != statusUsage || !strings.Contains(stderr, want) {
			t.Errorf("%.40s: status %d, %q", args, status, stderr)
		}
	}
	for _, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"kitten", "sitting", 3}, {"abc", "acb", 2}, {"trce", "trace", 1}} {
		if got := fmt.Sprint(edits(x.a, x.b), edits(x.b, x.a)); got != fmt.Sprint(x.want, x.want) {
			t.Errorf("%q, %q: %s, want %d", x.a, x.b, got, x.want)
		}
	}
}
