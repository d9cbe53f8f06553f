/** Package schema of DataGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { countField, listField, plainField, textField, textsField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "Prevents the deletion of parts of a platform with PersistentVolumeClaims that `stackyard:allowDataLoss` in the stack's config does not name. It must depend on the parts, so that it is deleted before them.",
  inputs: {
    kubeconfig,
    context,
    parts: plainField(
      listField(
        "DataPart",
        "All parts. The preview checks parts that are missing in the next update, because they will be deleted.",
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
        type: plainField(
          textField("`set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release; `shoot`: a Shoot."),
        ),
        namespace: plainField(textField("Namespace of the set, bundle, release or Shoot.")),
        name: plainField(textField("Name of the set, bundle, release or Shoot.")),
        inventory: textsField("Objects of a set."),
        allowDeletion: plainField(
          textsField("Of a bundle: kinds that are deleted even with objects of other owners in them. Default: none."),
        ),
        adopt: plainField(textsField("Of a bundle: objects that it takes over from other owners. Default: none.")),
        owner: {
          $ref: "#/types/stackyard:index:PartOwner",
          description: "Its owner in the stack. Default: it is not compared with the record in the cluster.",
        },
      },
      required: ["type", "namespace", "name"],
    },
    PartOwner: {
      type: "object",
      description: "The owner of a part, as its record names it.",
      properties: {
        namespace: textField(
          "Of a release: namespace of the set that records its owner. Default: that of the release.",
        ),
        set: textField("Of a release: name of the set that records its owner."),
        id: textField("Its owner id."),
        generation: countField("Generation of its record; 0 if it has none yet."),
        urn: textField("Of a release: its URN."),
      },
      required: ["id", "generation"],
    },
  },
} as const satisfies ResourceSchema;
