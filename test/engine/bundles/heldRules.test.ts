import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ruleHolds } from "../../../bundles/crdSafety/heldRules";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { crd, fields } from "../../unit/bundles/crds";
import { testKubeconfig } from "../manifests/yard";
import { RULES, type RuleSample } from "./ruleSamples";
import { World } from "./world";

/** How many rules share a CRD; the server bounds what all of them may cost. */
const TOGETHER = 60;

/** A new object is asked about: an update may keep a value that was refused. `no rule`: the server does not compile it. */
type Answer = "accepted" | "refused" | "no rule";

describe("the local evaluation of CRD validation rules", () => {
  let world: World;
  let kubeconfig: string;
  const answers = new Map<RuleSample, Answer>();
  before(async function () {
    this.timeout(180_000);
    kubeconfig = await testKubeconfig();
    world = await new World(kubeconfig).open();
    for (let first = 0; first < RULES.length; first += TOGETHER) await ask(RULES.slice(first, first + TOGETHER), first);
  });
  after(() => world.close());

  async function ask(samples: readonly RuleSample[], number: number): Promise<void> {
    const group = `${world.namespace}.example.com`;
    const [kind, plural] = [`Ruled${number}`, `ruled${number}s`];
    const name = `${plural}.${group}`;
    const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const definition = (rules: readonly (readonly [string, RuleSample])[]): KubeObject => {
      const spec = fields(Object.fromEntries(rules.map(([field, sample]) => [field, ruled(sample)])));
      const { apiVersion, kind: ofCrd, spec: about } = crd([{ spec }], { group, names });
      return { apiVersion, kind: ofCrd, metadata: { name }, spec: about };
    };
    const compiled = await define(world.client, definition, samples);
    const client = connect(kubeconfig, undefined, {});
    for (const [index, sample] of samples.entries()) {
      const field = `r${index}`;
      const metadata = { name: field, namespace: world.namespace };
      const object = { apiVersion: `${group}/v1`, kind, metadata, spec: { [field]: sample.value } };
      answers.set(sample, compiled.has(field) ? await answer(client, object) : "no rule");
    }
    await world.client.remove({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name });
  }

  it("accepts only objects that the API server accepts", () => {
    const wrong = RULES.filter((sample) => holds(sample) && answers.get(sample) === "refused");
    assert.deepEqual(
      wrong.map(({ rule }) => rule),
      [],
    );
  });

  it("accepts every such object, except under rules marked as uncertain", () => {
    const missed = RULES.filter((sample) => answers.get(sample) === "accepted" && !holds(sample));
    assert.deepEqual(
      missed.map(({ rule }) => rule),
      RULES.filter(({ isUncertain }) => isUncertain).map(({ rule }) => rule),
    );
  });
});

const ruled = ({ schema, rule }: RuleSample) => ({ ...schema, "x-kubernetes-validations": [{ rule }] });
const holds = ({ rule, schema, value }: RuleSample): boolean => ruleHolds(rule, schema, [value]);

/** Creates the CRD with the rules that the server compiles; their fields. */
async function define(
  client: Client,
  definition: (rules: readonly (readonly [string, RuleSample])[]) => KubeObject,
  samples: readonly RuleSample[],
): Promise<ReadonlySet<string>> {
  const left = new Map(samples.map((sample, index) => [`r${index}`, sample]));
  for (;;) {
    try {
      await client.apply(definition([...left]));
      return new Set(left.keys());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const refused = error.causes.flatMap(({ field }) => /\.properties\[(r\d+)\]/.exec(field)?.[1] ?? []);
      if (!refused.some((field) => left.delete(field))) throw error;
      for (const field of refused) left.delete(field);
    }
  }
}

async function answer(client: Client, object: KubeObject): Promise<Answer> {
  for (;;) {
    try {
      await client.tryCreate(object);
      return "accepted";
    } catch (error) {
      if (error instanceof ApiError && error.code === 422) return "refused";
      // The server is about to serve the kind.
      if (!(error instanceof UnknownKindError) && !(error instanceof ApiError && error.code === 404)) throw error;
      await sleep(50);
    }
  }
}
