import type { JupyterHubSettings, NotebookSize } from "./settings";

/** JupyterHub's default for notebooks, in GiB. */
const MEMORY_GB = 1;

/**
 * Python code that counts the running notebooks before one starts, by its name in the chart's `hub.extraConfig`; empty
 * without limits. JupyterHub counts named servers of a user, and nothing of a group. What a notebook reserves follows from
 * its profile, which the hub's database has: a restarted hub does not know the sizes of those that run. Pure.
 */
export function limitsScript(settings: JupyterHubSettings): Readonly<Record<string, string>> {
  const { perUser, perGroup } = settings.notebookLimits;
  if (Object.keys(perUser).length + Object.keys(perGroup).length === 0) return {};
  const profiles = Object.entries(settings.profiles);
  const sizes = Object.fromEntries(profiles.map(([slug, profile]) => [slug, needOf(profile, settings.size)]));
  // Requests of the API may have no profile.
  const [chosen] = profiles.find(([, { isDefault }]) => isDefault) ?? [];
  const usual = chosen === undefined ? undefined : sizes[chosen];
  const script = `from jupyterhub import orm
from tornado import web


def stackyard_limits(sizes, size, per_user, per_group):
    def need(orm_spawner):
        return sizes.get((orm_spawner.user_options or {}).get("profile"), size)

    def check(who, limits, running, wanted):
        for name, limit in limits.items():
            used = sum(need(each)[name] for each in running)
            if used + wanted[name] > limit:
                message = f"{who}: {name} is limited to {limit}, {used:g} of them in use; this notebook needs {wanted[name]:g}."
                error = web.HTTPError(403, message)
                error.jupyterhub_message = message
                raise error

    def before_start(spawner):
        started = spawner.db.query(orm.Spawner).filter(orm.Spawner.server_id.isnot(None))
        running = [each for each in started if each is not spawner.orm_spawner]
        user, wanted = spawner.user.orm_user, need(spawner.orm_spawner)
        check("You", per_user, [each for each in running if each.user is user], wanted)
        for group in user.groups:
            members = [each for each in running if group in each.user.groups]
            check(f"Group {group.name}", per_group.get(group.name, {}), members, wanted)

    return before_start


c.KubeSpawner.pre_spawn_hook = stackyard_limits(
    ${JSON.stringify(sizes)},
    ${JSON.stringify(usual ?? needOf({}, settings.size))},
    ${JSON.stringify(perUser)},
    ${JSON.stringify(perGroup)},
)
`;
  return { "stackyard-limits": script };
}

/** What a notebook of this size reserves; it has the size `common` where its own is not set. */
const needOf = (own: NotebookSize, common: NotebookSize) => ({
  notebooks: 1,
  cpu: own.cpu ?? common.cpu ?? 0,
  memoryGb: own.memoryGb ?? common.memoryGb ?? MEMORY_GB,
  gpus: own.gpus ?? common.gpus ?? 0,
});
