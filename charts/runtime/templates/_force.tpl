{{- /*
Sets on the object what no template decides: name, namespace, labels, checksum, and what keeps the disk of a runtime
that hibernates. Takes key, object, root, templates, names; changes the object.
*/ -}}
{{- define "runtime.force" -}}
{{- $object := .object -}}
{{- $nameOf := dict "statefulset" "StatefulSet" "deployment" "Deployment" "configmap" "ConfigMap" "pvc" "PVC" "service" "Service" "http_ingress" "HTTPIngress" "grpc_ingress" "GRPCIngress" -}}
{{- /* A runtime's service must not find the pods of its database. */ -}}
{{- $instance := .root.Values.provisionId -}}
{{- if eq .root.Values.prefix "clickhouse" -}}{{- $instance = printf "clickhouse-%s" $instance -}}{{- end -}}
{{- $labels := dict "app.kubernetes.io/managed-by" "stackyard" "app.kubernetes.io/instance" $instance -}}
{{- $metadata := $object.metadata | default dict -}}
{{- $_ := set $metadata "name" (get .names (get $nameOf .key)) -}}
{{- $_ := unset $metadata "generateName" -}}
{{- $_ := set $metadata "namespace" .root.Release.Namespace -}}
{{- $_ := set $metadata "labels" (merge (dict) $labels ($metadata.labels | default dict)) -}}
{{- $_ := set $metadata "annotations" (merge (dict "checksum/templates" (include "runtime.checksum" .templates)) ($metadata.annotations | default dict)) -}}
{{- $_ := set $object "metadata" $metadata -}}
{{- if has $object.kind (list "StatefulSet" "Deployment") -}}
{{- $spec := $object.spec | default dict -}}
{{- $_ := set $object "spec" $spec -}}
{{- if .root.Values.hibernated -}}
{{- $_ := set $spec "replicas" 0 -}}
{{- end -}}
{{- /* Pods get the instance to be found by, unless the template chose one that its selector may depend on. */ -}}
{{- with $spec.template -}}
{{- $pod := .metadata | default dict -}}
{{- $_ := set $pod "labels" (merge ($pod.labels | default dict) (pick $labels "app.kubernetes.io/instance")) -}}
{{- $_ := set . "metadata" $pod -}}
{{- /* A token is a way into the cluster: only for a template that asks for it, or for an account of its own choice. */ -}}
{{- $podSpec := .spec | default dict -}}
{{- if not (or (hasKey $podSpec "automountServiceAccountToken") $podSpec.serviceAccountName $podSpec.serviceAccount) -}}
{{- $_ := set $podSpec "automountServiceAccountToken" false -}}
{{- end -}}
{{- $_ := set . "spec" $podSpec -}}
{{- end -}}
{{- end -}}
{{- if eq $object.kind "StatefulSet" -}}
{{- $policy := $object.spec.persistentVolumeClaimRetentionPolicy | default dict -}}
{{- $_ := set $policy "whenScaled" "Retain" -}}
{{- $_ := set $object.spec "persistentVolumeClaimRetentionPolicy" $policy -}}
{{- /* Claims that outlive their StatefulSet are found by their labels. */ -}}
{{- range $object.spec.volumeClaimTemplates -}}
{{- $claim := .metadata | default dict -}}
{{- $_ := set $claim "labels" (merge (dict) $labels ($claim.labels | default dict)) -}}
{{- $_ := set . "metadata" $claim -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* SHA-256 over all templates, by key, so that a change of any of them shows on every object. */ -}}
{{- define "runtime.checksum" -}}
{{- $texts := dict -}}
{{- range $key, $template := . -}}
{{- $_ := set $texts $key $template.text -}}
{{- end -}}
{{- toJson $texts | sha256sum -}}
{{- end -}}
