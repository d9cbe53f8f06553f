/** A fault in a template, with file and line. */
export interface TemplateFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}
