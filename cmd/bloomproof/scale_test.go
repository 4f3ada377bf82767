package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// site is a place where the scripts of docs/scale are run: a copy of them beside programs,
// as the top of the repository, and a directory of results.
type site struct {
	t        *testing.T
	top, out string
}

func newSite(t *testing.T) site {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("short, or no shell as on Windows: builds three programs and runs the scripts of docs/scale with them")
	}
	s := site{t, t.TempDir(), t.TempDir()}
	if err := os.CopyFS(filepath.Join(s.top, "docs", "scale"), os.DirFS("../../docs/scale")); err != nil {
		t.Fatal(err)
	}
	return s
}

// program puts a program of two lines at path, below the top.
func (s site) program(path, text string) {
	path = filepath.Join(s.top, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		s.t.Fatal(err)
	}
}

// script runs a script of docs/scale with a task, and returns its status and output.
func (s site) script(name, task string, env ...string) (status int, stdout, stderr string) {
	c := exec.Command("bash", filepath.Join(s.top, "docs", "scale", name), task)
	c.Dir = s.top
	c.Env = append(append(os.Environ(), "OUT="+s.out), env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		s.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// read returns the text of a file of results.
func (s site) read(name string) string {
	text, err := os.ReadFile(filepath.Join(s.out, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s site) write(name, text string) {
	if err := os.WriteFile(filepath.Join(s.out, name), []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// Index i of N, counted from 0 by both engines, is part i+1/N of every tool; what is not an
// index is refused.
func TestScaleParts(t *testing.T) {
	longtest.Only(t, "it starts two dozen scripts; TestScaleManifests and TestScaleSlurm hold what starts them")
	s := newSite(t)
	for _, tool := range []string{".bin/sweep", ".bin/soak", ".ci/fuzz"} {
		s.program(tool, `echo "$(basename "$0") $*"`)
	}
	s.program(".bin/bloomproof", `case "$*" in *-run*) echo "x.y v pass $* 1 cases";; *) echo "\"id\": \"x.y\"";; esac`)
	s.write("settings", "-a\n-b\n-c\n")
	for _, engine := range []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"} {
		for i, n := range []int{2, 64} {
			for _, index := range []int{0, n - 1} {
				part := fmt.Sprintf("%d/%d", index+1, n)
				env := []string{fmt.Sprintf("%s=%d", engine, index), fmt.Sprintf("SHARDS=%d", n), "WORKERS=3", "SWEEP=-points 7", "SOAK=-seeds 8", "FUZZ=-for 9s"}
				for task, want := range map[string]string{
					"sweep": fmt.Sprintf("sweep -resume %s/sweep.%d-of-%d -shard %s -workers 3 -points 7\n", s.out, index+1, n, part),
					"soak":  fmt.Sprintf("soak -resume %s/soak.%d-of-%d -shard %s -seeds 8\n", s.out, index+1, n, part),
					"fuzz":  fmt.Sprintf("fuzz -shard %s -workers 3 -for 9s\n", part),
				} {
					if status, got, stderr := s.script("run.sh", task, env...); status != 0 || got != want {
						t.Errorf("%s of %s: status %d, %q %s, want %q", task, part, status, got, stderr, want)
					}
				}
				if i > 0 {
					continue
				}
				if status, _, stderr := s.script("run.sh", "claims", env...); status != 0 {
					t.Errorf("claims of %s: status %d, %s", part, status, stderr)
				}
				if got := s.read(fmt.Sprintf("claims.%d-of-%d", index+1, n)); !strings.Contains(got, "-effort full -shard "+part+" -id x.y ") {
					t.Errorf("claims of %s: %q", part, got)
				}
			}
		}
	}
	// What fuzzing found is copied when it says so, and merging tells of it.
	if status, got, stderr := s.script("merge.sh", "fuzz"); status != 3 {
		t.Errorf("fuzz with parts of 2 and 64: status %d, %s%s", status, got, stderr)
	}
	s.out = t.TempDir()
	for _, found := range []int{0, 1} {
		s.program(".ci/fuzz", fmt.Sprintf("mkdir -p fuzz/testdata/fuzz/FuzzX && sleep 0.01 && echo x >fuzz/testdata/fuzz/FuzzX/%d && echo 'fuzz: 1 targets' && exit %d", found, found))
		if status, _, stderr := s.script("run.sh", "fuzz", "JOB_COMPLETION_INDEX=0", "SHARDS=1"); status != found {
			t.Errorf("fuzz: status %d, %s", status, stderr)
		}
		status, got, stderr := s.script("merge.sh", "fuzz")
		if status != found || !strings.Contains(got, "fuzz: 1 targets\n") || strings.Contains(got, "/FuzzX/1\n") != (found == 1) {
			t.Errorf("fuzz merged: status %d, %s%s", status, got, stderr)
		}
	}
	for _, bad := range [][]string{
		{"JOB_COMPLETION_INDEX=4", "SHARDS=4"}, {"JOB_COMPLETION_INDEX=-1", "SHARDS=4"}, {"JOB_COMPLETION_INDEX=", "SHARDS=4"},
		{"JOB_COMPLETION_INDEX=0", "SHARDS="}, {"JOB_COMPLETION_INDEX=0", "SHARDS=0"}, {"JOB_COMPLETION_INDEX=1x", "SHARDS=4"},
	} {
		if status, got, stderr := s.script("run.sh", "sweep", bad...); status != 2 || got != "" || !strings.Contains(stderr, "index") {
			t.Errorf("%v: status %d, %q, %q", bad, status, got, stderr)
		}
	}
	for _, name := range []string{"run.sh", "merge.sh"} {
		if status, _, _ := s.script(name, "nonsense", "JOB_COMPLETION_INDEX=0", "SHARDS=1"); status != 2 {
			t.Errorf("%s nonsense: status %d", name, status)
		}
	}
}

// The manifests ask for as many parts as they say there are.
func TestScaleManifests(t *testing.T) {
	for name, patterns := range map[string][]string{
		"job.yaml":     {`\n  completions: (\d+) `, `\n            - name: SHARDS\n              value: "(\d+)"\n`, `# (\d+) parts`},
		"array.sbatch": {`\n#SBATCH --array=0-(\d+)\n`, `\nexport SHARDS=(\d+) `, `# (\d+) parts`},
	} {
		text, err := os.ReadFile(filepath.Join("../../docs/scale", name))
		if err != nil {
			t.Fatal(err)
		}
		var found []int
		for i, p := range patterns {
			m := regexp.MustCompile(p).FindAllSubmatch(text, -1)
			if len(m) != 1 {
				t.Fatalf("%s: %d times %q", name, len(m), p)
			}
			n, _ := strconv.Atoi(string(m[0][1]))
			if name == "array.sbatch" && i == 0 {
				n++ // the last index
			}
			found = append(found, n)
		}
		if found[0] != found[1] || found[0] != found[2] {
			t.Errorf("%s: numbers of parts %v", name, found)
		}
	}
	docker, err := os.ReadFile("../../docs/scale/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range regexp.MustCompile(` \./(\S+)|"(docs\S+)"`).FindAllStringSubmatch(string(docker), -1) {
		if _, err := os.Stat(filepath.Join("../..", path[1]+path[2])); err != nil {
			t.Error(err)
		}
	}
}

// Real parts of small tasks, put together.
func TestScaleRuns(t *testing.T) {
	longtest.Only(t, "links three programs")
	s := newSite(t)
	c := exec.Command("go", "build", "-o", filepath.Join(s.top, ".bin")+"/", "./cmd/bloomproof", "./verify/internal/tools/sweep", "./verify/internal/tools/soak")
	c.Dir = "../.."
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for name, run := range map[string]func(site){"claims": runClaims, "records": runRecords, "simulate": runSimulate} {
		t.Run(name, func(t *testing.T) { run(site{t, s.top, t.TempDir()}) })
	}
}

// runClaims stops a part and goes on with it.
func runClaims(s site) {
	t := s.t
	const some = "CLAIMS=-id burns.eq46"
	run := func(index int) (int, string) {
		status, _, stderr := s.script("run.sh", "claims", fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index), "SHARDS=3", "EFFORT=quick", some)
		return status, stderr
	}
	for i := range 3 {
		if status, stderr := run(i); status != 0 {
			t.Fatalf("part %d: status %d, %s", i+1, status, stderr)
		}
	}
	var ids []string
	status, list, _ := try(nil, "claims", "-id", "burns.eq46", "-json")
	var listed struct {
		Claims []struct{ ID, Verdict string }
	}
	if err := json.Unmarshal([]byte(list), &listed); status != statusOK || err != nil || len(listed.Claims) < 2 {
		t.Fatalf("%v, %d claims", err, len(listed.Claims))
	}
	for _, c := range listed.Claims {
		ids = append(ids, c.ID)
	}
	fields := func(text string) (all []string) {
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			if f := strings.Fields(line); len(f) > 2 {
				all = append(all, f[0]+" "+f[2])
			}
		}
		return all
	}
	want := []string{}
	for _, id := range ids {
		want = append(want, id+" pass")
	}
	status, whole, stderr := s.script("merge.sh", "claims", some)
	if status != 0 || !slices.Equal(fields(whole), want) {
		t.Fatalf("merged: status %d, %s%s, want %q", status, whole, stderr, want)
	}

	// Stopped in the middle of a line: what is whole is kept, the rest is done again.
	file := "claims.2-of-3"
	lines := strings.SplitAfter(strings.TrimSpace(s.read(file)), "\n")
	kept := strings.Replace(lines[0], " cases", " cases, kept", 1)
	s.write(file, kept+lines[1][:20])
	if status, _, _ := s.script("merge.sh", "claims", some); status != 1 {
		t.Errorf("with a part that is not complete: status %d", status)
	}
	if status, stderr := run(1); status != 0 || !strings.Contains(s.read(file), kept) {
		t.Errorf("again: status %d, %s, %s", status, stderr, s.read(file))
	}
	if status, again, _ := s.script("merge.sh", "claims", some); status != 0 || again != whole {
		t.Errorf("merged again: status %d\n%s\nwant\n%s", status, again, whole)
	}
	s.write(file, strings.Replace(s.read(file), " pass ", " fail ", 1))
	if status, stderr := run(1); status != 1 {
		t.Errorf("a part with a failure: status %d, %s", status, stderr)
	}
	if status, got, _ := s.script("merge.sh", "claims", some); status != 1 || !strings.Contains(got, " fail ") {
		t.Errorf("merged with a failure: status %d, %s", status, got)
	}
}

// runRecords runs what keeps a record of its own.
func runRecords(s site) {
	t := s.t
	for task, c := range map[string]struct{ flags, want string }{
		"sweep": {"SWEEP=-points 2000 -only Taylor", `\nTaylor +2000 `},
		"soak":  {"SOAK=-only sound -seeds 2 -effort 0.01", `: 2 seeds at effort 0\.01, 0 accused\n`},
	} {
		for i := range 2 {
			if status, _, stderr := s.script("merge.sh", task); status != 3 {
				t.Errorf("%s without part %d: status %d, %s", task, i+1, status, stderr)
			}
			if status, _, stderr := s.script("run.sh", task, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i), "SHARDS=2", c.flags); status != 0 {
				t.Fatalf("%s %d: status %d, %s", task, i, status, stderr)
			}
		}
		if status, got, stderr := s.script("merge.sh", task); status != 0 || !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%s: status %d, %s %s", task, status, got, stderr)
		}
	}
}

// runSimulate puts settings together in their order, each what a single call prints.
func runSimulate(s site) {
	t := s.t
	settings := []string{"-m 64 -k 2 -n 10 -runs 2", "-m 64 -k 2 -sigma 32 -runs 2", "-m 100 -k 3 -n 5 -runs 2", "-m 64 -k 2 -messages 9 -runs 2 -seed 1"}
	s.write("settings", strings.Join(settings, "\n"))
	file := "SETTINGS=" + filepath.Join(s.out, "settings")
	run := func(index int) int {
		status, _, _ := s.script("run.sh", "simulate", fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index), "SHARDS=3", file)
		return status
	}
	for i := range 2 {
		if status := run(i); status != 0 {
			t.Fatalf("part %d: status %d", i+1, status)
		}
	}
	if status, _, _ := s.script("merge.sh", "simulate", file); status != 1 {
		t.Errorf("without the last part: status %d", status)
	}
	s.write("simulate.3.json", "kept\n")
	if status := run(2); status != 0 {
		t.Fatalf("part 3: status %d", status)
	}
	want := ""
	for i, line := range settings {
		status, got, stderr := try(nil, append([]string{"simulate", "-json"}, strings.Fields(line)...)...)
		if status != statusOK {
			t.Fatal(stderr)
		}
		if i == 2 {
			got = "kept\n"
		}
		want += got
	}
	if status, got, stderr := s.script("merge.sh", "simulate", file); status != 0 || got != want {
		t.Errorf("merged: status %d, %s\n%s\nwant\n%s", status, stderr, got, want)
	}
	s.write("settings", strings.Join(settings, "\n")+"\n-m 0\n")
	if status := run(1); status == 0 || status == 1 {
		t.Errorf("a line that is refused: status %d", status)
	}
}

