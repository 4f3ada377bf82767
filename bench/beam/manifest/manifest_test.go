package manifest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// docs/scale/job.yaml has no field that Kubernetes does not know, and what its API asks of an
// Indexed Job with a policy for failures. It is tested in this module since the API is large,
// and in a package without Beam, which takes minutes to build.
func TestJob(t *testing.T) {
	text, err := os.ReadFile("../../../docs/scale/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != 2 {
		t.Fatalf("%d documents", len(documents))
	}
	var claim core.PersistentVolumeClaim
	var job batch.Job
	if err := yaml.UnmarshalStrict(documents[0], &claim); err != nil || claim.APIVersion != "v1" || claim.Kind != "PersistentVolumeClaim" {
		t.Fatalf("%v: %v", claim.TypeMeta, err)
	}
	if err := yaml.UnmarshalStrict(documents[1], &job); err != nil || job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Fatalf("%v: %v", job.TypeMeta, err)
	}
	spec, pod := job.Spec, job.Spec.Template.Spec
	if spec.CompletionMode == nil || *spec.CompletionMode != batch.IndexedCompletion || *spec.Parallelism > *spec.Completions {
		t.Errorf("completion mode, completions or parallelism: %+v", spec)
	}
	// Validation of the API: limits by index need an Indexed Job, and policies this restart policy.
	if spec.BackoffLimit != nil || *spec.BackoffLimitPerIndex < 1 || *spec.MaxFailedIndexes > *spec.Completions || pod.RestartPolicy != core.RestartPolicyNever {
		t.Errorf("limits: %+v", spec)
	}
	container := pod.Containers[0]
	actions := map[batch.PodFailurePolicyAction]bool{}
	for _, rule := range spec.PodFailurePolicy.Rules {
		actions[rule.Action] = true
		if (rule.OnExitCodes == nil) == (len(rule.OnPodConditions) == 0) {
			t.Errorf("a rule needs one of exit codes and conditions: %+v", rule)
		}
		for _, c := range rule.OnPodConditions {
			if c.Type != core.DisruptionTarget || c.Status != core.ConditionTrue {
				t.Errorf("condition %+v", c)
			}
		}
		if on := rule.OnExitCodes; on != nil && (*on.ContainerName != container.Name || on.Operator != batch.PodFailurePolicyOnExitCodesOpIn) {
			t.Errorf("exit codes %+v", on)
		}
	}
	if !actions[batch.PodFailurePolicyActionIgnore] || !actions[batch.PodFailurePolicyActionFailIndex] {
		t.Errorf("actions %v", actions)
	}
	env := map[string]core.EnvVar{}
	for _, e := range container.Env {
		env[e.Name] = e
	}
	if ref := env["WORKERS"].ValueFrom; ref == nil || ref.ResourceFieldRef == nil || ref.ResourceFieldRef.Resource != "limits.cpu" || container.Resources.Limits.Cpu().IsZero() {
		t.Errorf("WORKERS: %+v", ref)
	}
	if len(pod.Volumes) != 1 || pod.Volumes[0].PersistentVolumeClaim.ClaimName != claim.Name ||
		container.VolumeMounts[0].Name != pod.Volumes[0].Name || container.VolumeMounts[0].MountPath != env["OUT"].Value {
		t.Error("the results are not on the volume that is claimed")
	}
	if claim.Spec.AccessModes[0] != core.ReadWriteMany {
		t.Error("the parts cannot write at the same time")
	}
	run, err := os.ReadFile("../../../docs/scale/run.sh")
	if err != nil || len(container.Args) != 1 || !strings.Contains(string(run), "\n  "+container.Args[0]+")") {
		t.Errorf("run.sh knows no task %q, %v", container.Args, err)
	}
	// A field that is misspelt is found.
	wrong := bytes.Replace(documents[1], []byte("completionMode"), []byte("completionmode2"), 1)
	if err := yaml.UnmarshalStrict(wrong, new(batch.Job)); err == nil {
		t.Error("an unknown field is accepted")
	}
}

// The workflow of docs/pipe.md is YAML, and what GitHub Actions asks of one: a trigger, and jobs with a
// host and steps that either use an action or run a command.
func TestWorkflow(t *testing.T) {
	page, err := os.ReadFile("../../../docs/pipe.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n```yaml\n")
	text, _, found := strings.Cut(text, "\n```\n")
	if !found {
		t.Fatal("there is no workflow")
	}
	var workflow struct {
		Name string   `json:"name"`
		On   []string `json:"true"` // as YAML 1.1 reads on
		Jobs map[string]struct {
			RunsOn string `json:"runs-on"`
			Steps  []struct {
				Uses string         `json:"uses"`
				Run  string         `json:"run"`
				If   string         `json:"if"`
				With map[string]any `json:"with"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	if err := yaml.UnmarshalStrict([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for name, job := range workflow.Jobs {
		for i, s := range job.Steps {
			if (s.Uses == "") == (s.Run == "") {
				t.Errorf("step %d of %s: %+v", i, name, s)
			}
			if strings.Contains(s.Run, " conform ") {
				runs++
			}
		}
		if job.RunsOn == "" {
			t.Errorf("%s runs nowhere", name)
		}
	}
	if len(workflow.On) == 0 || runs != 1 {
		t.Errorf("%+v", workflow)
	}
}
