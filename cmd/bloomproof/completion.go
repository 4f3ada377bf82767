//go:build !js

package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// completionCommand returns the command completion. The other commands are variables. The script of this command lists
// all commands. If the command were a variable, its initialisation would refer to itself.
func completionCommand() command {
	return command{
		name:    "completion",
		summary: "a script that completes commands and flags in a shell",
		about: `
Prints a script for the shell named: bash, zsh, fish or powershell. It completes commands,
flags, the words that a flag takes, and names of files. To have it in every session:

  bash        bloomproof completion bash >~/.local/share/bash-completion/completions/bloomproof
  zsh         bloomproof completion zsh >DIR/_bloomproof, DIR being one of $fpath
  fish        bloomproof completion fish >~/.config/fish/completions/bloomproof.fish
  powershell  bloomproof completion powershell >>$PROFILE`,
		example: `
  $ bloomproof completion bash
  # bash completion of bloomproof
  ...`,
		words: []string{"bash", "zsh", "fish", "powershell"},
		run: func(c *call) (report, error) {
			write := map[string]func(*strings.Builder){"bash": bash, "zsh": zsh, "fish": fish, "powershell": powershell}[c.rest[0]]
			var b strings.Builder
			fmt.Fprintf(&b, "# %s completion of bloomproof\n", c.rest[0])
			write(&b)
			return completionReport{c.rest[0], b.String()}, nil
		},
	}
}

// completionReport is the result of the command "completion".
type completionReport struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func (r completionReport) print(w io.Writer) { _, _ = io.WriteString(w, r.Script) }

// The type "operand" describes one command for the completion script. The script also treats the word "help" as a
// command. It does not offer --help and similar flags.
type operand struct {
	name, summary string
	flags         []flagSpec
	words         []string
}

func operandsOfAll() []operand {
	var all []operand
	help := operand{name: "help", summary: "a command's flags with a worked example, or a topic", flags: []flagSpec{{"man", "", "all of it as a manual page"}}}
	for _, c := range commands() {
		all = append(all, operand{c.name, c.summary, c.allFlags(), c.words})
		help.words = append(help.words, c.name)
	}
	for _, t := range topics {
		help.words = append(help.words, t.name)
	}
	return append(all, help)
}

var parenthesis = regexp.MustCompile(`\([^)]*\)`)

// The method "words" returns the values that a flag takes, if they can be listed.
func (f flagSpec) words() []string {
	var out []string
	switch f.arg {
	case "KIND", "STAT", "ROUTE", "PAPER": // the description of these flags lists the values
		for _, w := range strings.FieldsFunc(parenthesis.ReplaceAllString(f.doc, ""), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
			if w != "or" {
				out = append(out, w)
			}
		}
	case "all|NAME", "gaps|best|all|NAME":
		for _, m := range allModels() {
			out = append(out, string(m))
		}
		out = append(strings.Split(strings.TrimSuffix(f.arg, "|NAME"), "|"), out...)
	default:
		if strings.Contains(f.arg, "|") {
			out = strings.Split(f.arg, "|")
		}
	}
	return out
}

