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

/** A program that finds no browser has ended by then; one that becomes the browser still runs. */
const MAX_LAUNCH_MS = 1500;

/** The program that opens an address in the browser. It is started without a shell, which could interpret the address. */
export function browserCommand(platform: NodeJS.Platform, address: string): Program {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with whether the page seems to be open. Refuses all addresses but http and https. */
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
