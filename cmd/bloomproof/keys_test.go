package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// accessLog returns a log in the combined format, and the keys of its requests.
func accessLog(lines int) (log, keys string) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text, urls strings.Builder
	for i := range lines {
		url := fmt.Sprintf("/page/%d", int(float64(lines)/10*rng.Float64()*rng.Float64()))
		fmt.Fprintf(&urls, "%s\n", url)
		fmt.Fprintf(&text, "10.0.%d.%d - - [23/Nov/2026:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"a browser; %d\"\n",
			rng.IntN(9), rng.IntN(250), i/3600%24, i/60%60, i%60, url, rng.IntN(1<<20), rng.IntN(9))
	}
	return text.String(), urls.String()
}

// The keys that the flags cut out of a log are replayed and sized for as a trace of these keys is,
// and a log that is taken whole is warned of.
func TestKeysOfLog(t *testing.T) {
	log, keys := accessLog(3000)
	dir := t.TempDir()
	files := map[string]string{"log": log, "log.gz": string(compress(t, log)), "keys": keys, "tabs": strings.ReplaceAll(log, " ", "\t"), "broken": "\n" + log + "cut off"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{
		"replay -m 512 -k 4 -sigma 256 -warmup 0.1 -trace ", "recycle -m 2048 -target 0.05 -k 4 -retain=false -phases 1 -trace ",
		"recycle -m 2048 -target 0.05 -k 4 -retain=false -phases 1 -model popularity -keys 100000 -trace ",
	} {
		output := func(file string, flags ...string) (stdout, stderr string) {
			t.Helper()
			args := append(strings.Fields(command+filepath.Join(dir, file)), flags...)
			status, stdout, stderr := try(nil, args...)
			if status != statusOK {
				t.Fatalf("%s: status %d, %s", args, status, stderr)
			}
			return strings.ReplaceAll(portable(stdout), filepath.Join(dir, file), "FILE"), stderr
		}
		want, quiet := output("keys")
		if quiet != "" {
			t.Errorf("%s: %q", command, quiet)
		}
		for _, c := range []struct {
			file, warning string
			flags         []string
		}{
			{"log", "", []string{"-field", "7"}},
			{"log.gz", "", []string{"-field", "7"}},
			{"tabs", "", []string{"-field", "7", "-separator", `\t`}},
			{"log", "", []string{"-field", "7", "-separator", " "}},
			{"log", "", []string{"-regexp", `"(?:GET|POST) ([^ ?]+)`}},
			{"broken", "warning: 2 of 3002 lines have no such key and are left out\n", []string{"-field", "7"}},
		} {
			if got, stderr := output(c.file, c.flags...); got != want || stderr != c.warning {
				t.Errorf("%s%s %q: %s%s\nwant\n%s%s", command, c.file, c.flags, got, stderr, want, c.warning)
			}
		}
		if got, stderr := output("log"); got == want || stderr != "warning: 3000 of 3000 keys are different; if a part of a line is the key, give -field or -regexp\n" {
			t.Errorf("%s: the whole lines: %s", command, stderr)
		}
		if _, stderr := output("log", "-regexp", `^(.*)$`); !strings.Contains(stderr, "are different; is it the right part of a line?\n") {
			t.Errorf("%s: the whole lines by an expression: %s", command, stderr)
		}
	}
}
