import * as z from "zod";
import { deploymentShape } from "../../components/runtime/deployment";
import type { Path } from "../../foundation/schema/faults";
import { mapSecrets, secretPaths } from "../../foundation/schema/secretValues";
import { SECRET } from "../pulumi/state/checkpoint";
import type { RuntimeChange, RuntimeConfig } from "./change";

/** Works for a full request and for a change: both have the field `deployment`. */
const schema = z.object({ deployment: z.object(deploymentShape) });

/** Whether a request or a change contains a secret value. */
export const hasSecretValues = (request: RuntimeConfig | RuntimeChange): boolean =>
  secretPaths(schema, request).length > 0;

/** Returns a copy with `change` applied to each secret value. */
export const mapSecretValues = <T extends RuntimeConfig | RuntimeChange>(
  request: T,
  change: (secret: unknown, path: Path) => unknown,
): T => mapSecrets(schema, request, change);

/** Removes the secret values of a request, which then can't run again. */
export const removeSecretValues = <T extends RuntimeConfig | RuntimeChange>(request: T): T =>
  mapSecretValues(request, () => undefined);

/** Masks the secret values of a request for display. */
export const hideSecretValues = <T extends RuntimeConfig | RuntimeChange>(request: T): T =>
  mapSecretValues(request, () => SECRET);
