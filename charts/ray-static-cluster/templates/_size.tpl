{{- /*
What a pod of this size announces and may use, as JSON: cpu and gpu, resources of other devices in Ray's words, memory and
objectStore in bytes. One pod takes a node but for the reserved CPUs and memory. Takes root, pod, what (its path in the values).
*/ -}}
{{- define "ray.size" -}}
{{- $cpu := sub (int .pod.cpu) (int .root.Values.reservedCpu) -}}
{{- if lt $cpu 1 -}}
{{- fail (printf "%s.cpu: found %d with reservedCpu %d; expected at least one CPU for Ray" .what (int .pod.cpu) (int .root.Values.reservedCpu)) -}}
{{- end -}}
{{- /* Small pods are no nodes of their own. */ -}}
{{- $reserved := min (mulf .pod.memoryGb 250) 2000 | int64 | mulf 1000000 -}}
{{- if hasKey .root.Values "reservedMemoryGb" -}}{{- $reserved = mulf .root.Values.reservedMemoryGb 1000000000 -}}{{- end -}}
{{- $total := subf (mulf .pod.memoryGb 1000000000) $reserved -}}
{{- if le $total 0.0 -}}
{{- fail (printf "%s.memoryGb: found %v with reservedMemoryGb %v; expected memory for Ray" .what .pod.memoryGb .root.Values.reservedMemoryGb) -}}
{{- end -}}
{{- $store := mulf $total (.pod.objectStoreShare | default .root.Values.objectStoreShare) -}}
{{- $gpu := int .pod.gpu -}}
{{- $resources := dict -}}
{{- range $name, $count := .pod.devices | default dict -}}
{{- if regexMatch "gpu([.]shared)?$|^nvidia[.]com/mig-|^gpu[.]intel[.]com/" $name -}}{{- $gpu = add $gpu (int $count) -}}{{- end -}}
{{- with get (dict "aws.amazon.com/neuroncore" "neuron_cores" "google.com/tpu" "TPU") $name -}}{{- $_ := set $resources . (int $count) -}}{{- end -}}
{{- end -}}
{{- dict "cpu" $cpu "gpu" $gpu "resources" $resources "total" (printf "%.0f" $total) "objectStore" (printf "%.0f" (floor $store)) "memory" (printf "%.0f" (subf $total (floor $store))) | toJson -}}
{{- end -}}

{{- /*
Every image is of the version that the whole cluster has: Ray refuses to mix them. Only the tags of Ray's own images begin with
it. Takes root, pod, what.
*/ -}}
{{- define "ray.image" -}}
{{- $image := .pod.image | default .root.Values.image -}}
{{- $version := .root.Values.rayVersion -}}
{{- $tag := regexReplaceAll "@.*$" $image "" | splitList ":" | last -}}
{{- $says := regexMatch "(^|/)rayproject/ray(-[a-z]+)?:[0-9]+[.][0-9]+[.][0-9]+" $image -}}
{{- if and $says (not (or (eq $tag $version) (hasPrefix (printf "%s-" $version) $tag))) -}}
{{- fail (printf "%s.image: found %s; expected an image of Ray %s, because rayVersion says so" .what $image $version) -}}
{{- end -}}
{{- $image -}}
{{- end -}}

{{- /* Resource flags of `ray start` as a dict in JSON. Takes root, pod, what, head. */ -}}
{{- define "ray.resourceParams" -}}
{{- $size := include "ray.size" . | fromJson -}}
{{- $params := dict "num-cpus" (toString (int $size.cpu)) "memory" $size.memory "object-store-memory" $size.objectStore -}}
{{- if and .head (not .pod.runsTasks) -}}{{- $_ := set $params "num-cpus" "0" -}}{{- end -}}
{{- if gt (int $size.gpu) 0 -}}{{- $_ := set $params "num-gpus" (toString (int $size.gpu)) -}}{{- end -}}
{{- /* The operator derives them from the limits of the container. */ -}}
{{- if and $size.resources (ne .root.Values.mode "kuberay") -}}{{- $_ := set $params "resources" (toJson $size.resources) -}}{{- end -}}
{{- toJson (merge (dict) (.pod.rayStartParams | default dict) $params) -}}
{{- end -}}

{{- /* The arguments of `ray` as a list in JSON. Takes root, pod, what, head. */ -}}
{{- define "ray.arguments" -}}
{{- $ports := .root.Values.ports -}}
{{- $arguments := list "start" -}}
{{- if .head -}}
{{- $arguments = concat $arguments (list "--head" (printf "--port=%v" $ports.gcs) (printf "--ray-client-server-port=%v" $ports.client) "--dashboard-host=0.0.0.0" (printf "--dashboard-port=%v" $ports.dashboard)) -}}
{{- if eq .root.Values.mode "autoscaling" -}}{{- $arguments = append $arguments "--autoscaling-config=/etc/ray/autoscaler/cluster.json" -}}{{- end -}}
{{- else -}}
{{- $arguments = append $arguments (printf "--address=%s:%v" (include "ray.headHost" .root) $ports.gcs) -}}
{{- end -}}
{{- $arguments = concat $arguments (list (printf "--node-manager-port=%v" $ports.nodeManager) (printf "--object-manager-port=%v" $ports.objectManager) (printf "--metrics-export-port=%v" $ports.metrics) (printf "--dashboard-agent-listen-port=%v" $ports.dashboardAgent)) -}}
{{- range $name, $value := include "ray.resourceParams" . | fromJson -}}
{{- $arguments = append $arguments (printf "--%s=%s" $name $value) -}}
{{- end -}}
{{- toJson (append $arguments "--block") -}}
{{- end -}}
