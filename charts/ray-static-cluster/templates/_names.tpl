{{- define "ray.name" -}}
{{- if not .Values.clusterName -}}
{{- fail "clusterName: found nothing; expected a name of a-z, 0-9 and inner -, such as --set clusterName=analytics" -}}
{{- end -}}
{{- printf "%s-ray" .Values.clusterName -}}
{{- end -}}

{{- define "ray.headHost" -}}
{{- printf "%s-head-svc.%s.svc" (include "ray.name" .) .Release.Namespace -}}
{{- end -}}

{{- /* Labels that find the pods of this cluster and no other's. */ -}}
{{- define "ray.selector" -}}
app.kubernetes.io/name: ray
app.kubernetes.io/instance: {{ include "ray.name" . }}
{{- end -}}

{{- define "ray.labels" -}}
{{ include "ray.selector" . }}
app.kubernetes.io/version: {{ .Values.rayVersion | quote }}
{{- end -}}

{{- define "ray.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "ray.name" .) -}}
{{- end -}}

{{- /* The head's own where it has rights in Kubernetes, which what runs on workers must not have. */ -}}
{{- define "ray.headServiceAccount" -}}
{{- if eq .Values.mode "static" -}}
{{- include "ray.serviceAccount" . -}}
{{- else -}}
{{- .Values.serviceAccount.headName | default (printf "%s-head" (include "ray.name" .)) -}}
{{- end -}}
{{- end -}}

{{- /* Worker groups by name, complete, as JSON. */ -}}
{{- define "ray.groups" -}}
{{- $groups := dict -}}
{{- range $name, $group := (.Values.workerGroups | default (dict "worker" dict)) -}}
{{- $_ := set $groups $name (mergeOverwrite (deepCopy $.Values.worker) ($group | default dict)) -}}
{{- end -}}
{{- toJson $groups -}}
{{- end -}}