// The batch script runs its part by way of srun, with all that run.sh needs.
func TestScaleSlurm(t *testing.T) {
	s := newSite(t)
	s.program("srun", `exec "$@"`)
	s.program(".bin/sweep", `echo "$*"; exit 1`)
	status, got, stderr := s.script("array.sbatch", "sweep", "PATH="+s.top+":"+os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=63", "SLURM_ARRAY_JOB_ID=5", "SLURM_CPUS_PER_TASK=4")
	if want := fmt.Sprintf("-resume %s/sweep.64-of-64 -shard 64/64 -workers 4\n", s.out); got != want || status != 1 {
		t.Errorf("status %d, %q %s, want %q", status, got, stderr, want)
	}
}

// The table for 10^12 keys, and the figures around it, follow from the sizes that approx finds, from the times that
// bench/RESULTS.md records, and from the text's own assumptions: 256 filters, machines of 64 GiB and 16 cores.
func TestScaleFigures(t *testing.T) {
	section := func(path, heading string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(string(text), heading)
		if !ok {
			t.Fatalf("%s has no %q", path, heading)
		}
		rest, _, _ = strings.Cut(rest, "\n##")
		return rest
	}
	page := section("../../docs/scale.md", "\n## 10^12 keys\n")
	times := section("../../bench/RESULTS.md", "\n### Filters of 1 GiB: nanoseconds per key\n")
	inserts := func(filter string) float64 { // nanoseconds an insertion of an 8-byte key
		m := regexp.MustCompile(`(?m)^\| ` + filter + ` \| 8-byte keys \| [^|]*\| ([0-9.]+) \(`).FindStringSubmatch(times)
		if m == nil {
			t.Fatalf("RESULTS.md has no time for %s", filter)
		}
		ns, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return ns
	}
	const (
		keys, filters  = 1e12, 256
		room, cores    = 64 << 30, 16 // of a machine
		timedK         = 7            // cache lines of an insertion that RESULTS.md times
		share          = keys / filters
		rate           = 1e-6
		keyBytes       = 16
		likelyOverflow = 2e-7
	)
	deviation := math.Sqrt(keys * (1.0 / filters) * (1 - 1.0/filters))
	most := math.Ceil((share+6*deviation)/1000) * 1000
	overflow := filters * math.Erfc((most-share)/deviation/math.Sqrt2) / 2
	if math.Round(overflow*1e7)/1e7 != likelyOverflow {
		t.Errorf("the probability of a filter with more keys is %g", overflow)
	}
	group := func(n uint64) string { // 1,234,567
		s := strconv.FormatUint(n, 10)
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
		return s
	}
	twoDigits := func(x float64) string { // 2 significant digits, without an exponent
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	whole, err := approx.LeastBits(bloomproof.Geometry{}, keys, rate)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"10^12/256 = " + group(share),
		"standard deviation of " + group(uint64(math.Round(deviation/100)*100)),
		group(uint64(most)), fmt.Sprintf("-n %.0f -fpr 1e-6 -block 512", most), "2 * 10^-7",
		fmt.Sprintf("%.1f * 10^12 bits: %.1f TiB", float64(whole.Geometry.M)/1e12, float64(whole.Geometry.M)/8/(1<<40)),
		fmt.Sprintf("%v ns per insertion with %d cache lines", inserts("bloomproof batch"), timedK),
		fmt.Sprintf("%.0f TB", keys*keyBytes/1e12),
	} {
		if !strings.Contains(strings.Join(strings.Fields(page), " "), text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	rows := map[string][]string{}
	for i, column := range []struct {
		g      bloomproof.Geometry
		lines  int
		insert float64
	}{
		{bloomproof.Geometry{}, 20, inserts("bloomproof batch") * 20 / timedK},
		{bloomproof.Geometry{Block: 512}, 1, inserts("bloomproof blocks 512 batch")},
	} {
		best, err := approx.LeastBits(column.g, uint64(most), rate)
		if err != nil {
			t.Fatal(err)
		}
		g := best.Geometry
		if i == 0 && g.K != column.lines {
			t.Errorf("k is %d", g.K)
		}
		memory := float64(g.M) / 8
		each := math.Floor(room / memory)
		machines := math.Ceil(filters / each)
		hours := keys * column.insert * 1e-9 / 3600
		seconds := hours * 3600 / machines / cores
		duration := twoDigits(seconds) + " s"
		if seconds >= 100 {
			duration = fmt.Sprintf("%.0f min", seconds/60)
		}
		for row, value := range map[string]string{
			"bits in a filter":                             group(g.M),
			"memory of a filter":                           fmt.Sprintf("%.1f GiB", memory/(1<<30)),
			"memory of all 256":                            fmt.Sprintf("%.1f TiB", filters*memory/(1<<40)),
			"machines with 64 GiB for filters":             fmt.Sprintf("%.0f, %s filters each", machines, map[float64]string{3: "three", 4: "four"}[each]),
			"cache lines per insertion":                    strconv.Itoa(column.lines),
			"adding 10^12 keys, core hours":                twoDigits(hours),
			"adding them on those machines, 16 cores each": duration,
		} {
			rows[row] = append(rows[row], value)
		}
	}
	for name, want := range rows {
		if row := "| " + name + " | " + strings.Join(want, " | ") + " |\n"; !strings.Contains(page, row) {
			t.Errorf("the page lacks the row %s", row)
		}
	}
}
