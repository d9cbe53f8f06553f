import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderChart, type ChartQuestion } from "../../../provider/functions/renderChart";
import { TemplateEngine as Engine } from "../../../kubernetes/helmEngine/engine";

/** The real Go template engine, without Pulumi's engine around it: invokes of the code under test go straight to it. */
export class TemplateEngine {
  private constructor(private readonly engine: Engine) {}

  static async start(): Promise<TemplateEngine> {
    return new TemplateEngine(await Engine.start(process.env));
  }

  /** Lets every invoke of a program in this process end here. */
  attach(): void {
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
      call: async ({ token, inputs }) =>
        this.answer(token, inputs as object).catch((error: Error) => {
          // Where Pulumi looks for what went wrong with a call.
          throw Object.assign(error, { details: error.message });
        }),
    });
  }

  private async answer(token: string, inputs: object): Promise<object> {
    if (token !== "stackyard:index:renderChart") return this.engine.invoke(token, inputs);
    return renderChart(
      { signal: new AbortController().signal, log: assert.fail, backend: "test" },
      inputs as ChartQuestion,
    );
  }

  stop(): void {
    this.engine.stop();
  }
}
