/** The choice of a provisioner cannot be made as things stand; the message says what to do. */
export class ChoiceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChoiceError";
  }
}
