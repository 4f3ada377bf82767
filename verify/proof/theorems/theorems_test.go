package main

import (
	"os"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestTable asserts that README.md lists every theorem, as go run ./verify/proof/theorems -table does, and that every
// file of the folder is checked.
func TestTable(t *testing.T) {
	want, err := table("../../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), want) {
		t.Errorf("README.md lacks this table:\n%s", want)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".v") {
			n++
		}
	}
	if n != len(files) {
		t.Errorf("%d files of theorems, %d are checked", n, len(files))
	}
}

// TestCommentIsAsked asserts that a theorem without a comment is refused.
func TestCommentIsAsked(t *testing.T) {
	if all, err := theoremsOf("x.v", "(* One. *)\nTheorem a : True.\nProof. by []. Qed.\n\nTheorem b : True.\n"); err == nil {
		t.Errorf("accepted: %v", all)
	}
}

// TestCheck asserts that Coq checks each file, and that a theorem that is false, unfinished, or rests on an axiom is
// refused.
func TestCheck(t *testing.T) {
	longtest.Program(t, "coqc")
	longtest.Only(t, "Coq compiles the files")
	dir := t.TempDir()
	if err := run("../../..", dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"false":      "(* It is false. *)\nTheorem bad : 1 = 2.\nProof. reflexivity. Qed.\n",
		"unfinished": "\n(* It is unfinished. *)\nTheorem bad : 1 = 2.\nAdmitted.\n",
		"axiom":      "Axiom wrong : 1 = 2.\n(* It follows. *)\nTheorem bad : 1 = 2.\nProof. exact wrong. Qed.\n",
	} {
		if _, err := check(dir, name+".v", text); err == nil || !strings.Contains(err.Error(), name+".v") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := check(dir, "true.v", "\n(* It is true. *)\nTheorem good : 1 = 1.\nProof. reflexivity. Qed.\n"); err != nil || len(all) != 1 {
		t.Errorf("a true theorem: %v, %v", all, err)
	}
}
