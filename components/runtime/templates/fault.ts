/** A fault of a template, with the place where a user looks for it. */
export interface TemplateFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}
