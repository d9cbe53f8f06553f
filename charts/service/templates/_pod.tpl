{{- define "service.labels" -}}
app.kubernetes.io/name: {{ .Values.name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The variables of every pod, with the database as the only secret. */}}
{{- define "service.commonEnvironment" -}}
- { name: APP_DATABASE_URL, valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: databaseUrl } } }
{{- range $name, $value := .Values.environment }}
- { name: {{ $name | quote }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The variables of the service's pods: secrets by reference only. */}}
{{- define "service.environment" -}}
{{ include "service.commonEnvironment" . }}
- { name: APP_STATE_BACKEND, valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: stateBackend, optional: true } } }
- { name: APP_WEBHOOK_SECRET, valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: webhookSecret, optional: true } } }
- { name: APP_ENCRYPTION_KEYS, valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: encryptionKeys, optional: true } } }
- { name: PULUMI_CONFIG_PASSPHRASE, valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: passphrase, optional: true } } }
{{- range $name, $key := .Values.secretEnvironment }}
- { name: {{ $name | quote }}, valueFrom: { secretKeyRef: { name: {{ $.Values.secretName | quote }}, key: {{ $key | quote }} } } }
{{- end }}
{{- end }}

{{/* Files that the environment or the config of stacks names. */}}
{{- define "service.filesMount" -}}
{{- if .Values.filesSecretName }}
- { name: files, mountPath: /etc/stackyard, readOnly: true }
{{- end }}
{{- end }}

{{- define "service.filesVolume" -}}
{{- with .Values.filesSecretName }}
- name: files
  secret: { secretName: {{ . | quote }}, defaultMode: 0440 }
{{- end }}
{{- end }}

{{/* The Secret with the credentials of a Director, where the environment says anything of one; with the defaults of the service. */}}
{{- define "service.directorSecret" -}}
{{- $env := .Values.environment }}
{{- $says := false }}
{{- range list "APP_DIRECTOR_URL" "APP_CREDENTIALS_NAMESPACE" "APP_OAUTH_CREDENTIALS_NAMESPACE" "APP_OAUTH_CREDENTIALS_SECRET_NAME" }}
{{- if get $env . }}{{ $says = true }}{{ end }}
{{- end }}
{{- if $says }}
namespace: {{ coalesce (get $env "APP_CREDENTIALS_NAMESPACE") (get $env "APP_OAUTH_CREDENTIALS_NAMESPACE") "compass-system" | quote }}
name: {{ get $env "APP_OAUTH_CREDENTIALS_SECRET_NAME" | default "compass-provisioner-credentials" | quote }}
{{- end }}
{{- end }}

{{/* Namespace of the Runtimes that the service reads with its own account; empty if there is none. */}}
{{- define "service.runtimes" -}}
{{- $env := .Values.environment }}
{{- if not (get $env "APP_RUNTIMES_KUBECONFIG_PATH") }}{{ get $env "APP_RUNTIMES_NAMESPACE" }}{{ end }}
{{- end }}

{{/* Where pods run, those of the migrations too. */}}
{{- define "service.placement" -}}
{{- $placement := dict }}
{{- range $name := list "priorityClassName" "nodeSelector" "tolerations" }}
{{- with get $.Values $name }}{{ $placement = set $placement $name . }}{{ end }}
{{- end }}
{{- with $placement }}{{ toYaml . }}{{ end }}
{{- end }}

{{- define "service.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "service.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}
