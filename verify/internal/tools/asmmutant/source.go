package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A statement is a label, an instruction, a DATA line or a GLOBL line. A macro that stands for a register is called an
// alias. All other macros are expanded. Aliases are not expanded, so that the statement is readable.
type statement struct {
	file    string // the base name of the file with the line
	line    int    // the line in which the outermost macro is used
	label   string // "turn" for the label turn:, else ""
	op      string // with suffixes, such as VMOVDQU64.Z
	args    []string
	aliases map[string]string // the registers of aliases
}

// A function is one TEXT block.
type function struct {
	name string // without the leading dot
	head string // the TEXT line
	body []statement
	used []named // registers
	text string  // all of it and the file's data, hashed, once mutant.hash has been called
}

// A source is one assembly file.
type source struct {
	path      string // of the .s file
	goarch    string
	functions []function
	data      []statement // DATA and GLOBL
}

// The type "macro" represents a macro that a line with #define has made. The field "args" is nil for a macro without
// parentheses.
type macro struct {
	args []string
	body string
}

// A reader reads one file and the files that it includes. It implements the preprocessor of the Go assembler: #define
// with and without arguments, #undef, #ifdef, #ifndef, #else, #endif and #include.
type reader struct {
	dir     string
	defined map[string]macro
	aliases map[string]string
	enabled []bool // whether each #ifdef around this line holds
	out     source
}

// readSource reads the assembly file at path. It reads the file in the same way as the assembler for goarch on Linux.
func readSource(path, goarch string) (source, error) {
	r := &reader{dir: filepath.Dir(path), aliases: map[string]string{}, out: source{path: path, goarch: goarch}}
	r.defined = map[string]macro{"GOOS_linux": {body: "1"}, "GOARCH_" + goarch: {body: "1"}}
	if goarch == "amd64" {
		r.defined["GOAMD64_v1"] = macro{body: "1"}
	}
	err := r.file(filepath.Base(path))
	return r.out, err
}

var comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

func (r *reader) file(name string) error {
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		return err
	}
	plain := comments.ReplaceAllStringFunc(string(text), func(c string) string {
		return strings.Repeat("\n", strings.Count(c, "\n"))
	})
	lines := strings.Split(plain, "\n")
	for i := 0; i < len(lines); i++ {
		line, at := lines[i], i+1
		for strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(strings.TrimRight(line, " \t"), `\`) + "\n" + lines[i]
		}
		if directive, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			err = r.directive(directive)
		} else if !slices.Contains(r.enabled, false) {
			err = r.code(name, at, line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, at, err)
		}
	}
	return nil
}

var (
	definition = regexp.MustCompile(`(?s)^(\w+)(\([^)]*\))?(.*)$`)
	name       = regexp.MustCompile(`^[\pL_·∕][\pL\d_·∕]*$`)
)

func (r *reader) directive(line string) error {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "ifdef", "ifndef":
		_, ok := r.defined[rest]
		r.enabled = append(r.enabled, ok == (verb == "ifdef"))
		return nil
	case "else", "endif":
		n := len(r.enabled)
		if n == 0 {
			return fmt.Errorf("#%s without #ifdef", verb)
		}
		r.enabled[n-1] = !r.enabled[n-1]
		if verb == "endif" {
			r.enabled = r.enabled[:n-1]
		}
		return nil
	}
	if slices.Contains(r.enabled, false) {
		return nil
	}
	switch verb {
	case "define":
		d := definition.FindStringSubmatch(rest)
		if d == nil {
			return fmt.Errorf("cannot read #define %s", rest)
		}
		m := macro{body: strings.TrimSpace(d[3])}
		if d[2] != "" {
			m.args = strings.FieldsFunc(d[2], func(c rune) bool { return strings.ContainsRune("(), ", c) })
		} else if _, known := r.aliases[m.body]; known || classOf(m.body) != "" {
			r.aliases = maps.Clone(r.aliases)
			r.aliases[d[1]] = m.body
		}
		r.defined[d[1]] = m
	case "undef":
		delete(r.defined, rest)
		r.aliases = maps.Clone(r.aliases)
		delete(r.aliases, rest)
	case "include":
		file := strings.Trim(rest, `"`)
		if _, err := os.Stat(filepath.Join(r.dir, file)); err != nil {
			return nil // the assembler's own include, which top returns
		}
		return r.file(file)
	default:
		return fmt.Errorf("unknown directive #%s", verb)
	}
	return nil
}

