import { parseDocument } from "yaml";
import { Failure, messageOf } from "../foundation/errors";

/** Parses a YAML or JSON text. Throws with every fault, including unknown aliases and alias bombs. */
export function parseFile(text: string, file: string): unknown {
  const document = parseDocument(text, { logLevel: "error" });
  if (document.errors.length > 0) {
    throw broken(
      file,
      document.errors.map(({ message }) => (message.split("\n")[0] ?? "").replace(/:$/, "")),
    );
  }
  try {
    return document.toJS();
  } catch (error) {
    throw broken(file, [messageOf(error)]);
  }
}

function broken(file: string, faults: readonly string[]): Failure {
  return new Failure(`${file} is not YAML or JSON:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
}
