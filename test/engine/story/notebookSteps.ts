import assert from "node:assert/strict";
import { notebookImage, RAY, type Notebook } from "./notebook";
import { ofNotebook } from "./step";

/**
 * What is common to the user's cells: no address and no token. It tries again, because Ray's process for a client sometimes
 * ends as it starts, without a reason in its log, and on a busy machine the head may not answer in time.
 */
const INIT = `
import os, ray, time
for left in (3, 2, 1, 0):
    try:
        ray.init()
        break
    except ConnectionError:
        if left == 0: raise
`;

/** It computes until there is the file \`done\`, and at least once. */
const CELL = `${INIT}
@ray.remote(num_cpus=1)
def square(x):
    return x * x
results = set()
while not results or os.path.exists("going-on") and not os.path.exists("done"):
    results.add(sum(ray.get([square.remote(x) for x in range(100)])))
print(ray.__version__, results)
`;

/** Tasks that fill a worker each, until two workers have run some. */
const DEMAND = `${INIT}
@ray.remote(num_cpus=2)
def node():
    time.sleep(5)
    return ray.get_runtime_context().get_node_id()
nodes, end = set(), time.time() + 240
while len(nodes) < 2 and time.time() < end:
    nodes |= set(ray.get([node.remote() for _ in range(4)]))
print(len(nodes))
`;

async function computes(notebook: Notebook, version: string): Promise<void> {
  const printed = await notebook.run("python", "-c", CELL);
  assert.ok(printed.endsWith(`${version} {328350}`), printed);
}

export const NOTEBOOK = {
  begins: [
    ofNotebook("starts a notebook for a user who logs in, and leads to it through the proxy", async (notebook) => {
      await notebook.isUp();
      await notebook.logIn();
      await notebook.start();
      await notebook.run("sh", "-c", "echo eve > kept");
    }),
    ofNotebook("computes by ray.init() in the notebook, which was given the address and the token", (notebook) =>
      computes(notebook, RAY.former),
    ),
    ofNotebook("adds a Ray worker for tasks that find no room, and removes it when it is idle", async (notebook) => {
      assert.match(await notebook.run("python", "-c", DEMAND), /2$/);
      await notebook.rayUntil("one worker is left", async () => (await notebook.workers()).length === 1);
    }),
  ],
  isKilled: [
    ofNotebook("computes again after the processes of a Ray worker were killed", async (notebook) => {
      const { platform, rayNamespace } = notebook;
      await notebook.rayUntil("a worker is ready", async () => (await notebook.workers()).length > 0);
      const before = await notebook.workers();
      await platform.exec(rayNamespace, "app.kubernetes.io/component=worker", "pkill", "-9", "raylet");
      await notebook.rayUntil("another worker is ready", async () =>
        (await notebook.workers()).some((name) => !before.includes(name)),
      );
      await computes(notebook, RAY.former);
    }),
    ofNotebook(
      "lets cells and logins go on while JupyterHub is upgraded, and after the hub was killed",
      async (notebook) => {
        const [server] = await notebook.pods();
        const [first] = await notebook.pods("hub");
        await notebook.run("touch", "going-on");
        const cell = computes(notebook, RAY.former);
        cell.catch(() => undefined); // It is awaited below.
        await notebook.platform.change({ "jupyterhub.environment.TEAM": "data" });
        await notebook.isUp();
        assert.notEqual((await notebook.pods("hub"))[0]?.metadata.uid, first?.metadata.uid);
        await notebook.answers();

        await notebook.platform.kill(notebook.namespace, "component=hub");
        await notebook.isUp();
        // The user is still logged in, and the hub knows that the notebook runs.
        assert.match(await notebook.home(), /^200[^]*Stop My Server/);
        await notebook.answers();
        await notebook.run("touch", "done");
        await cell;
        assert.deepEqual(
          (await notebook.pods()).map(({ metadata }) => metadata.uid),
          [server?.metadata.uid],
        );
      },
    ),
  ],
  isUpgraded: [
    ofNotebook(
      "computes with the newest Ray after an upgrade, in a notebook that was started again",
      async (notebook) => {
        const image = notebookImage(RAY.newest);
        await notebook.platform.change({ "ray.one.rayVersion": RAY.newest, "jupyterhub.image": image });
        await notebook.isUp();
        await notebook.stop();
        await notebook.start();
        await computes(notebook, RAY.newest);
      },
    ),
  ],
} as const;
