import { Kind, type DocumentNode, type SelectionSetNode } from "graphql";
import type { Plugin } from "graphql-yoga";
import { ApiError } from "./errors";

/** More than any client asks for. Validation compares fields and fragments in pairs, so its cost grows faster. */
const MOST = { fields: 1000, fragments: 50 } as const;

function fieldsIn(set: SelectionSetNode | undefined): number {
  if (!set) return 0;
  return set.selections.reduce(
    (sum, each) => sum + 1 + (each.kind === Kind.FRAGMENT_SPREAD ? 0 : fieldsIn(each.selectionSet)),
    0,
  );
}

/** Rejects documents with so many fields or fragments that their validation would take long. */
export const selectionsPlugin = (): Plugin => ({
  onValidate({ params }) {
    const { definitions } = params.documentAST as DocumentNode;
    const found = {
      fields: definitions.reduce((sum, each) => sum + ("selectionSet" in each ? fieldsIn(each.selectionSet) : 0), 0),
      fragments: definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length,
    };
    for (const what of ["fields", "fragments"] as const) {
      if (found[what] <= MOST[what]) continue;
      const reason = `the query has ${found[what]} ${what}; expected ${MOST[what]} at most`;
      throw new ApiError({ code: "BAD_INPUT", reason });
    }
  },
});
