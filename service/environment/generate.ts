import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { environmentPage } from "./reference";

/** Path in the repository of the page generated from the table of variables. */
export const PAGE = "docs/service-environment.md";

/** The page's content. */
export const pageText = (): Promise<string> => format(environmentPage(), { parser: "markdown", printWidth: 120 });

if (require.main === module) {
  void pageText().then((text) => {
    writeFileSync(join(__dirname, "../..", PAGE), text);
    console.log(`wrote ${PAGE}`);
  });
}
