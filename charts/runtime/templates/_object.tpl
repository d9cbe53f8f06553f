{{- /*
Renders the template of one key and sets what is the same for every runtime.
Takes a dict: key, and the chart's root as `root`. Prints nothing when the set of templates has none of that key, or
when it renders to nothing. One file for each key calls this, so that an error of the engine tells the key by the file.
*/ -}}
{{- define "runtime.object" -}}
{{- $templates := include "runtime.templates" .root | fromJson -}}
{{- with get $templates .key -}}
{{- $file := .file -}}
{{- $variables := dict -}}
{{- include "runtime.variables" (dict "into" $variables "values" $.root.Values) -}}
{{- $text := tpl .text $variables -}}
{{- $object := $text | fromYaml -}}
{{- if and (hasKey $object "Error") (not (hasKey $object "kind")) -}}
{{- include "runtime.badYaml" (dict "file" $file "text" $text "error" $object.Error) -}}
{{- end -}}
{{- $documents := 0 -}}
{{- range regexSplit "(?m)^---(\\s|$)" $text -1 -}}
{{- if regexMatch "(?m)^[ \\t]*[^#\\s]" . -}}{{- $documents = add1 $documents -}}{{- end -}}
{{- end -}}
{{- if gt $documents 1 -}}
{{- fail (printf "%s:1: rendered %d YAML documents; expected one object; put each in a template of its own" $file $documents) -}}
{{- end -}}
{{- if $object -}}
{{- include "runtime.checkKind" (dict "key" $.key "object" $object "templates" $templates) -}}
{{- include "runtime.force" (dict "key" $.key "object" $object "root" $.root "templates" $templates "names" $variables.Names) -}}
{{- toJson $object -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Key to {file, text}, the configured ones or all of the built-in ones, as JSON. Takes the chart's root. */ -}}
{{- define "runtime.templates" -}}
{{- $templates := dict -}}
{{- range $key, $template := .Values.templates -}}
{{- $_ := set $templates $key (dict "file" ($template.file | default $key) "text" $template.text) -}}
{{- end -}}
{{- if not $templates -}}
{{- range $key := list "statefulset" "service" "http_ingress" "grpc_ingress" -}}
{{- $file := printf "files/%s.yaml" $key -}}
{{- $_ := set $templates $key (dict "file" $file "text" ($.Files.Get $file)) -}}
{{- end -}}
{{- end -}}
{{- toJson $templates -}}
{{- end -}}

{{- /* An error of the YAML parser, with the line that it stumbled over. Takes file, text, error. */ -}}
{{- define "runtime.badYaml" -}}
{{- $reason := regexReplaceAll "^(error converting YAML to JSON: )?(yaml: )?(line \\d+: )?" .error "" -}}
{{- $line := regexFind "line \\d+" .error | trimPrefix "line " | atoi -}}
{{- $lines := splitList "\n" .text -}}
{{- $shown := "" -}}
{{- if and (ge $line 1) (le $line (len $lines)) -}}
{{- $shown = printf "; that line, rendered, is: %s" (index $lines (sub $line 1) | trim | trunc 120) -}}
{{- end -}}
{{- fail (printf "%s:%d: found no YAML: %s%s" .file (max $line 1) $reason $shown) -}}
{{- end -}}

{{- /* Each key stands for one kind of object, which says its version. Takes key, object, templates. */ -}}
{{- define "runtime.checkKind" -}}
{{- $kinds := dict "statefulset" "StatefulSet" "deployment" "Deployment" "configmap" "ConfigMap" "pvc" "PersistentVolumeClaim" "service" "Service" "http_ingress" "Ingress" "grpc_ingress" "Ingress" -}}
{{- $file := (get .templates .key).file -}}
{{- $expected := get $kinds .key -}}
{{- $kind := .object.kind | default "" | toString -}}
{{- if ne $kind $expected -}}
{{- range $key, $template := .templates -}}
{{- if eq $kind (get $kinds $key) -}}
{{- fail (printf "%s:1: found the same object as in %s, a %s; expected a %s in template %s" $file $template.file $kind $expected $.key) -}}
{{- end -}}
{{- end -}}
{{- fail (printf "%s:1: found %s; expected kind: %s in template %s" $file (ternary "no kind" (printf "kind: %s" $kind) (empty $kind)) $expected .key) -}}
{{- end -}}
{{- if not .object.apiVersion -}}
{{- fail (printf "%s:1: found no apiVersion; expected one for kind: %s" $file $kind) -}}
{{- end -}}
{{- end -}}
