/** What names Kubernetes takes. */

export const LABEL_RULE = "a DNS-1123 label: at most 63 of a-z 0-9 -, a letter or digit at both ends";
/** Whether it may be the name of a namespace, or of another object whose name is one label. */
export const isLabel = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
