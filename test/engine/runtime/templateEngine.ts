import * as pulumi from "@pulumi/pulumi";
import { TemplateEngine as Engine } from "../../../provider/templates/engine";

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
        this.engine.invoke(token, inputs as object).catch((error: Error) => {
          // Where Pulumi looks for what went wrong with a call.
          throw Object.assign(error, { details: error.message });
        }),
    });
  }

  stop(): void {
    this.engine.stop();
  }
}
