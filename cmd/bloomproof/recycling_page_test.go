package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// recyclingFields are those that a person fills on the page of recycling filters.
var recyclingFields = []string{"m", "k", "sigma", "messages", "target", "hashing", "phases", "retain", "copy", "freeze", "positions", "popularity", "repeat"}

// recyclingQuestion has what is typed or chosen in each field, and the same as commands.
type recyclingQuestion struct {
	typed    map[string]string
	commands [][]string
}

func recyclingQuestions(count int) []recyclingQuestion {
	rng := rand.New(rand.NewPCG(23, 7))
	one := func(of ...string) string { return of[rng.IntN(len(of))] }
	sizes := map[string]uint64{"4 KiB": 32768, "2^14": 16384, "20,000": 20000, "8 kbit": 8000}
	all := make([]recyclingQuestion, count)
	for i := range all {
		size := one("4 KiB", "2^14", "20,000", "8 kbit")
		typed := map[string]string{"m": size}
		flags := []string{"-m", fmt.Sprint(sizes[size])}
		set := func(name, as, flag string) {
			typed[name] = as
			if flag != "" {
				flags = append(flags, "-"+name+"="+flag)
			}
		}
		if i%3 != 2 || rng.IntN(2) == 0 {
			k := fmt.Sprint(rng.IntN(9) + 2)
			set("k", k, k)
		}
		switch i % 3 {
		case 0:
			sigma := sizes[size]/4 + rng.Uint64N(sizes[size]/2)
			set("sigma", spell(rng, sigma), fmt.Sprint(sigma))
		case 1:
			set("messages", "1 thousand", "1000")
		case 2:
			set("target", "1 in 200", "5e-3")
		}
		if hashing := one("", "", "classic"); hashing != "" {
			set("hashing", hashing, hashing)
		}
		if i%3 == 0 && rng.IntN(2) == 0 {
			set("phases", "2", "2")
			positions := "fixed"
			if copy := one("", "false"); copy != "" {
				set("copy", copy, copy)
				positions = "fresh" // with fixed ones the chain of both arrays takes minutes
			}
			set("positions", positions, positions)
			if freeze := one("", "before"); freeze != "" {
				set("freeze", freeze, freeze)
			}
		} else {
			set("positions", one("fixed", "fresh"), "")
			flags = append(flags, "-positions="+typed["positions"])
		}
		if retain := one("", "true"); retain != "" {
			set("retain", retain, retain)
		}
		q := &all[i]
		q.typed = typed
		workload := []string{"-popularity=uniform:300", "-repeat=0.25"}
		command := append([]string{"recycle"}, flags...)
		switch works := rng.IntN(2) == 0; {
		case works && i%3 == 2:
			q.commands = [][]string{append(command, workload...)}
		case works:
			q.commands = [][]string{command, append(append([]string{"fnr"}, flags...), workload...)}
		default:
			q.commands = [][]string{command}
			workload = nil
		}
		if workload != nil {
			typed["popularity"], typed["repeat"] = "uniform:300", "25 %"
		}
		if i%2 == 1 {
			typed["link"] = "yes"
		}
	}
	return all
}

// objects returns the JSON objects of a text, one after the other.
func objects(t *testing.T, text string) (all []any) {
	t.Helper()
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var x any
		if err := d.Decode(&x); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		all = append(all, x)
	}
	return all
}

