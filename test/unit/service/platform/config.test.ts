import assert from "node:assert/strict";
import { imagesOf } from "../../../../components/platform/facts";
import { decode, goodWith, linesOf } from "../../config/fixtures";

const SECRETS = { databaseUrl: "postgres://service:s3cret@db:5432/service", passphrase: "s3cret" };
const GOOD = {
  image: "registry.example.com/stackyard-service:1.0.0",
  secrets: SECRETS,
  environment: { APP_OIDC_ISSUER: "https://issuer.example.com" },
};
const withService = (changes: object = {}) => goodWith({ service: { ...GOOD, ...changes } });
const SECRET = { secretKeys: new Set(["service"]) };

describe("the config of the provisioning service", () => {
  const only = (changes: object, expected: RegExp): void => {
    const lines = linesOf(withService(changes), SECRET);
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0] ?? "", expected);
    assert.ok(!lines.join().includes("s3cret"));
  };

  it("requires an image, secrets and the issuer of tokens", () => {
    const { service } = decode(withService(), SECRET);
    assert.deepEqual(
      [service?.namespace, service?.createNamespace, service?.replicas, service?.secretName],
      ["stackyard-service", true, 2, "stackyard-service"],
    );
    assert.deepEqual(service?.secrets, SECRETS);
    only({ environment: {} }, /^service\.environment\.APP_OIDC_ISSUER: found nothing; expected the URL of the issuer/);
    only({ secrets: undefined }, /^service\.secrets: found nothing; expected secrets with databaseUrl, or secretName/);
  });

  it("rejects an image without a fixed tag or digest", () => {
    for (const image of ["registry.example.com/service", "registry.example.com/service:latest", "a b:1", ""]) {
      only({ image }, /^service\.image: .*expected an image with a tag other than latest, or a digest/);
    }
    for (const image of ["service:1", "host:5000/a/b:1.2-x", `host/a@sha256:${"0".repeat(64)}`]) {
      assert.equal(decode(withService({ image }), SECRET).service?.image, image);
    }
  });

  it("accepts secrets only as Pulumi secrets or from an existing Secret", () => {
    const plain = linesOf(withService());
    assert.match(
      plain.join("\n"),
      /^service\.secrets\.databaseUrl: found a plain text; expected a secret; set it with: pulumi config set --secret --path 'service/m,
    );
    const { service } = decode(withService({ secrets: undefined, secretName: "mine" }), SECRET);
    assert.deepEqual([service?.secretName, service?.secrets], ["mine", undefined]);
    only({ secretName: "mine" }, /^service\.secretName: .*expected either secrets or secretName, not both/);
    only(
      { secrets: { ...SECRETS, databaseUrl: "mysql://db/service" } },
      /databaseUrl: found a text; expected a PostgreSQL/,
    );
  });

  it("rejects variables that are secrets or that the chart sets", () => {
    const environment = (name: string) => ({ environment: { ...GOOD.environment, [name]: "x" } });
    only(
      environment("APP_DATABASE_URL"),
      /expected nothing, because it is a secret; set service\.secrets\.databaseUrl/,
    );
    only(environment("APP_STATIC_TOKENS"), /static tokens are for development; set APP_OIDC_ISSUER/);
    only(environment("APP_ADDRESS"), /because the chart sets it/);
    only(environment("PATH"), /expected a variable APP_…/);
  });

  it("accepts secret variables only from an existing Secret, each from one place", () => {
    const variable = (name: string, more: object = { secrets: undefined, secretName: "mine" }) => ({
      ...more,
      secretEnvironment: { [name]: "key" },
    });
    const { service } = decode(withService(variable("OTEL_EXPORTER_OTLP_HEADERS")), SECRET);
    assert.deepEqual(service?.secretEnvironment, { OTEL_EXPORTER_OTLP_HEADERS: "key" });
    only(variable("AWS_SECRET_ACCESS_KEY", {}), /^service\.secretEnvironment\.AWS_SECRET_ACCESS_KEY: .*secretName$/);
    only(variable("PULUMI_CONFIG_PASSPHRASE"), /the chart sets it from the key passphrase/);
    only(variable("APP_DATABASE_URL"), /expected a variable OTEL_…/);
    const both = { ...variable("AWS_REGION"), environment: { ...GOOD.environment, AWS_REGION: "eu" } };
    only(both, /secretEnvironment\.AWS_REGION: .*service\.environment has it too/);
  });

  it("accepts either replicas or autoscaling", () => {
    only({ autoscaling: { minReplicas: 7 } }, /autoscaling\.minReplicas: .*at most maxReplicas, which is 6/);
    only({ autoscaling: {}, replicas: 3 }, /^service\.replicas: .*expected nothing, because autoscaling decides/);
    only({ affinity: "x" }, /^service\.affinity: .*an object with nodeAffinity/);
  });

  it("reports what stays if it is disabled, and mirrors its image otherwise", () => {
    const off = decode(withService({ enabled: false }), SECRET);
    assert.equal(off.service, undefined);
    assert.match(off.disabled.map(({ consequences }) => consequences).join(), /its database stay/);
    const mirrored = decode({ ...withService(), images: { mirror: "mirror.example.com" } }, SECRET);
    const [image] = imagesOf(mirrored).filter(({ component }) => component === "service");
    assert.equal(image?.image, "mirror.example.com/stackyard-service:1.0.0");
  });

  it("rejects settings of a namespace that the platform does not create", () => {
    only({ createNamespace: false, podSecurity: "baseline" }, /^service\.podSecurity: .*set createNamespace: true/);
  });
});
