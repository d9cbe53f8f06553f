/** Rules for names of Kubernetes objects. */

export const LABEL_RULE = "a DNS-1123 label: at most 63 of a-z 0-9 -, a letter or digit at both ends";
/** Whether a text is a valid name for a namespace, or for another object whose name must be a label. */
export const isLabel = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
