{{- /*
The pod of a head or of a worker group, as YAML. With the KubeRay operator the command, the probes and the wait for the head
are the operator's. Takes root, pod, what, head (bool), group (name of the worker group).
*/ -}}
{{- define "ray.podTemplate" -}}
{{- $template := include "ray.ownPodTemplate" . | fromYaml -}}
{{- $own := merge (dict) (.pod.podSpec | default dict) (.root.Values.podSpec | default dict) -}}
{{- $_ := set $template "spec" (mergeOverwrite $template.spec (deepCopy $own)) -}}
{{- toYaml $template -}}
{{- end -}}

{{- define "ray.ownPodTemplate" -}}
{{- $values := .root.Values -}}
{{- $kuberay := eq $values.mode "kuberay" -}}
{{- $scales := and .head (eq $values.mode "autoscaling") -}}
{{- $image := include "ray.image" . -}}
{{- /* The operator mounts a volume of this name into its autoscaler, which reads what the head writes there. */ -}}
{{- $sessions := ternary "ray-logs" "sessions" $kuberay -}}
{{- $size := include "ray.size" . | fromJson -}}
{{- $pool := $values.pool -}}
{{- if hasKey .pod "pool" -}}{{- $pool = .pod.pool -}}{{- end -}}
{{- $more := include "ray.more" . | fromJson -}}
metadata:
  labels: {{ merge (include "ray.podLabels" . | fromYaml) $more.labels | toJson }}
  annotations:
    {{- $annotations := dict "ray-version" $values.rayVersion }}
    {{- if .head }}{{- $_ := set $annotations "cluster-autoscaler.kubernetes.io/safe-to-evict" "false" }}{{- end }}
    {{- if $scales }}
    {{- /* The autoscaler reads at its start what workers are like. */ -}}
    {{- $_ := set $annotations "checksum/autoscaler" (include "ray.autoscalerConfig" .root | sha256sum) }}
    {{- $_ := set $annotations "checksum/pods" (include "ray.autoscalerPods" .root | sha256sum) }}
    {{- $_ := set $annotations "checksum/provider" (.root.Files.Get "files/kubernetes_pods.py" | sha256sum) }}
    {{- end }}
    {{- merge (dict) $more.annotations $annotations | toYaml | nindent 4 }}
