{{- /*
What the values give a pod besides, as JSON: lists of all pods and then its own, of objects the keys of both, its own first.
Takes root, pod.
*/ -}}
{{- define "ray.more" -}}
{{- $more := dict -}}
{{- range $key := list "envFrom" "volumes" "volumeMounts" "initContainers" "containers" "topologySpreadConstraints" -}}
{{- $_ := set $more $key (concat (get $.root.Values $key | default list) (get $.pod $key | default list)) -}}
{{- end -}}
{{- range $key := list "env" "labels" "annotations" -}}
{{- $_ := set $more $key (merge (dict) (get $.pod $key | default dict) (get $.root.Values $key | default dict)) -}}
{{- end -}}
{{- toJson $more -}}
{{- end -}}

{{- /* Labels that find the pods of this kind. Takes root, head, group. */ -}}
{{- define "ray.podSelector" -}}
{{ include "ray.selector" .root }}
app.kubernetes.io/component: {{ ternary "head" "worker" .head }}
{{- if not .head }}
ray-group: {{ .group }}
{{- end }}
{{- end -}}

{{- define "ray.podLabels" -}}
{{ include "ray.podSelector" . }}
app.kubernetes.io/version: {{ .root.Values.rayVersion | quote }}
{{- end -}}
