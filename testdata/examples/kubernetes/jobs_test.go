// Package jobs reads the examples as Kubernetes does: with its own types, strictly.
package jobs

import (
	"bytes"
	"os"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestTheExamplesAreResourcesOfKubernetes(t *testing.T) {
	for file, kinds := range map[string][]any{"job.yaml": {new(corev1.ConfigMap), new(batchv1.Job)}, "shards.yaml": {new(batchv1.Job)}, "merge.yaml": {new(batchv1.Job)}} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents := bytes.Split(text, []byte("\n---\n"))
		if len(documents) != len(kinds) {
			t.Fatalf("%s has %d documents, want %d", file, len(documents), len(kinds))
		}
		for i, d := range documents {
			if err := yaml.UnmarshalStrict(d, kinds[i]); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if job, ok := kinds[i].(*batchv1.Job); ok {
				checkJob(t, file, job)
			}
		}
	}
}

// checkJob checks what the server of Kubernetes would refuse, or would not do.
func checkJob(t *testing.T, file string, job *batchv1.Job) {
	t.Helper()
	pod := job.Spec.Template.Spec
	if pod.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("%s: restartPolicy is %q: backoffLimitPerIndex needs Never", file, pod.RestartPolicy)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("%s: no volume %q", file, m.Name)
		}
	}
	if mode := job.Spec.CompletionMode; mode != nil {
		var shards string
		for _, e := range pod.Containers[0].Env {
			if e.Name == "CONFORMANCE_SHARDS" {
				shards = e.Value
			}
		}
		if *mode != batchv1.IndexedCompletion || *job.Spec.Completions != 4 || shards != "4" {
			t.Errorf("%s: %s with %d completions and %q shards", file, *mode, *job.Spec.Completions, shards)
		}
	}
}