// recyclingAgrees holds the page of recycling filters to the commands: the same JSON, from typed values and from
// links, commands that print it again, code that makes the filter, and plots.
func recyclingAgrees(t *testing.T, show shownPage, questions []recyclingQuestion) {
	t.Helper()
	var typed []map[string]string
	for _, q := range questions {
		typed = append(typed, q.typed)
	}
	run := inBrowser(t, show, driverOf("/recycling.html", recyclingFields...), map[string][]byte{"/questions.json": mustJSON(t, typed)})
	if len(run.Errors) > 0 || len(run.Answers) != len(questions) {
		t.Fatalf("%d answers, errors %q", len(run.Answers), run.Errors)
	}
	refused := 0
	for i, q := range questions {
		got := run.Answers[i]
		var want []any
		for _, args := range q.commands {
			_, text, _ := try(nil, append(args, "-json")...)
			want = append(want, objects(t, text)...)
		}
		if e, ok := want[0].(map[string]any)["error"]; ok {
			refused++
			message := e.(map[string]any)["message"].(string)
			if !strings.HasPrefix(got.Status, "No answer: ") || !strings.HasSuffix(got.Status, message) {
				t.Errorf("%v: %s, want %s", q, got.Status, message)
			}
			continue
		}
		if got.Status != "Done." || !reflect.DeepEqual(objects(t, got.JSON), want) {
			t.Errorf("%v: %s, %s\nwant %v", q, got.Status, got.JSON, want)
			continue
		}
		first := want[0].(map[string]any)
		mid := first["fpr"].(map[string]any)["mid"]
		if len(got.Rows) < 5 || got.Rows[0][1] != mid {
			t.Errorf("%v: rows %q, want %s", q, got.Rows, mid)
		}
		var again []any
		for line := range strings.Lines(got.Command) {
			_, text, _ := try(nil, append(strings.Fields(line)[1:], "-json")...)
			again = append(again, objects(t, text)...)
		}
		if !reflect.DeepEqual(again, want) {
			t.Errorf("%s prints %v\nwant %v", got.Command, again, want)
		}
		curves := 1
		if _, given := q.typed["messages"]; !given {
			curves = 3
		}
		if first["absorbing"] == false && got.Curves != curves {
			t.Errorf("%v: %d curves", q, got.Curves)
		}
		var m uint64
		var k int
		if _, err := fmt.Sscanf(got.Go, "filter, err := kernel.NewRecycling(bloomproof.Geometry{M: %d, K: %d", &m, &k); err != nil {
			t.Errorf("%s: %v", got.Go, err)
		}
		g, rule := bloomproof.Geometry{M: m, K: k}, recyclingRule(t, got.Go)
		if strings.Contains(got.Go, "Hashing: bloomproof.Classic") {
			g.Hashing = bloomproof.Classic
		}
		if _, err := kernel.NewRecycling(g, rule, kernel.Options{}); err != nil {
			t.Errorf("%s: %v", got.Go, err)
		}
		if shown := inForce(rule); fmt.Sprint(shown.Phases, shown.Retain, shown.Copy, shown.Freeze, shown.Positions) != fmt.Sprint(first["phases"], first["retain"], first["copy"], first["freeze"], first["positions"]) {
			t.Errorf("%s: %+v, want %v", got.Go, shown, first)
		}
		address, err := url.ParseQuery(strings.TrimPrefix(got.Address, "?"))
		if err != nil || address.Get("m") != q.typed["m"] || address.Get("popularity") != q.typed["popularity"] {
			t.Errorf("%v: address %s, %v", q, got.Address, err)
		}
	}
	if refused > len(questions)/3 {
		t.Errorf("%d of %d answers were refusals", refused, len(questions))
	}
}

// recyclingRule reads the rule of the code that the page writes.
func recyclingRule(t *testing.T, code string) (r bloomproof.Recycling) {
	t.Helper()
	_, text, _ := strings.Cut(code, "bloomproof.Recycling{")
	text, _, _ = strings.Cut(text, "}")
	for _, field := range strings.Split(text, ", ") {
		name, value, _ := strings.Cut(field, ": ")
		of := reflect.ValueOf(&r).Elem().FieldByName(name)
		switch of.Kind() {
		case reflect.Uint64:
			var x uint64
			if _, err := fmt.Sscan(value, &x); err != nil {
				t.Fatal(err)
			}
			of.SetUint(x)
		case reflect.Bool:
			of.SetBool(value == "true")
		default:
			t.Fatalf("%s: no field %s", code, name)
		}
	}
	return r
}

func TestRecyclingPage(t *testing.T) {
	longtest.Only(t, "TestCalculatorAgrees opens the other page, and a browser takes seconds to start")
	recyclingAgrees(t, answeredPage, recyclingQuestions(4)) // one of each kind
}

