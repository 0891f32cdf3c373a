import type { CliTools } from '../command.ts';
import { type WorkspaceOptions, workspaceEnvironment } from '../workspace.ts';

export type ServeOptions = WorkspaceOptions & { readonly port?: string; readonly host?: string };

/** Runs the service on the network of this folder, until it is told to stop. */
export async function serve({ port, host, ...options }: ServeOptions, tools: CliTools): Promise<void> {
  const env = workspaceEnvironment(tools, options);
  await tools.serve({
    ...env,
    ...(port === undefined ? {} : { PORT: port }),
    ...(host === undefined ? {} : { HOST: host }),
  });
}
