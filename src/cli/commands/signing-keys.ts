import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { addSigningKey } from '../../outbound/own-identity.ts';
import { whileLocked } from '../../parsing/file-lock.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';

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
