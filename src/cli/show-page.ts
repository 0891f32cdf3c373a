import { spawn } from 'node:child_process';
import { type Clock, systemClock } from '../clock.ts';

type Program = readonly [name: string, ...words: string[]];

/** Starts a program that opens a page. */
export type Launch = (program: Program) => {
  /** Its exit code; null when it could not be started, or was killed. */
  readonly ended: Promise<number | null>;
  /** Lets this process end before it. */
  leave(): void;
};

/** Programs that find no browser end by then; those that become the browser themselves go on. */
const MAX_LAUNCH_MS = 1500;

/** What opens an address in the browser of a person, without a shell that could read anything into it. */
export function browserCommand(platform: NodeJS.Platform, address: string): Program {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with whether the page is open, as far as can be told. Only addresses of the web are opened. */
export async function showPage(
  address: string,
  {
    platform = process.platform,
    launch = launchProgram,
    clock = systemClock,
  }: {
    readonly platform?: NodeJS.Platform;
    readonly launch?: Launch;
    readonly clock?: Pick<Clock, 'after'>;
  } = {},
): Promise<boolean> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
  const { ended, leave } = launch(browserCommand(platform, url.href));
  let cancel = () => {};
  const isLate = new Promise<'late'>((resolve) => {
    cancel = clock.after(MAX_LAUNCH_MS, () => resolve('late'));
  });
  const end = await Promise.race([ended, isLate]);
  cancel();
  if (end === 'late') leave();
  return end === 'late' || end === 0;
}

export function launchProgram([name, ...words]: Program): ReturnType<Launch> {
  const child = spawn(name, words, { stdio: 'ignore', detached: true });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  return { ended, leave: () => child.unref() };
}
