import path from "node:path";

/** What the node runs for an image: a command of this machine with folders of this machine. Data only. */
export interface ProcessImage {
  /** Regular expression for references of images. */
  readonly name: string;
  /** Folders of this machine that the container reads at their own paths. Homes of users are hidden otherwise. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As in an image: of pods that have none. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  /** Number of the user. */
  readonly user: number;
  readonly workingDir: string;
}

/** Programs of this machine by the images that they replace. */
interface ProcessPrograms {
  /** A virtual environment of Python with the folder of its interpreter: for Ray's images, and for notebooks. */
  readonly ray?: PythonFolders;
  readonly notebook?: PythonFolders;
}

export interface PythonFolders {
  readonly environment: string;
  readonly interpreter: string;
}

/** An image with an environment of Python. */
export const pythonImage = (
  name: string,
  { environment, interpreter }: PythonFolders,
  { home, ...more }: Pick<ProcessImage, "args" | "command" | "user"> & { readonly home: string },
): ProcessImage => ({
  name,
  folders: [interpreter, environment],
  env: {
    PATH: `${environment}/bin:/usr/local/bin:/usr/bin:/bin`,
    // Login shells set PATH again.
    BASH_ENV: `${environment}/bin/activate`,
    HOME: home,
    USER: path.basename(home),
  },
  workingDir: home,
  ...more,
});

/** The images that a node can run with these programs. */
export const processImages = ({ ray, notebook }: ProcessPrograms): readonly ProcessImage[] => [
  ...(ray ? [pythonImage("(^|/)rayproject/ray:", ray, { home: "/home/ray", user: 1000, args: ["bash"] })] : []),
  ...(notebook
    ? [
        pythonImage("(^|/)(jupyterhub/k8s-singleuser-sample|jupyter/[a-z0-9-]+-notebook):", notebook, {
          home: "/home/jovyan",
          user: 1000,
          args: ["jupyterhub-singleuser"],
        }),
      ]
    : []),
];
