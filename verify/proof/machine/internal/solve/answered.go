package solve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// For some scripts, all solvers answered unsat. The map "answered" has these scripts. The same script often occurs for
// several kernels of a family.
var answered = map[answer]bool{}

// The type "answer" has the hash of a script, and the commands of the solvers that answered. Some tests ask one solver
// only, or others. Their answers do not count where both solvers are asked.
type answer struct {
	hash    [sha256.Size]byte
	solvers string
}

// The variable "kept" is the file that the function Keep opened, or nil if Keep was not called.
var kept *os.File

// The string "versions" contains the versions of the solvers. The hashes of scripts depend on this string, so answers
// of other versions are not used.
var versions string

func answerTo(script string) answer {
	return answer{sha256.Sum256([]byte(versions + script)), fmt.Sprint(Solvers)}
}

func isAnswered(script string) bool { return answered[answerTo(script)] }

// The function "put" records that all solvers answered unsat for a script.
func put(script string) error {
	a := answerTo(script)
	if answered[a] {
		return nil
	}
	answered[a] = true
	if kept == nil {
		return nil
	}
	_, err := fmt.Fprintf(kept, "%x\n", a.hash)
	return err
}

// The function Keep reads hashes of scripts from a file. In an earlier run, all solvers answered unsat for these
// scripts. The solvers had the same versions as now. These scripts are not sent to the solvers again. The hashes of
// this run are added to the file. If the file does not exist, Keep creates it.
func Keep(path string) error {
	for _, s := range Solvers {
		out, err := exec.Command(s[0], "--version").Output()
		if err != nil {
			return fmt.Errorf("%s --version: %w", s[0], err)
		}
		versions += string(out)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) { // the last line may be incomplete
		if h, err := hex.DecodeString(string(bytes.TrimSpace(line))); err == nil && len(h) == sha256.Size {
			answered[answer{[sha256.Size]byte(h), fmt.Sprint(Solvers)}] = true
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if _, err := f.WriteString("\n"); err != nil {
			return err
		}
	}
	kept = f
	return nil
}
