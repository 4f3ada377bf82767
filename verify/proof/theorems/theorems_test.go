package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestTable asserts that README.md lists every theorem, as go run ./verify/proof/theorems -table writes it but for the
// seconds, and that every file of the folder is checked.
func TestTable(t *testing.T) {
	all, err := unchecked("../../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, listed, ok := strings.Cut(string(readme), tableHead)
	if !ok {
		t.Fatalf("README.md has no table with the head %s", tableHead)
	}
	seconds := regexp.MustCompile(`\| \d+\.\d \| none \|`)
	got := seconds.ReplaceAllString(tableHead+listed, "| 0.0 | none |")
	if want := table(all); got != want {
		t.Errorf("README.md has this table:\n%s\nnot this (go run ./verify/proof/theorems -table):\n%s", got, want)
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

// TestSpend asserts that the sentences of a theorem's statement and proof are counted, and no others.
func TestSpend(t *testing.T) {
	text := "(* One. *)\nTheorem a : True.\nProof.\nby [].\nQed.\n\nLemma b : True.\nProof. by []. Qed.\n"
	all, err := theoremsOf("x.v", text)
	if err != nil || len(all) != 1 || all[0].lines != 4 {
		t.Fatalf("%v, %v", all, err)
	}
	spend(all, "Chars 11 - 28 [Theorem~a~:~True.] 9. secs (0.5u,0.s)\nChars 36 - 42 [by~[].] 0.3 secs (1.25u,0.1s)\nChars 49 - 64 [Lemma~b~:~True.] 3. secs (3.u,0.s)\n")
	if all[0].seconds != 1.75 {
		t.Errorf("%v seconds, not 1.75", all[0].seconds)
	}
}

// TestCheck asserts that a theorem that is false, unfinished, or rests on an axiom is refused by Coq. make theorems
// checks the theorems of this folder.
func TestCheck(t *testing.T) {
	longtest.Program(t, "coqc")
	longtest.Only(t, "Coq compiles files")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"false":      "(* It is false. *)\nTheorem bad : 1 = 2.\nProof. reflexivity. Qed.\n",
		"unfinished": "\n(* It is unfinished. *)\nTheorem bad : 1 = 2.\nAdmitted.\n",
		"axiom":      "Axiom wrong : 1 = 2.\n(* It follows. *)\nTheorem bad : 1 = 2.\nProof. exact wrong. Qed.\n",
	} {
		if _, err := check(dir, name+".v", text); err == nil || !strings.Contains(err.Error(), name+".v") || strings.Contains(err.Error(), "no end") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := check(dir, "true.v", "\n(* It is true. *)\nTheorem good : 1 = 1.\nProof. reflexivity. Qed.\n"); err != nil || len(all) != 1 {
		t.Errorf("a true theorem: %v, %v", all, err)
	}
}
