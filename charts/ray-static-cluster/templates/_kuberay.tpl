{{- /* Flags that the operator puts into `ray start`, as JSON; it adds what else a head or a worker needs. */ -}}
{{- define "ray.kuberayParams" -}}
{{- $ports := .root.Values.ports -}}
{{- $params := include "ray.resourceParams" . | fromJson -}}
{{- $_ := set $params "node-manager-port" (toString $ports.nodeManager) -}}
{{- $_ := set $params "object-manager-port" (toString $ports.objectManager) -}}
{{- $_ := set $params "metrics-export-port" (toString $ports.metrics) -}}
{{- $_ := set $params "dashboard-agent-listen-port" (toString $ports.dashboardAgent) -}}
{{- if .head -}}
{{- $_ := set $params "port" (toString $ports.gcs) -}}
{{- $_ := set $params "ray-client-server-port" (toString $ports.client) -}}
{{- $_ := set $params "dashboard-host" "0.0.0.0" -}}
{{- $_ := set $params "dashboard-port" (toString $ports.dashboard) -}}
{{- end -}}
{{- toJson $params -}}
{{- end -}}
