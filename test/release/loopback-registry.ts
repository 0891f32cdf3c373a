import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runNpm } from './run-npm.ts';

type Published = { readonly manifest: Readonly<Record<string, unknown>>; readonly tarball: Buffer };

export type LoopbackRegistry = {
  readonly url: string;
  /** The methods and addresses of the requests so far. */
  readonly requests: readonly string[];
  /** As if its owner had published it. */
  add(manifest: Readonly<Record<string, unknown>> & { readonly name: string }): Promise<void>;
};

/** A registry of npm on this machine, for as long as the test lasts. */
export async function startRegistry(t: TestContext, directory: string): Promise<LoopbackRegistry> {
  const published = new Map<string, Published>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [name = '', file] = (request.url ?? '').slice(1).split('/-/');
    const found = published.get(name);
    if (!found || request.method !== 'GET') return response.writeHead(404).end('{}');
    if (file) return response.end(found.tarball);
    const version = String(found.manifest.version);
    const integrity = `sha512-${createHash('sha512').update(found.tarball).digest('base64')}`;
    const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity };
    return response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { ...found.manifest, hasInstallScript: true, dist } },
        time: { [version]: '2026-01-01T00:00:00.000Z' },
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    async add(manifest) {
      const folder = join(directory, manifest.name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      const { status, output } = await runNpm({ cwd: folder, cache: join(directory, 'cache') }, 'pack');
      if (status !== 0) throw new Error(output);
      const tarball = readFileSync(join(folder, `${manifest.name}-${manifest.version}.tgz`));
      published.set(manifest.name, { manifest, tarball });
    },
  };
}
