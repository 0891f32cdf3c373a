import type { CliTools } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { shellOption } from '../shell-command.ts';

export type McpOptions = { readonly url: string; readonly forms?: boolean };

/** Offers a running service to an assistant that starts its tools as programs. */
export async function mcp(
  { url, forms = false }: McpOptions,
  tools: Pick<CliTools, 'serveMcp'>,
): Promise<void> {
  const serviceUrl = URL.parse(url);
  if (!serviceUrl || !['http:', 'https:'].includes(serviceUrl.protocol)) {
    throw new UsageFault(
      [`${shellOption('--url', url)} is not the address of a service.`],
      'give --url an address such as https://stays.example',
    );
  }
  await tools.serveMcp(serviceUrl, forms);
}
