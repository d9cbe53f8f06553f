import { projectRoot } from "../root";
import { typesAndLint } from "./typesAndLint";

async function main(): Promise<void> {
  process.exitCode = await typesAndLint(projectRoot());
}

void main();
