import * as z from "zod";
import { deploymentShape } from "../../components/runtime/request/deployment";
import type { Path } from "../../foundation/schema/faults";
import { mapSecrets, secretPaths } from "../../foundation/schema/secretValues";
import { SECRET } from "../state/checkpoint";
import type { RuntimeChange, RuntimeConfig } from "./change";

/** Both a whole request and a change of one: what is requested stands in `deployment`. */
const schema = z.object({ deployment: z.object(deploymentShape) });

/** Whether a request, or a change of one, has a secret value. */
export const hasSecretValues = (request: RuntimeConfig | RuntimeChange): boolean =>
  secretPaths(schema, request).length > 0;

/** A copy in which each secret value is what `change` makes of it. */
export const mapSecretValues = <T extends RuntimeConfig | RuntimeChange>(
  request: T,
  change: (secret: unknown, path: Path) => unknown,
): T => mapSecrets(schema, request, change);

/** A request of which only a record remains: it can't be carried out again. */
export const removeSecretValues = <T extends RuntimeConfig | RuntimeChange>(request: T): T =>
  mapSecretValues(request, () => undefined);

/** A request as it may be shown. */
export const hideSecretValues = <T extends RuntimeConfig | RuntimeChange>(request: T): T =>
  mapSecretValues(request, () => SECRET);
