import { spawn } from 'node:child_process';

/** What opens an address in the browser of a person, without a shell that could read anything into it. */
export function browserCommand(platform: NodeJS.Platform, address: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with whether the machine has something that opens pages. Only addresses of the web are opened. */
export function showPage(address: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return Promise.resolve(false);
  const [program, ...words] = browserCommand(platform, url.href);
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
