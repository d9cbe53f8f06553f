{{- /* Bounds of every group are needed where something scales. Takes what, pod. */ -}}
{{- define "ray.checkBounds" -}}
{{- range $key := list "minReplicas" "maxReplicas" -}}
{{- if not (hasKey $.pod $key) -}}
{{- fail (printf "%s.%s: found nothing; expected a number, because the group is scaled" $.what $key) -}}
{{- end -}}
{{- end -}}
{{- if gt (int .pod.minReplicas) (int .pod.maxReplicas) -}}
{{- fail (printf "%s.minReplicas: found %d; expected at most maxReplicas, %d" .what (int .pod.minReplicas) (int .pod.maxReplicas)) -}}
{{- end -}}
{{- end -}}

{{- /* Config of Ray's own autoscaler, as JSON. */ -}}
{{- define "ray.autoscalerConfig" -}}
{{- $types := dict "head" (dict "node_config" dict "resources" (include "ray.autoscalerResources" (dict "root" . "pod" .Values.head "what" "head" "head" true) | fromJson) "min_workers" 0 "max_workers" 0) -}}
{{- $most := 0 -}}
{{- range $group, $pod := include "ray.groups" . | fromJson -}}
{{- $what := printf "workerGroups.%s" $group -}}
{{- include "ray.checkBounds" (dict "what" $what "pod" $pod) -}}
{{- $most = add $most (int $pod.maxReplicas) -}}
{{- $resources := include "ray.autoscalerResources" (dict "root" $ "pod" $pod "what" $what "head" false) | fromJson -}}
{{- $_ := set $types $group (dict "node_config" dict "resources" $resources "min_workers" (int $pod.minReplicas) "max_workers" (int $pod.maxReplicas)) -}}
{{- end -}}
{{- $provider := dict "type" "external" "module" "kubernetes_pods.KubernetesPods" "server" "https://kubernetes.default.svc" "namespace" .Release.Namespace "owner" (printf "%s-autoscaler" (include "ray.name" .)) "selector" (printf "app.kubernetes.io/name=ray,app.kubernetes.io/instance=%s" (include "ray.name" .)) "use_internal_ips" true "disable_node_updaters" true "disable_launch_config_check" true "foreground_node_launch" true -}}
{{- $speed := get (dict "Conservative" 1 "Default" 1000 "Aggressive" 1000) .Values.autoscaler.upscalingMode -}}
{{- $config := dict "cluster_name" .Values.clusterName "provider" $provider "max_workers" $most "upscaling_speed" $speed "idle_timeout_minutes" (divf .Values.autoscaler.idleTimeoutSeconds 60) "available_node_types" $types "head_node_type" "head" "auth" dict "file_mounts" dict "file_mounts_sync_continuously" false -}}
{{- range list "cluster_synced_files" "initialization_commands" "setup_commands" "head_setup_commands" "worker_setup_commands" "head_start_ray_commands" "worker_start_ray_commands" -}}
{{- $_ := set $config . list -}}
{{- end -}}
{{- toJson $config -}}
{{- end -}}

{{- /* What a pod offers, as the autoscaler counts it. Takes root, pod, what, head. */ -}}
{{- define "ray.autoscalerResources" -}}
{{- $params := include "ray.resourceParams" . | fromJson -}}
{{- $resources := dict "CPU" (get $params "num-cpus" | int) "memory" (get $params "memory" | int64) "object_store_memory" (get $params "object-store-memory" | int64) -}}
{{- with get $params "num-gpus" -}}{{- $_ := set $resources "GPU" (int .) -}}{{- end -}}
{{- range $name, $count := (include "ray.size" . | fromJson).resources -}}{{- $_ := set $resources $name (int $count) -}}{{- end -}}
{{- toJson $resources -}}
{{- end -}}

{{- /* What a worker of each group is made from, as JSON. */ -}}
{{- define "ray.autoscalerPods" -}}
{{- $pods := dict -}}
{{- range $group, $pod := include "ray.groups" . | fromJson -}}
{{- $template := include "ray.podTemplate" (dict "root" $ "pod" $pod "what" (printf "workerGroups.%s" $group) "head" false "group" $group) | fromYaml -}}
{{- /* Ray makes another one instead. */ -}}
{{- $_ := set $template.spec "restartPolicy" "Never" -}}
{{- $_ := set $pods $group $template -}}
{{- end -}}
{{- toJson $pods -}}
{{- end -}}
