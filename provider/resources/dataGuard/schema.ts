/** What the package schema says of a DataGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { listOf, plain, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "Refuses that parts of a platform are deleted with claims that `stackyard:allowDataLoss` of the stack's config does not name. It has to depend on the parts, so that it is deleted before them.",
  inputs: {
    kubeconfig,
    context,
    parts: plain(
      listOf(
        "DataPart",
        "All parts. One that is missing in the next update is going to be deleted, and is looked at in the preview.",
      ),
    ),
  },
  required: ["parts"],
  types: {
    DataPart: {
      type: "object",
      description: "A part of a platform that holds data.",
      properties: {
        kubeconfig,
        context,
        type: plain(text("`set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release.")),
        namespace: plain(text("Namespace of the set, bundle or release.")),
        name: plain(text("Name of the set, bundle or release.")),
        inventory: { type: "array", items: { type: "string" }, description: "Of a set: what is in it." },
        allowDeletion: plain({
          type: "array",
          items: { type: "string" },
          description: "Of a bundle: kinds that are removed also with what others have in them. Default: none.",
        }),
        adopt: plain({
          type: "array",
          items: { type: "string" },
          description: "Of a bundle: what it takes over from others. Default: nothing.",
        }),
      },
      required: ["type", "namespace", "name"],
    },
  },
} satisfies ResourceSchema;
