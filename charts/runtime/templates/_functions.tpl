{{- /*
The one function of the original system that Helm's engine lacks: any text as a legal label value. Lower case, other
characters than a-z 0-9 . _ - as one dash, at most 63 characters, letters or digits at both ends.
*/ -}}
{{- define "sanitizeLabel" -}}
{{- $cut := regexReplaceAll "[^a-z0-9._-]+" (toString . | lower) "-" | trunc 63 -}}
{{- regexReplaceAll "^[^a-z0-9]+|[^a-z0-9]+$" $cut "" -}}
{{- end -}}
