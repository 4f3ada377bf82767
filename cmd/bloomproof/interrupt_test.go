package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// With this in the environment the test binary is the program, and closes its file 3 once it
// can be interrupted.
const asProgram = "BLOOMPROOF_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		ctx := interruptible()
		_ = os.NewFile(3, "ready").Close()
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	status := m.Run()
	endBrowser()
	os.Exit(status)
}

// An interrupt ends the program with status 3 and one line: at once where the command looks
// for it, after a second where it computes on. A replay prints what it has counted.
func TestInterruptedProgram(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("short, as under an emulator, which cannot start the test binary again, or Windows, which has no such signal")
	}
	for args, want := range map[string]string{
		"replay -trace - -m 1Mi -k 4 -sigma 512Ki":                   "bloomproof replay: interrupted after ",
		"replay -trace - -m 1Mi -k 4 -sigma 512Ki -memory 1Mi -json": "bloomproof replay: interrupted after ",
		"size -m 1e18 -n 1e14 -digits 10000":                         "bloomproof size: interrupted\n",
		"recycle -m 1Ki -target 0.1 -memory 1Mi -trace -":            "bloomproof recycle: interrupted\n",
		"conform -- sleep 9":                                         "bloomproof conform: interrupted\n",
		"size -m 1e18 -n 1e14 -digits 10000 -json":                   "bloomproof size: interrupted\n",
	} {
		t.Run(args, func(t *testing.T) {
			if strings.HasSuffix(args, "digits 10000") {
				longtest.Only(t, "it computes for a second, like the same command with -json")
			}
			t.Parallel()
			program := exec.Command(os.Args[0], strings.Fields(args)...)
			program.Env = append(os.Environ(), asProgram+"=1")
			var stdout, stderr bytes.Buffer
			program.Stdout, program.Stderr = &stdout, &stderr
			in, err := program.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			ready, closes, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer ready.Close()
			program.ExtraFiles = []*os.File{closes}
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			_ = closes.Close()
			_, _ = io.ReadAll(ready) // until it can be interrupted, or has ended
			trace := &endless{1 << 30}
			if strings.HasPrefix(args, "replay") {
				_, _ = io.CopyN(in, trace, 1<<20) // more than a pipe holds: it is reading
			}
			go func() { _, _ = io.Copy(in, trace) }() // until the program ends
			begin := time.Now()
			_ = program.Process.Signal(os.Interrupt)
			var exit *exec.ExitError
			if err := program.Wait(); !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if exit.ExitCode() != statusIO || !strings.HasPrefix(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("status %d after %v, %q", exit.ExitCode(), time.Since(begin), stderr.String())
			}
			switch counts := strings.HasPrefix(args, "replay"); {
			case strings.Contains(args, "-json"):
				if got := checkJSON(t, stdout.String()); counts && (got["interrupted"] != true || field(t, got, "arrivals") < 1000) {
					t.Errorf("%v", got)
				}
			case counts:
				if !strings.Contains(stdout.String(), ", then interrupted\n") {
					t.Errorf("%q", stdout.String())
				}
			case stdout.Len() > 0:
				t.Errorf("%q on standard output", stdout.String())
			}
		})
	}
}
