import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { faultOfPassword, MIN_PASSWORD_LENGTH, recordOfPassword } from '../../access/owner-settings.ts';
import { addSigningKey } from '../../outbound/signing.ts';
import { whileLocked } from '../../parsing/file-lock.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { paragraph } from '../terminal.ts';
import { openSettings, type WorkspaceOptions } from '../workspace.ts';

export type ConsolePasswordOptions = Pick<WorkspaceOptions, 'data'> & {
  readonly passwordFromStdin?: boolean;
};

const FROM_STDIN = '--password-from-stdin';

/** Sets the password of the console for every node of the store. It is never an argument, because other users of the machine see those. */
export async function setConsolePassword(
  { passwordFromStdin = false, ...options }: ConsolePasswordOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const settings = openSettings(tools, options);
  if (settings.store === 'memory') {
    throw new UsageFault(
      ['A store in memory keeps no password, and has no console.'],
      'choose another with STAYWIRE_STORE, or leave it out',
    );
  }
  const password = passwordFromStdin ? await passwordFromInput(tools) : await askedPassword(tools);
  const record = await recordOfPassword(password, tools.random);
  const { owner, close } = await tools.openOwnerStore(settings);
  try {
    const isFirst = (await owner.get('console_password')) === null;
    await owner.set('console_password', record);
    const text = isFirst
      ? 'The console has a password. Whoever knows it can sign in now; nothing has to be restarted.'
      : 'The console has another password. Whoever was signed in has to sign in again.';
    return { exit: EXIT.done, json: { changed: true, first: isFirst }, text: paragraph(text) };
  } finally {
    await close();
  }
}

async function passwordFromInput({ readInput }: Pick<CliTools, 'readInput'>): Promise<string> {
  const password = (await readInput()).replace(/\r?\n$/, '');
  const fault = faultOfPassword(password);
  if (fault !== undefined) throw new UsageFault([fault], 'send another one');
  return password;
}

async function askedPassword({ terminal }: Pick<CliTools, 'terminal'>): Promise<string> {
  const password = await terminal.ask({
    message: `The new password of the console, at least ${MIN_PASSWORD_LENGTH} characters`,
    option: FROM_STDIN,
    isSecret: true,
    faultOf: faultOfPassword,
  });
  await terminal.ask({
    message: 'The same once more',
    option: FROM_STDIN,
    isSecret: true,
    faultOf: (again) => (again === password ? undefined : 'That is not the same.'),
  });
  return password;
}

/** Makes a key that signs requests to operators. Its private half is only in the file. */
export async function createSigningKey(
  { out = 'signing-keys.json' }: { readonly out?: string },
  { directory, random, clock, signal }: CliTools,
): Promise<CommandResult> {
  const path = resolve(directory, out);
  if (!existsSync(dirname(path))) {
    throw new UsageFault(
      [`There is no folder ${dirname(path)}.`],
      'make it, or name another file with --out',
    );
  }
  const added = await whileLocked(path, { clock, signal }, () => addSigningKey(path, random));
  if (added.kind === 'invalid') throw new UsageFault(added.faults.map((fault) => `${out} ${fault}`));
  const { keyid, position } = added.value;
  return {
    exit: EXIT.done,
    json: { file: path, keyid, position },
    text:
      position === 0
        ? [
            `Wrote ${out}, for you alone to read. The thumbprint of its key is`,
            `  ${keyid}`,
            'Set STAYWIRE_SIGNING_KEYS to its path, and STAYWIRE_PUBLIC_URL to the https',
            'origin of the service. Requests to operators are signed from its next start on.',
          ].join('\n')
        : [
            `Added key ${position + 1} to ${out}. Its thumbprint is`,
            `  ${keyid}`,
            'It is published from the next start on, and signs once you put it first.',
          ].join('\n'),
  };
}
