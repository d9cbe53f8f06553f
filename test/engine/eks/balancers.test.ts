import assert from "node:assert/strict";
import type { ChartRepository } from "../../doubles/chartRepository";
import { LoadBalancerController } from "../../doubles/loadBalancerController";
import { bundleFolder } from "../bundles/bundleFolder";
import { until } from "../cli/held";
import type { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { doubleCharts, worldWithAws } from "./world";

/** AWS and its controller are doubles; the engine, Helm and the Kubernetes API are real. */
describe("load balancers of a platform on a cluster", function () {
  this.timeout(120_000);
  let world: World;
  let repository: ChartRepository;
  let controller: LoadBalancerController;
  let namespace: string;

  before(async () => {
    const place = await testYard();
    world = worldWithAws(place);
    namespace = `web-${world.tag}`;
    await world.kubectl("create", "namespace", namespace);
    controller = new LoadBalancerController(place.kubeconfig, namespace);
    const served = await doubleCharts(world.folder);
    repository = served.repository;
    const service = { name: "web", port: { number: 80 } };
    const paths = [{ path: "/", pathType: "Prefix", backend: { service } }];
    const source = bundleFolder(world.folder, "web", {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "web" },
      spec: { ingressClassName: "alb", rules: [{ host: "web.example.com", http: { paths } }] },
    });
    await world.configure("platform", world.tag, "stackyard", {
      cluster: {
        type: "existing",
        kubeconfig: { path: place.kubeconfig },
        eks: { name: "there", region: "eu-central-1" },
      },
      provisioners: {
        only: {
          type: "kubernetes",
          spec: { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" },
        },
      },
      defaultProvisioner: "only",
      charts: served.charts,
      ingress: { awsLoadBalancerController: { timeoutSeconds: 60 }, existing: ["nginx"] },
      bundles: { web: { versions: { "1.0.0": { sources: [source] } } } },
      instances: { web: { bundle: "web", namespace, timeoutSeconds: 30 } },
    });
  });
  after(async () => {
    await controller.stop();
    await world.kubectl("delete", "crd", "ingressclassparams.elbv2.k8s.aws", "--ignore-not-found");
    await world.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false");
    await repository.stop();
    world.remove();
  });

  it("are deleted before their controller on a destroy", async () => {
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
    await until("the controller serves the Ingress", async () =>
      (await world.kubectl("-n", namespace, "get", "ingress", "web", "-o", "jsonpath={.metadata.finalizers}")).includes(
        "ingress.k8s.aws/resources",
      ),
    );
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.deepEqual(controller.deleted, ["web"]);
    assert.equal(await world.kubectl("-n", namespace, "get", "ingress", "-o", "name"), "");
  });
});