// The function "first" returns the first line of a description, without the characters that a quoted string of a
// shell cannot contain.
func first(doc string) string {
	line, _, _ := strings.Cut(doc, "\n")
	return strings.NewReplacer("'", "", "`", "", `\`, "", ":", ";").Replace(line)
}

func dashed(flags []flagSpec) string {
	var out []string
	for _, f := range flags {
		out = append(out, "-"+f.name)
	}
	return strings.Join(out, " ")
}

// The function "values" goes through the flags that take a value. For each of them it calls the function "do" once. The
// string "words" has the words that the flag accepts.
func values(do func(command string, f flagSpec, words string)) {
	for _, o := range operandsOfAll() {
		for _, f := range o.flags {
			if f.arg != "" {
				do(o.name, f, strings.Join(f.words(), " "))
			}
		}
	}
}

// The function "offered" returns the names of all commands, with a space between two names.
func offered() string {
	var out []string
	for _, o := range operandsOfAll() {
		out = append(out, o.name)
	}
	return strings.Join(out, " ")
}

func bash(b *strings.Builder) {
	fmt.Fprintf(b, `_bloomproof() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= w
  COMPREPLY=()
  for w in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    if [ "$w" = -- ]; then compopt -o default 2>/dev/null; return; fi
  done
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='%s'
  else
    case "${COMP_WORDS[1]} ${prev/#--/-}" in
`, offered())
	values(func(command string, f flagSpec, words string) {
		switch {
		case f.arg == "FILE":
			fmt.Fprintf(b, "      '%s -%s') compopt -o default 2>/dev/null; return ;;\n", command, f.name)
		default:
			fmt.Fprintf(b, "      '%s -%s') words='%s' ;;\n", command, f.name, words)
		}
	})
	b.WriteString("      *) case ${COMP_WORDS[1]} in\n")
	for _, o := range operandsOfAll() {
		fmt.Fprintf(b, "        %s) words='%s' ;;\n", o.name, strings.TrimSpace(dashed(o.flags)+" "+strings.Join(o.words, " ")))
	}
	b.WriteString(`      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _bloomproof bloomproof
`)
}

func zsh(b *strings.Builder) {
	text := b.String()
	b.Reset()
	b.WriteString("#compdef bloomproof\n" + text + `_bloomproof() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(
`)
	for _, o := range operandsOfAll() {
		fmt.Fprintf(b, "      '%s:%s'\n", o.name, first(o.summary))
	}
	b.WriteString(`    )
    _describe command choices
    return
  fi
  if (( ${words[(I)--]} )); then _files; return; fi
  case "$words[2] ${words[CURRENT-1]/#--/-}" in
`)
	values(func(command string, f flagSpec, words string) {
		switch {
		case f.arg == "FILE":
			fmt.Fprintf(b, "    '%s -%s') _files; return ;;\n", command, f.name)
		case words == "":
			fmt.Fprintf(b, "    '%s -%s') _message '%s'; return ;;\n", command, f.name, first(f.arg+", "+f.doc))
		default:
			fmt.Fprintf(b, "    '%s -%s') choices=(%s) ;;\n", command, f.name, words)
		}
	})
	b.WriteString("    *) case $words[2] in\n")
	for _, o := range operandsOfAll() {
		fmt.Fprintf(b, "      %s) choices=(\n", o.name)
		for _, f := range o.flags {
			fmt.Fprintf(b, "        '-%s:%s'\n", f.name, first(f.doc))
		}
		for _, w := range o.words {
			fmt.Fprintf(b, "        '%s'\n", w)
		}
		b.WriteString("      ) ;;\n")
	}
	b.WriteString(`    esac ;;
  esac
  _describe value choices
}
if [ "$funcstack[1]" = _bloomproof ]; then _bloomproof; elif (( $+functions[compdef] )); then compdef _bloomproof bloomproof; fi
`)
}

func fish(b *strings.Builder) {
	b.WriteString("complete -c bloomproof -f\n")
	for _, o := range operandsOfAll() {
		fmt.Fprintf(b, "complete -c bloomproof -n __fish_use_subcommand -a %s -d '%s'\n", o.name, first(o.summary))
		in := fmt.Sprintf("complete -c bloomproof -n '__fish_seen_subcommand_from %s'", o.name)
		for _, f := range o.flags {
			fmt.Fprintf(b, "%s -o %s", in, f.name)
			switch {
			case f.arg == "FILE":
				b.WriteString(" -r -F")
			case f.arg != "":
				fmt.Fprintf(b, " -x -a '%s'", strings.Join(f.words(), " "))
			}
			fmt.Fprintf(b, " -d '%s'\n", first(f.doc))
		}
		if len(o.words) > 0 {
			fmt.Fprintf(b, "%s -a '%s'\n", in, strings.Join(o.words, " "))
		}
	}
}

func powershell(b *strings.Builder) {
	list := func(words string) string {
		return "@('" + strings.Join(strings.Fields(words), "', '") + "')"
	}
	b.WriteString(`Register-ArgumentCompleter -Native -CommandName bloomproof -ScriptBlock {
  param($word, $ast, $position)
  $given = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  if ($word -and $given.Count -gt 1) { $given = @($given[0..($given.Count - 2)]) }
  $values = @{
`)
	values(func(command string, f flagSpec, words string) {
		if words != "" {
			fmt.Fprintf(b, "    '%s -%s' = %s\n", command, f.name, list(words))
		}
	})
	b.WriteString("  }\n  $flags = @{\n")
	for _, o := range operandsOfAll() {
		fmt.Fprintf(b, "    '%s' = %s\n", o.name, list(dashed(o.flags)+" "+strings.Join(o.words, " ")))
	}
	fmt.Fprintf(b, `  }
  if ($given.Count -eq 1) {
    $choices = %s
  } else {
    $key = $given[1] + ' ' + ($given[-1] -replace '^--', '-')
    if ($values.ContainsKey($key)) { $choices = $values[$key] } else { $choices = $flags[$given[1]] }
  }
  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`, list(offered()))
}
