/** What a soak does, from a seed alone: the same seed gives the same actions, so that a fault can be sought again. Pure. */

import { seededRandom } from "../../../toolchain/tests/random";

export const RUNTIMES = ["ant", "bee", "cat", "dog"] as const;
/** State backends by checkout: two people share the first one, the other one asks for the same runtimes by mistake. */
export const BACKENDS = [0, 0, 1] as const;
/** Provisioners by backend. Both platforms have the same name and namespaces, and each has a pool of its own. */
export const PROVISIONERS = [
  ["one", "two", "shared"],
  ["one", "two", "other"],
] as const;
export const HOSTS = [1, 2, 3].map((number) => `http://soak-${number}.example.com:9091`);

export const OTHER_HOST = "http://soak-4.example.com:9091";

/** What is killed in the middle of an action; `frozen`: its processes stop for a while, and go on. */
export type Victim = "command" | "engine" | "provider" | "postgres" | "apiserver" | "frozen";

/** Servers take others' time with them until they are back, so they are killed less often. */
const VICTIMS: readonly Victim[] = [
  ...Array<Victim>(4).fill("command"),
  ...Array<Victim>(4).fill("engine"),
  ...Array<Victim>(3).fill("provider"),
  "postgres",
  "apiserver",
];
/** A freeze takes time, which a short soak does not have. */
const MORE_VICTIMS: readonly Victim[] = [...VICTIMS, "frozen", "frozen", "frozen"];
const SHORT = 20;

export interface Action {
  readonly number: number;
  /** From which checkout. */
  readonly checkout: 0 | 1 | 2;
  /** Arguments of `stackyard`. */
  readonly args: readonly string[];
  /** The runtime that it changes. */
  readonly id?: string;
  /** Whether it may delete disks of that runtime. */
  readonly deletes: boolean;
  /** Whether it moves that runtime; if it is hibernated, whatever wakes it deletes the old place. */
  readonly moves?: boolean;
  /** Whether it takes over what another backend owns. */
  readonly adopts?: boolean;
  readonly kill?: { readonly victim: Victim; readonly afterMs: number };
}

const SHARE_KILLED = 0.4;
const LONGEST_WAIT_MS = 4000;

/** All actions of a soak, in the order in which they are begun. */
export function planSoak(seed: number, number: number): Action[] {
  const roll = seededRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
  const upTo = (most: number): number => 1 + Math.floor(roll() * most);
  const change = (): string[] => {
    const flags = [
      ["--version", `${upTo(3)}`],
      ["--slots", `${upTo(3)}`],
      ["--disk-gb", `${100 + 20 * upTo(4)}`],
      ["--environment", oneOf(["prod", "test"])],
      ["--annotation", `team=${oneOf(["red", "blue"])}`],
      ["--refresh"],
    ];
    // A new runtime needs a version.
    return ["--version", `${upTo(3)}`, ...oneOf(flags), ...oneOf([[], oneOf(flags)])];
  };
  const victims = number < SHORT ? VICTIMS : MORE_VICTIMS;
  const kinds: readonly [
    number,
    (backend: 0 | 1) => Omit<Action, "number" | "kill" | "checkout"> & { checkout?: 0 },
  ][] = [
    [40, () => onOne("up", change())],
    [8, () => onOne("hibernate", [])],
    [8, () => onOne("wake", [])],
    [8, () => ({ ...onOne("adopt", ["--yes"]), adopts: true })],
    [
      10,
      (backend) => ({
        ...onOne("up", ["--version", "1", "--provisioner", oneOf(PROVISIONERS[backend]), "--move"]),
        deletes: true,
        moves: true,
      }),
    ],
    [10, () => ({ ...onOne("destroy", ["--yes"]), deletes: true })],
    [
      6,
      () => ({
        args: ["provisioners", oneOf(["drain", "undrain"]), oneOf(HOSTS), "--stack", "here", "--yes"],
        deletes: false,
        checkout: 0,
      }),
    ],
    [6, () => ({ args: ["runtime", "status", oneOf(RUNTIMES)], deletes: false })],
    [6, () => ({ args: ["runtime", "list", "-o", "json"], deletes: false })],
    [3, () => ({ args: ["runtime", "check", "--all"], deletes: false })],
    [3, () => ({ args: ["runtime", "list", "--orphans"], deletes: false })],
  ];
  const onOne = (verb: string, flags: readonly string[]) => {
    const id = oneOf(RUNTIMES);
    return { args: ["runtime", verb, id, ...flags], id, deletes: false };
  };
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
  return Array.from({ length: number }, (_, index): Action => {
    let at = roll() * total;
    const make = kinds.find(([weight]) => (at -= weight) < 0)?.[1] ?? kinds[0]![1];
    const checkout = oneOf([0, 1, 2] as const);
    const kill =
      roll() < SHARE_KILLED ? { victim: oneOf(victims), afterMs: Math.round(roll() * LONGEST_WAIT_MS) } : undefined;
    return { checkout, ...make(BACKENDS[checkout]), number: index + 1, ...(kill && { kill }) };
  });
}
