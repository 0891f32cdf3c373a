import { readFileSync, writeFileSync } from 'node:fs';
import { AMENITY_LABELS, BROADER_AMENITIES } from '../catalogue/amenities.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import { commandsForDocuments } from '../cli/program.ts';
import { registryEntry } from '../contract/mcp-server.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { guideMarkdown, readSigners, signersModule } from '../http/discovery/guide.ts';
import { skillDocument } from '../http/discovery/llms-and-skill.ts';
import { comparisonCardModule } from '../mcp/card/bundle-card.ts';
import { NETWORK_DOCUMENTS } from '../network/network-documents.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { REQUIRED, settingsTable } from './settings.ts';

export type BackupEntry = {
  /** Patterns of paths from the folder of the network, whose data folder is `data`. */
  readonly files: readonly string[];
  readonly holds: string;
  readonly without: string;
  /** Whether the service refuses to start without it, where it is in use. */
  readonly isNeededToStart?: true;
};

/** What a restored service needs. A test restores exactly these files, and starts from them. */
export const FILES_TO_BACK_UP: readonly BackupEntry[] = [
  {
    files: ['.env'],
    holds: 'the settings, and the key of `credentials.sealed`',
    without:
      'does not start; without the key, the secrets have to be entered again. Keep a copy of the key apart from the file',
    isNeededToStart: true,
  },
  {
    files: ['network.jsonc'],
    holds: 'places, brands, and how each booking system is reached',
    without: 'does not start',
    isNeededToStart: true,
  },
  {
    files: ['credentials.sealed'],
    holds: 'the secrets of operators’ accounts (`STAYWIRE_CREDENTIALS`)',
    without: 'does not start until each account is connected again',
    isNeededToStart: true,
  },
  {
    files: ['signing-keys.json'],
    holds: 'the keys that sign requests to operators (`STAYWIRE_SIGNING_KEYS`)',
    without: 'does not start; operators refuse a new key until they have read it',
    isNeededToStart: true,
  },
  {
    files: ['data/assistants.json'],
    holds:
      'who may call (or the file of `STAYWIRE_ASSISTANTS`), with the lists that it names by `ranges_file`',
    without: 'does not start, unless `STAYWIRE_TRUSTED_NETWORKS` is set',
    isNeededToStart: true,
  },
  {
    files: ['imports/*'],
    holds:
      'imported homes with their prices; back up other files that `network.jsonc` names too, such as rate cards',
    without: 'their brands have no prices',
  },
  {
    files: ['data/sessions.sqlite'],
    holds: 'open sessions with their results, and the ledger of quotes',
    without: 'travellers begin anew; which prices were quoted cannot be shown any more',
  },
  {
    files: ['data/activity.sqlite'],
    holds: 'counts, reported bookings, pauses of operators, and the password of the console',
    without: 'reports begin at zero, paused operators are asked again, and the password has to be set',
  },
  {
    files: ['data/audit/*'],
    holds: 'the audit log',
    without: 'a new log begins; who did what before is not known',
  },
  {
    files: ['data/inventory.sqlite'],
    holds:
      'catalogues, calendars and rate cards as last read, learned prices, and renewed tokens of accounts',
    without:
      'the first start reads every operator anew; a BookingSync account with a `refresh_token` has to be authorised again',
  },
];

/** Made anew by the service. */
export const FILES_NOT_TO_BACK_UP: readonly string[] = [
  'data/index.snapshot',
  'data/assistants-in-force.json',
  'data/published/*',
  'data/lock.sqlite*',
  'data/*-wal',
  'data/*-shm',
];

