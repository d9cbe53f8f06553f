import path from "node:path";
import { pythonImage, type ProcessImage, type PythonFolders } from "./images";

/** The images of JupyterHub's chart with these programs: the hub from PyPI, the proxy from `node_modules` of this checkout. */
export function hubImages(hub: PythonFolders, root: string): readonly ProcessImage[] {
  const node = path.dirname(path.dirname(process.execPath));
  const modules = path.join(root, "node_modules");
  return [
    {
      ...pythonImage("(^|/)jupyterhub/k8s-hub:", hub, { home: "/home/jovyan", user: 1000, args: ["jupyterhub"] }),
      workingDir: "/srv/jupyterhub",
    },
    {
      name: "(^|/)jupyterhub/configurable-http-proxy:",
      folders: [node, modules],
      env: { PATH: `${node}/bin:${modules}/.bin:/usr/bin:/bin`, HOME: "/home/node" },
      command: ["configurable-http-proxy"],
      user: 65534,
      workingDir: "/srv/configurable-http-proxy",
    },
  ];
}
