import type { Octokit } from "@octokit/rest";
import { Failure, messageOf } from "../foundation/errors";

/** Comments and issues in the repository of a workflow. */
export class GitHub {
  private constructor(
    private readonly api: Octokit,
    private readonly place: { readonly owner: string; readonly repo: string },
  ) {}

  /** Reads the variables of GitHub Actions. */
  static async connect(env: NodeJS.ProcessEnv = process.env): Promise<GitHub> {
    const { GITHUB_TOKEN, GITHUB_REPOSITORY = "", GITHUB_API_URL } = env;
    const [owner, repo] = GITHUB_REPOSITORY.split("/");
    if (!GITHUB_TOKEN || !owner || !repo) {
      throw new Failure(
        "GitHub is not reached without GITHUB_TOKEN and GITHUB_REPOSITORY (owner/name), which GitHub Actions sets",
      );
    }
    const { Octokit } = await import("@octokit/rest");
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const api = new Octokit({ auth: GITHUB_TOKEN, log: silent, ...(GITHUB_API_URL && { baseUrl: GITHUB_API_URL }) });
    return new GitHub(api, { owner, repo });
  }

  /** Creates or updates the only comment of a pull request that starts with this mark. */
  async comment(pullRequest: number, mark: string, body: string): Promise<void> {
    const place = { ...this.place, issue_number: pullRequest };
    await this.explained(`comment on pull request ${pullRequest}`, async () => {
      const all = await this.api.paginate(this.api.rest.issues.listComments, { ...place, per_page: 100 });
      const mine = all.find((comment) => comment.body?.startsWith(mark));
      if (mine === undefined) await this.api.rest.issues.createComment({ ...place, body });
      else if (mine.body?.trim() !== body.trim()) {
        await this.api.rest.issues.updateComment({ ...this.place, comment_id: mine.id, body });
      }
    });
  }

  /** Returns the state of a pull request and its merge commit; undefined if it was not merged. */
  async pullRequest(number: number): Promise<{ readonly state: string; readonly mergedAs: string | undefined }> {
    return this.explained(`read pull request ${number}`, async () => {
      const { data } = await this.api.rest.pulls.get({ ...this.place, pull_number: number });
      return { state: data.state, mergedAs: data.merged ? (data.merge_commit_sha ?? undefined) : undefined };
    });
  }

  /** Whether `head` contains a commit in its history. */
  async isContained(commit: string, head: string): Promise<boolean> {
    return this.explained(`compare ${commit} with ${head}`, async () => {
      const { data } = await this.api.rest.repos.compareCommitsWithBasehead({
        ...this.place,
        basehead: `${commit}...${head}`,
        per_page: 1,
      });
      return data.status === "ahead" || data.status === "identical";
    });
  }

  /**
   * Maintains the only open issue that starts with this mark: opens or updates it, or closes it if there is no body.
   */
  async issue(mark: string, title: string, body: string | undefined): Promise<void> {
    await this.explained("keep the issue", async () => {
      const all = await this.api.paginate(this.api.rest.issues.listForRepo, {
        ...this.place,
        state: "open",
        per_page: 100,
      });
      const mine = all.find((issue) => issue.body?.startsWith(mark) && issue.pull_request === undefined);
      const number = mine && { ...this.place, issue_number: mine.number };
      if (body === undefined) {
        if (number) await this.api.rest.issues.update({ ...number, state: "closed", state_reason: "completed" });
      } else if (number) await this.api.rest.issues.update({ ...number, title, body });
      else await this.api.rest.issues.create({ ...this.place, title, body });
    });
  }

  private async explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new Failure(`could not ${what} of ${this.place.owner}/${this.place.repo}: ${messageOf(error)}`);
    }
  }
}