// recyclingRefuses holds that what cannot be read or answered is named in words, beside its field where it has one.
func recyclingRefuses(t *testing.T, show shownPage) {
	t.Helper()
	unreadable := []map[string]string{
		{"m": "many", "k": "4", "sigma": "100"}, {"m": "1 Mb", "k": "4", "sigma": "100"}, {"m": "1000", "k": "0", "sigma": "100"}, {"m": "1000", "k": "5000", "sigma": "100"},
		{"m": "1000", "k": "4", "sigma": "-1"}, {"m": "1000", "k": "4", "sigma": "1e400"}, {"m": "1000", "k": "4", "messages": "NaN"}, {"m": "1000", "target": "2.5"}, {"m": "1000", "target": "0"},
		{"m": "1000", "k": "4", "sigma": "100", "popularity": "uniform:9", "repeat": "1.5"}, {"m": "1000", "k": "4", "sigma": "100", "popularity": "uniform:9", "repeat": "2"},
		{"m": "1000", "k": "4", "sigma": "\u0661\u0662"}, {"m": "<b>1</b>", "k": "4", "sigma": "1", "link": "yes"},
	}
	incomplete := []map[string]string{
		{"k": "4", "sigma": "100"}, {"m": "1000", "k": "4"}, {"m": "1000", "k": "4", "sigma": "100", "messages": "5"}, {"m": "1000", "sigma": "100"},
		{"m": "1000", "k": "4", "sigma": "100", "popularity": "uniform:9"}, {"m": "1000", "k": "4", "sigma": "100", "repeat": "0.5"},
	}
	impossible := []map[string]string{
		{"m": "1000", "k": "4", "sigma": "1000"}, {"m": "1000", "k": "4", "sigma": "100", "popularity": "pareto:1", "repeat": "0.5"},
		{"m": "1000", "k": "4", "sigma": "100", "popularity": "file:/etc/hostname", "repeat": "0.5"}, {"m": "1000", "k": "4", "sigma": "100", "popularity": "zipf:1:1e18", "repeat": "0.5"},
		{"m": "1000", "k": "4", "sigma": "100", "popularity": "<script>alert(1)</script>", "repeat": "0.5", "link": "yes"},
	}
	var odd []map[string]string
	var kinds []string
	for _, k := range []struct {
		name string
		all  []map[string]string
	}{{"unreadable", unreadable}, {"incomplete", incomplete}, {"impossible", impossible}} {
		for i := 0; i < len(k.all); i += longtest.More(4, 1) { // a browser takes seconds for all
			odd, kinds = append(odd, k.all[i]), append(kinds, k.name)
		}
	}
	run := inBrowser(t, show, driverOf("/recycling.html", recyclingFields...), map[string][]byte{"/questions.json": mustJSON(t, odd)})
	if len(run.Answers) != len(odd) {
		t.Fatalf("%d answers, errors %q", len(run.Answers), run.Errors)
	}
	for _, e := range run.Errors {
		if !strings.Contains(e, "status of 400") { // the browser's note that the server refused a value
			t.Errorf("console: %s", e)
		}
	}
	for i, q := range odd {
		got, reads := run.Answers[i], strings.Join(run.Answers[i].Reads, "\n")
		switch {
		case kinds[i] == "unreadable" && (got.Status != "A value cannot be read." || !strings.Contains(reads, "must be") && !strings.Contains(reads, "may be")),
			kinds[i] == "incomplete" && !strings.Contains(got.Status, "needed") && !strings.Contains(got.Status, "A workload has both"),
			kinds[i] == "impossible" && (!strings.HasPrefix(got.Status, "No answer: ") || !strings.Contains(got.Status, "must") || len(got.Rows) > 0):
			t.Errorf("%v: %s %q, rows %q", q, got.Status, reads, got.Rows)
		}
	}
}

func TestRecyclingPageRefuses(t *testing.T) {
	longtest.Only(t, "a browser takes seconds to start")
	recyclingRefuses(t, servedPage)
}
