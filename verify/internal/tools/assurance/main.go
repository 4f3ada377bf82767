// Command assurance writes docs/assurance.md. The comment of package verify has an overview of the module's promises.
// The page has the text of this overview. The command also adds numbers. They come from recorded runs of the commands
// that test the module.
//
//	go run ./verify/internal/tools/assurance -out docs/assurance.md
//	go run ./verify/internal/tools/assurance -cover FILE -out docs/assurance.md
//
// With -cover the command first reads a profile that make cover has written. It records the statement coverage of each
// package in coverage.txt. The page is not edited by hand: its text comes from verify/doc.go, and its numbers from the
// records.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", "", "file to write; nothing for standard output")
	profile := flag.String("cover", "", "coverage profile to record")
	flag.Parse()
	if err := start(*out, *profile, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "assurance:", err)
		os.Exit(1)
	}
}

func start(out, profile string, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("%q follows the flags, and nothing may", rest[0])
	}
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	if profile != "" {
		text, err := os.ReadFile(profile)
		if err != nil {
			return err
		}
		rows, err := coverage(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", profile, err)
		}
		if err := os.WriteFile(filepath.Join(root, coverageRecord), []byte(rows), 0o644); err != nil {
			return err
		}
	}
	text, err := page(os.DirFS(root))
	if err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.WriteString(text)
		return err
	}
	return os.WriteFile(out, []byte(text), 0o644)
}
