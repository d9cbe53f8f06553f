import type { IncomingMessage } from "node:http";

/** An error of AWS by its name, in the protocol of the service. */
export class Refusal extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }

  bodyFor({ headers }: Pick<IncomingMessage, "headers">): string {
    const isQuery = headers["content-type"]?.includes("x-www-form-urlencoded") === true;
    if (!isQuery) return JSON.stringify({ message: this.message });
    return `<ErrorResponse><Error><Type>Sender</Type><Code>${this.name}</Code><Message>${this.message}</Message></Error></ErrorResponse>`;
  }
}
