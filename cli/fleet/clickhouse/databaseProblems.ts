import { CLICKHOUSE_DATABASE } from "../../../components/resources/tokens";
import type { Platform } from "../../../components/runtime/platform/platform";
import { readDatabase } from "../../../provider/resources/clickHouseDatabase/database";
import type { DatabaseInputs } from "../../../provider/resources/clickHouseDatabase/inputs";
import { isNoted } from "../../../provider/resources/clickHouseDatabase/note";
import { messageOf } from "../../../foundation/errors";
import type { StackState } from "../../../engine/pulumi/state/checkpoint";
import type { Problem } from "../text/problems";

/**
 * Checks that the ClickHouse server has the database and user in a runtime's state. Uses the current credentials of its
 * provisioner.
 */
export async function databaseProblems(
  { name, resources }: StackState,
  platform: Platform | undefined,
  signal: AbortSignal,
): Promise<Problem[]> {
  const made = resources.find(({ type, delete: left }) => type === CLICKHOUSE_DATABASE && left !== true);
  if (made === undefined) return [];
  const inputs = { ...made.inputs } as unknown as DatabaseInputs;
  const { provisioner = "", database, user, access } = inputs;
  const set = platform?.clickhouse ?? {};
  const spec = Object.hasOwn(set, provisioner) ? set[provisioner] : undefined;
  if (spec?.type !== "static") {
    return [{ kind: "unknown", text: `clickhouse provisioner "${provisioner}" is not in the platform's set any more` }];
  }
  try {
    const found = await readDatabase({ signal }, { ...inputs, url: spec.url }, 1);
    const texts: string[] = [];
    if (!found.database) texts.push(`the state has database ${database}; the server has none`);
    else if (!isNoted(found, inputs)) texts.push(`the database ${database} does not say that it is of this stack`);
    if (access && !found.user) {
      texts.push(`the user ${user} is missing; it comes back with: stackyard runtime up ${name} --refresh`);
    }
    return texts.map((text) => ({ kind: "clickhouse", text }));
  } catch (error) {
    return [{ kind: "unknown", text: `the ClickHouse server did not answer: ${messageOf(error)}` }];
  }
}