/** Path → function from the current content of the file to the generated one. */
export const GENERATED_DOCUMENTS: Readonly<Record<string, (current: string) => Promise<string>>> = {
  'src/mcp/card/comparison-card.generated.ts': comparisonCardModule,
  'openapi.json': async () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'server.json': async () => `${JSON.stringify(registryEntry(), null, 2)}\n`,
  'docs/skills/find-stays/SKILL.md': async () => skillDocument(null),
  'src/http/discovery/signers.generated.ts': async () => signersModule(readSigners()),
  'docs/for-assistants.md': async (current) => withSection(current, 'how to get in', guideSection()),
  'docs/running.md': async (current) =>
    [
      ['settings', settingsSection()] as const,
      ['metrics', await metricsSection()] as const,
      ['backup', backupSection()] as const,
    ].reduce((document, [name, content]) => withSection(document, name, content), current),
  'docs/command-line.md': async (current) => withSection(current, 'commands', commandsSection()),
  'docs/held-back.md': async (current) => withSection(current, 'rules', rulesSection()),
  'docs/amenities.md': async (current) => withSection(current, 'amenities', amenitiesSection()),
  ...Object.fromEntries(
    Object.entries(NETWORK_DOCUMENTS).map(([name, documentFrom]) => [
      `docs/${name}`,
      async (current: string) => documentFrom(current),
    ]),
  ),
};

/** The page that a network publishes, as a chapter. */
function guideSection(): string {
  const facts = {
    publicUrl: 'https://stays.example',
    hosts: [],
    contact: 'owner@stays.example',
    signers: readSigners(),
  };
  return guideMarkdown(facts, '##').trimEnd();
}

function settingsSection(): string {
  const rows = settingsTable.map(({ name, fallback: value, meaning }) => {
    const fallback = value === REQUIRED ? 'required' : inCode(String(value ?? ''));
    return `| \`${name}\` | ${fallback} | ${meaning} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function backupSection(): string {
  const named = (files: readonly string[]) => files.map(inCode).join(', ');
  const rows = FILES_TO_BACK_UP.map(
    ({ files, holds, without }) => `| ${named(files)} | ${holds} | ${without} |`,
  );
  return [
    '| file | holds | without it |',
    '|---|---|---|',
    ...rows,
    `| ${named(FILES_NOT_TO_BACK_UP)} | what the service makes anew | nothing is lost: leave them out |`,
  ].join('\n');
}

function commandsSection(): string {
  const rows = commandsForDocuments().map(({ usage, description }) => `| \`${usage}\` | ${description} |`);
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

function rulesSection(): string {
  const rows = Object.entries(REJECTION_RULES).map(
    ([rule, { means, remedy }]) => `| \`${rule}\` | ${means} | ${remedy} |`,
  );
  return ['| rule | what it means | what to do |', '|---|---|---|', ...rows].join('\n');
}

function amenitiesSection(): string {
  const broader: Readonly<Record<string, string>> = BROADER_AMENITIES;
  const rows = Object.entries(AMENITY_LABELS).map(([key, label]) => {
    const kindOf = broader[key];
    return `| \`${key}\` | ${label} | ${kindOf === undefined ? '' : `\`${kindOf}\``} |`;
  });
  return ['| key | label | is a kind of |', '|---|---|---|', ...rows].join('\n');
}

/** Without the default process metrics, which Prometheus clients have in common. */
async function metricsSection(): Promise<string> {
  const rendered = await createMetrics().render();
  const rows = [...rendered.matchAll(/^# HELP (staywire\S+) (.*)$/gm)].map(
    ([, name, help]) => `| \`${name}\` | ${help} |`,
  );
  return ['| metric | meaning |', '|---|---|', ...rows].join('\n');
}

function inCode(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** Replaces the text between `<!-- generated: name -->` and the next `<!-- end of generated -->`. */
function withSection(document: string, name: string, content: string): string {
  const start = `<!-- generated: ${name} -->\n`;
  const end = '\n<!-- end of generated -->';
  const from = document.indexOf(start) + start.length;
  const to = document.indexOf(end, from);
  if (from < start.length || to === -1) throw new Error(`there is no generated section "${name}"`);
  return `${document.slice(0, from)}\n${content}\n${document.slice(to)}`;
}

// `npm run generate` writes the generated documents. They are committed, and a test compares them.
if (import.meta.main) {
  for (const [path, documentFrom] of Object.entries(GENERATED_DOCUMENTS)) {
    const file = new URL(`../../${path}`, import.meta.url);
    writeFileSync(file, await documentFrom(readFileSync(file, 'utf8')));
  }
}