// The method "code" processes a line of assembly that is not a directive of the preprocessor.
func (r *reader) code(file string, line int, text string) error {
	text, err := r.expand(text)
	if err != nil {
		return err
	}
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		part = strings.Join(strings.Fields(part), " ")
		for {
			label, rest, ok := strings.Cut(part, ":")
			if !ok || !name.MatchString(label) {
				break
			}
			if err := r.add(statement{file: file, line: line, label: label}); err != nil {
				return err
			}
			part = strings.TrimSpace(rest)
		}
		if part == "" {
			continue
		}
		op, rest, _ := strings.Cut(part, " ")
		if op == "TEXT" {
			symbol, _, _ := strings.Cut(strings.TrimPrefix(rest, "·"), "(")
			r.out.functions = append(r.out.functions, function{name: symbol, head: part})
			continue
		}
		if err := r.add(statement{file: file, line: line, op: op, args: operands(rest), aliases: r.aliases}); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) add(s statement) error {
	if s.op == "DATA" || s.op == "GLOBL" {
		r.out.data = append(r.out.data, s)
		return nil
	}
	n := len(r.out.functions)
	if n == 0 {
		return fmt.Errorf("%s stands before the first TEXT", s)
	}
	f := &r.out.functions[n-1]
	f.body = append(f.body, s)
	return nil
}

var words = regexp.MustCompile(`[\pL_·∕][\pL\d_·∕]*|\d\w*`)

// The method "expand" replaces the macros in text, except aliases, until no macro remains.
func (r *reader) expand(text string) (string, error) {
	var out strings.Builder
	for steps := 0; ; {
		at := words.FindStringIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String(), nil
		}
		word := text[at[0]:at[1]]
		out.WriteString(text[:at[0]])
		text = text[at[1]:]
		m, ok := r.defined[word]
		_, alias := r.aliases[word]
		if !ok || alias || m.args != nil && !strings.HasPrefix(text, "(") {
			out.WriteString(word)
			continue
		}
		if steps++; steps > 1000 {
			return "", fmt.Errorf("macro %s never ends", word)
		}
		if m.args == nil {
			text = m.body + text
			continue
		}
		inner, rest, err := parenthesised(text)
		if err != nil {
			return "", fmt.Errorf("macro %s: %w", word, err)
		}
		actual := operands(inner)
		if len(actual) != len(m.args) {
			return "", fmt.Errorf("macro %s takes %d arguments, not %d", word, len(m.args), len(actual))
		}
		text = words.ReplaceAllStringFunc(m.body, func(w string) string {
			if i := slices.Index(m.args, w); i >= 0 {
				return actual[i]
			}
			return w
		}) + rest
	}
}

// The function "parenthesised" splits a text that begins with a parenthesis. It returns the text in the parentheses and
// the text after the closing parenthesis.
func parenthesised(text string) (inner, rest string, err error) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:], nil
			}
		}
	}
	return "", "", fmt.Errorf("parentheses do not close")
}

// The function "operands" splits text at the commas outside of parentheses and brackets.
func operands(text string) (out []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" || len(out) > 0 {
		out = append(out, last)
	}
	return out
}

// String returns the statement with its aliases.
func (s statement) String() string {
	if s.label != "" {
		return s.label + ":"
	}
	return strings.TrimSpace(s.op + " " + strings.Join(s.args, ", "))
}

// The method "code" returns the statement for the assembler: it replaces each alias by its register.
func (s statement) code() string {
	return words.ReplaceAllStringFunc(s.String(), s.register)
}

// The method "register" returns the register for which the alias "word" stands. If this argument is not an alias, the
// method returns it unchanged.
func (s statement) register(word string) string {
	for range 10 {
		next, ok := s.aliases[word]
		if !ok {
			break
		}
		word = next
	}
	return word
}

var classes = []struct {
	class string
	names *regexp.Regexp
}{
	{"word", regexp.MustCompile(`^(AX|BX|CX|DX|SI|DI|R[0-9]|R[12][0-9]|R30)$`)},
	{"X", regexp.MustCompile(`^X([0-9]|[12][0-9]|3[01])$`)},
	{"Y", regexp.MustCompile(`^Y([0-9]|[12][0-9]|3[01])$`)},
	{"Z", regexp.MustCompile(`^Z([0-9]|[12][0-9]|3[01])$`)},
	{"K", regexp.MustCompile(`^K[0-7]$`)},
	{"F", regexp.MustCompile(`^F([0-9]|[12][0-9]|3[01])$`)},
	{"V", regexp.MustCompile(`^V([0-9]|[12][0-9]|3[01])$`)},
	{"fixed", regexp.MustCompile(`^(SP|BP|ZR)$`)},
}

// classOf returns the class of a register, or "" if the argument is not a register. A register can be replaced by
// another register of its class.
func classOf(word string) string {
	for _, c := range classes {
		if c.names.MatchString(word) {
			return c.class
		}
	}
	return ""
}
