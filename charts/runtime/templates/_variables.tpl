{{- /*
Sets in the dict `into` every variable that a runtime template may use, from the chart's `values`. A dict is filled
because what a named template prints is text, and numbers would come back from it as floating point: 4.294967296e+10.
*/ -}}
{{- define "runtime.variables" -}}
{{- $values := .values -}}
{{- $into := .into -}}
{{- $id := $values.provisionId -}}
{{- range $name, $key := dict "ProvisionID" "provisionId" "Image" "image" "ImageTag" "imageTag" "DataDir" "dataDir" "Environment" "environment" "Ping" "ping" -}}
{{- $_ := set $into $name (get $values $key) -}}
{{- end -}}
{{- range $name, $key := dict "CPU" "cpu" "MemoryGB" "memoryGb" "StorageBytes" "storageBytes" "Slots" "slots" -}}
{{- $number := get $values $key | float64 -}}
{{- if eq $number (floor $number) -}}
{{- $_ := set $into $name (int64 $number) -}}
{{- else -}}
{{- $_ := set $into $name $number -}}
{{- end -}}
{{- end -}}
{{- $_ := set $into "Host" (regexReplaceAll "^[^/]*//" $values.host "") -}}
{{- $_ := set $into "AudienceURL" ($values.audienceUrl | default $values.host) -}}
{{- $_ := set $into "Annotations" ($values.annotations | default dict) -}}
{{- $clickhouse := dict -}}
{{- with $values.clickhouse -}}
{{- $clickhouse = dict "Host" .host "Port" (int64 .port) "Secure" .secure "Database" .database "User" .user "Secret" .secret -}}
{{- with .writer -}}
{{- $clickhouse = merge $clickhouse (dict "WriterHost" .host "WriterPort" (int64 .port) "WriterSecure" .secure) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $into "ClickHouse" $clickhouse -}}
{{- $runtime := printf "%s-%s" ($values.prefix | default "runtime") $id -}}
{{- $_ := set $into "Names" (dict "StatefulSet" $runtime "Deployment" $runtime "Service" $runtime "PVC" $runtime "ConfigMap" $runtime "HTTPIngress" (printf "http-%s" $runtime) "GRPCIngress" (printf "grpc-%s" $runtime)) -}}
{{- end -}}
