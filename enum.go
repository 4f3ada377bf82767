package bloomproof

import (
	"fmt"
	"strings"
)

// enumText returns the name of value v, or "what(v)" if v has no name.
func enumText(what string, names []string, v uint8) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", what, v)
}

// enumCheck returns a ParamError if v is not an index of the slice "names".
func enumCheck(what string, names []string, v uint8) error {
	if int(v) < len(names) {
		return nil
	}
	return &ParamError{Param: what, Value: v, Want: oneOf(names)}
}

// enumParse returns the value whose name is text.
func enumParse(what string, names []string, text []byte) (uint8, error) {
	for v, name := range names {
		if name == string(text) {
			return uint8(v), nil
		}
	}
	return 0, &ParamError{Param: what, Value: string(text), Want: oneOf(names)}
}

func oneOf(names []string) string {
	return "one of " + strings.Join(names, ", ")
}