spec:
  serviceAccountName: {{ ternary (include "ray.headServiceAccount" .root) (.pod.serviceAccount | default (include "ray.serviceAccount" .root)) .head }}
  automountServiceAccountToken: {{ and .head (ne $values.mode "static") }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: 60
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with .pod.priorityClassName | default $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $more.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- range . }}
    - {{ merge (dict) . (dict "labelSelector" (dict "matchLabels" (include "ray.podSelector" $ | fromYaml))) | toJson }}
    {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 100
    fsGroup: 100
    seccompProfile: { type: RuntimeDefault }
  {{- with merge (dict) (.pod.nodeSelector | default dict) (ternary (dict) (dict "dedicated" $pool) (empty $pool)) }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with concat (ternary (list) (list (dict "key" "dedicated" "operator" "Equal" "value" $pool "effect" "NoSchedule")) (empty $pool)) (.pod.tolerations | default list) }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- $waits := and (not .head) (not $kuberay) }}
  {{- if or $values.tls.caSecretName $waits $more.initContainers }}
  initContainers:
    {{- if $values.tls.caSecretName }}
    - name: certificate
      image: {{ $image }}
      imagePullPolicy: {{ $values.imagePullPolicy }}
      command: [sh, /etc/ray/scripts/certificate.sh]
      env:
        - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
        - { name: SERVICE, value: {{ include "ray.headHost" .root }} }
      resources: { requests: { cpu: 100m, memory: 64M }, limits: { cpu: 100m, memory: 64M } }
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
      volumeMounts:
        - { name: scripts, mountPath: /etc/ray/scripts }
        - { name: authority, mountPath: /etc/ray/authority, readOnly: true }
        - { name: tls, mountPath: /etc/ray/tls }
    {{- end }}
    {{- range $more.initContainers }}
    - {{ toJson . }}
    {{- end }}
    {{- if $waits }}
    - name: wait-for-head
      image: {{ $image }}
      imagePullPolicy: {{ $values.imagePullPolicy }}
      command:
        - sh
        - -c
        - until ray health-check --address {{ include "ray.headHost" .root }}:{{ $values.ports.gcs }} >/dev/null 2>&1; do echo waiting for the head; sleep 2; done
      env: {{ include "ray.env" . }}
      resources: { requests: { cpu: 200m, memory: 512M }, limits: { cpu: "1", memory: 512M } }
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
      {{- if or $values.tls.caSecretName $more.volumeMounts }}
      volumeMounts:
        {{- if $values.tls.caSecretName }}
        - { name: tls, mountPath: /etc/ray/tls }
        {{- end }}
        {{- /* Variables may name files of theirs; the operator's own wait has them too. */ -}}
        {{- range $more.volumeMounts }}
        - {{ toJson . }}
        {{- end }}
      {{- end }}
    {{- end }}
  {{- end }}
  containers:
    - name: {{ ternary "head" "worker" .head }}
      image: {{ $image }}
      imagePullPolicy: {{ $values.imagePullPolicy }}
      {{- if not $kuberay }}
      command: [ray]
      args: {{ include "ray.arguments" . }}
      {{- end }}
      env: {{ include "ray.env" . }}
      {{- with $more.envFrom }}
      envFrom: {{ toJson . }}
      {{- end }}
      ports:
        {{- if .head }}
        - { name: gcs, containerPort: {{ $values.ports.gcs }} }
        - { name: client, containerPort: {{ $values.ports.client }} }
        - { name: dashboard, containerPort: {{ $values.ports.dashboard }} }
        {{- end }}
        - { name: metrics, containerPort: {{ $values.ports.metrics }} }
        {{- range .pod.ports }}
        - {{ toJson . }}
        {{- end }}
      resources:
        {{- $amounts := dict "cpu" (toString (int $size.cpu)) "memory" $size.total }}
        {{- if gt (int .pod.gpu) 0 }}{{- $_ := set $amounts "nvidia.com/gpu" (toString (int .pod.gpu)) }}{{- end }}
        {{- range $name, $count := .pod.devices | default dict }}{{- $_ := set $amounts $name (toString (int $count)) }}{{- end }}
        requests: {{ toJson $amounts }}
        limits: {{ toJson $amounts }}
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
      {{- if not $kuberay }}
      lifecycle: { preStop: { exec: { command: [ray, stop] } } }
      {{- $path := ternary "/api/gcs_healthz" "/api/local_raylet_healthz" .head }}
      {{- $port := ternary $values.ports.dashboard $values.ports.dashboardAgent .head }}
      startupProbe: { httpGet: { path: {{ $path }}, port: {{ $port }} }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 150 }
      readinessProbe: { httpGet: { path: {{ $path }}, port: {{ $port }} }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 6 }
      livenessProbe: { httpGet: { path: {{ $path }}, port: {{ $port }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 30 }
      {{- end }}
      volumeMounts:
        - { name: shm, mountPath: /dev/shm }
        - { name: {{ $sessions }}, mountPath: /tmp/ray }
        {{- if $scales }}
        - { name: autoscaler, mountPath: /etc/ray/autoscaler, readOnly: true }
        {{- end }}
        {{- if $values.tls.caSecretName }}
        - { name: tls, mountPath: /etc/ray/tls }
        {{- end }}
        {{- range $more.volumeMounts }}
        - {{ toJson . }}
        {{- end }}
    {{- range $more.containers }}
    - {{ toJson . }}
    {{- end }}
  volumes:
    - { name: shm, emptyDir: { medium: Memory, sizeLimit: {{ $size.objectStore | quote }} } }
    - { name: {{ $sessions }}, emptyDir: {} }
    {{- if $scales }}
    - { name: autoscaler, configMap: { name: {{ include "ray.name" .root }}-autoscaler } }
    {{- end }}
    {{- if $values.tls.caSecretName }}
    - { name: scripts, configMap: { name: {{ include "ray.name" .root }}-scripts } }
    - { name: authority, secret: { secretName: {{ $values.tls.caSecretName }} } }
    - { name: tls, emptyDir: { medium: Memory, sizeLimit: 1M } }
    {{- end }}
    {{- range $more.volumes }}
    - {{ toJson . }}
    {{- end }}
{{- end -}}

{{- /* Environment of a Ray container, as a list in JSON. Takes root, pod, head. */ -}}
{{- define "ray.env" -}}
{{- $values := .root.Values -}}
{{- $env := list (dict "name" "RAY_USAGE_STATS_ENABLED" "value" "0") -}}
{{- range $name, $value := (include "ray.more" . | fromJson).env -}}
{{- $source := ternary (dict "value" $value) $value (kindIs "string" $value) -}}
{{- $env = append $env (merge (dict "name" $name) $source) -}}
{{- end -}}
{{- if and .head (eq $values.mode "autoscaling") -}}
{{- $env = append $env (dict "name" "PYTHONPATH" "value" "/etc/ray/autoscaler") -}}
{{- end -}}
{{- if and $values.auth.secretName (ne $values.mode "kuberay") -}}
{{- $env = append $env (dict "name" "RAY_AUTH_MODE" "value" "token") -}}
{{- $env = append $env (dict "name" "RAY_AUTH_TOKEN" "valueFrom" (dict "secretKeyRef" (dict "name" $values.auth.secretName "key" "auth_token"))) -}}
{{- end -}}
{{- if $values.tls.caSecretName -}}{{- $env = concat $env (include "ray.tlsEnv" .root | fromJsonArray) -}}{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{- /* What makes a process of Ray speak TLS, as a list in JSON. */ -}}
{{- define "ray.tlsEnv" -}}
{{- $env := list -}}
{{- range $name, $value := dict "RAY_USE_TLS" "1" "RAY_TLS_SERVER_CERT" "/etc/ray/tls/tls.crt" "RAY_TLS_SERVER_KEY" "/etc/ray/tls/tls.key" "RAY_TLS_CA_CERT" "/etc/ray/tls/ca.crt" -}}
{{- $env = append $env (dict "name" $name "value" $value) -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}
