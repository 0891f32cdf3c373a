import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createFile } from '../../parsing/replace-file.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { shellWord, UsageFault } from '../faults.ts';
import { CREDENTIALS_FILE, ENVIRONMENT_FILE, NETWORK_FILE } from '../workspace.ts';

const KEY_BYTES = 32;

export type InitOptions = {
  readonly name?: string;
  readonly contact?: string;
  readonly trustThisMachine?: boolean;
};

/** Writes a first network file, and an environment file with a new key. Never replaces a file. */
export async function init(
  folder: string | undefined,
  { name, contact, trustThisMachine }: InitOptions,
  { directory, random, terminal }: Pick<CliTools, 'directory' | 'random' | 'terminal'>,
): Promise<CommandResult> {
  const target = resolve(directory, folder ?? '.');
  const described = {
    name: name ?? (await answer(terminal, 'Name of the network', '--name', 'My network')),
    contact:
      contact ??
      (await answer(terminal, 'Address where people can write to', '--contact', 'network@example.com')),
  };
  assertOneLine('--name', described.name);
  assertOneLine('--contact', described.contact);
  const trusts = trustThisMachine ?? (await wantsToTry(terminal));
  mkdirSync(target, { recursive: true });
  const [network, environment] = [join(target, NETWORK_FILE), join(target, ENVIRONMENT_FILE)];
  if (!createFile(network, networkFile(described))) {
    throw new UsageFault(
      [`${network} is there already; it was left as it is.`],
      'go on with staywire connect BRAND, or choose another folder',
    );
  }
  // It holds a key: only its owner may read it.
  const settings = environmentFile(random.bytes(KEY_BYTES).toString('hex'), trusts);
  const written = createFile(environment, settings, 0o600) ? [network, environment] : [network];
  const names = written.map((path) => relative(directory, path));
  return {
    exit: EXIT.done,
    json: { written: names },
    text: [
      `Wrote ${names.join(' and ')}.`,
      '',
      'Next: connect the first brand, and look at what it has:',
      ...(target === directory ? [] : [`  cd ${shellWord(relative(directory, target))}`]),
      '  staywire connect harbor --system lodgify',
      '  staywire sync',
      '  staywire serve',
    ].join('\n'),
  };
}

/** The name and the contact are shown in one line. */
function assertOneLine(option: string, text: string): void {
  if (text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text)) return;
  throw new UsageFault(
    [`${option} is empty, or has a line break or another control character.`],
    `give ${option} as a text of one line`,
  );
}

async function wantsToTry(terminal: CliTools['terminal']): Promise<boolean> {
  if (!terminal.canAsk) return false;
  const who = await terminal.ask({
    message: 'Who may call the service?',
    option: '--trust-this-machine',
    choices: [
      { value: 'this machine', label: 'every program on this machine, to try it' },
      { value: 'nobody', label: 'nobody yet; I will approve assistants' },
    ],
  });
  return who === 'this machine';
}

async function answer(
  terminal: CliTools['terminal'],
  message: string,
  option: string,
  initial: string,
): Promise<string> {
  return terminal.canAsk ? terminal.ask({ message, option, initial }) : initial;
}

function networkFile({ name, contact }: { readonly name: string; readonly contact: string }): string {
  return `{
  // A network: the places where stays are searched, and the brands that rent homes out there.
  // Every member is explained in docs/network-file.md. Comments like this one may stay.
  "name": ${JSON.stringify(name)},
  // Shown to assistants and operators in the terms.
  "contact": ${JSON.stringify(contact)},
  // How often catalogues and calendars are read anew. Prices are always asked for at the moment of a search.
  "refresh_seconds": 900,

  // Cities, and the regions and countries around them:
  //   { "id": "portugal", "name": "Portugal", "kind": "country", "time_zone": "Europe/Lisbon", "currency": "EUR" },
  //   { "id": "lisbon-pt", "name": "Lisbon", "aliases": ["Lisboa"], "kind": "city", "parent": "portugal",
  //     "time_zone": "Europe/Lisbon", "currency": "EUR" }
  // \`staywire connect\` adds the cities that it finds, and their countries where the operator names them.
  "places": [],

  // One entry for each operator. \`staywire connect BRAND --system SYSTEM\` writes it:
  //   { "source": "harbor", "name": "Harbor Homes", "all_in_totals": false,
  //     "website": { "hosts": ["harbor.example"] },
  //     "places": { "Lisboa": "lisbon-pt" },
  //     "booking_system": { "kind": "lodgify", "account": "harbor" } }
  // Secrets are never in this file: they are in the environment, or sealed in ${CREDENTIALS_FILE}.
  "brands": []
}
`;
}

function environmentFile(key: string, trusts: boolean): string {
  return `# Settings of this network; docs/running.md lists them all. What is set outside of this file wins.
STAYWIRE_NETWORK=${NETWORK_FILE}
STAYWIRE_DATA_DIR=data

# The origin under which assistants reach the service. Without it the addresses to follow are relative, and signed
# requests are refused: enough on this machine, and not for assistants on other machines.
# STAYWIRE_PUBLIC_URL=https://stays.example

# The secrets of operators' accounts, sealed with this key. Keep the key apart from the file where you can:
# whoever has both can read the secrets.
STAYWIRE_CREDENTIALS=${CREDENTIALS_FILE}
STAYWIRE_CREDENTIALS_KEY=${key}

# Who may call: assistants that you approve (staywire assistants list), or all programs on this machine.
# A proxy on this machine is such a program: never trust the machine and put a proxy on it.
${trusts ? '' : '# '}STAYWIRE_TRUSTED_NETWORKS=127.0.0.0/8,::1
`;
}
