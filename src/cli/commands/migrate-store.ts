import type { CliTools, CommandResult, FinishedStoreMigration, StoreMigrationOutcome } from '../command.ts';
import { counted } from '../counted.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { table } from '../table.ts';
import { openSettings } from '../workspace.ts';
import { addressOf } from './network.ts';

export type MigrateStoreOptions = {
  readonly from: 'sqlite';
  readonly to: 'postgres';
  readonly data?: string;
  /** Into a PostgreSQL that has homes already. */
  readonly merge?: boolean;
};

const MAX_SHOWN = 20;
const AGAIN = 'run the same command again: it goes on from there';
const PHASES = {
  catalogues: 'Moving homes',
  calendars: 'Moving calendars',
  quotes: 'Moving the ledger',
  counts: 'Moving counts and bookings',
  comparison: 'Comparing',
} as const;

/** Moves what lasts from the embedded store of the data folder to PostgreSQL, and compares the two. */
export async function migrateStore(
  { data, merge = false }: MigrateStoreOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const { dataDirectory, postgresUrl } = openSettings(tools, { data });
  const bars = new Map<string, ReturnType<CliTools['terminal']['progress']>>();
  const outcome = await tools
    .migrateStore({
      directory: dataDirectory,
      postgresUrl: addressOf(postgresUrl),
      merge,
      onProgress(phase, done, total) {
        const bar = bars.get(phase) ?? tools.terminal.progress(PHASES[phase]);
        bars.set(phase, bar);
        bar.update(done, total);
        if (done >= total) bar.end(`${PHASES[phase]}: done`);
      },
    })
    .catch((failure: unknown) => explained(failure, dataDirectory));
  switch (outcome.kind) {
    case 'refused':
      throw refusalOf(outcome);
    case 'interrupted':
      return {
        exit: EXIT.interrupted,
        json: { outcome: 'interrupted' },
        text: `Interrupted; to go on, ${AGAIN}.`,
      };
    case 'migrated':
      return resultOf(outcome);
  }
}

function explained(failure: unknown, dataDirectory: string): never {
  const kind = failure instanceof Error && 'kind' in failure ? failure.kind : undefined;
  if (kind === 'in_use') {
    throw new UsageFault([`The service is running on ${dataDirectory}.`], 'stop it, and run this again');
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  if (kind === 'unreachable') throw new UsageFault([message], `once PostgreSQL answers, ${AGAIN}`);
  throw failure;
}

function refusalOf({ reason, examples }: Extract<StoreMigrationOutcome, { kind: 'refused' }>): UsageFault {
  const details = { reason, examples };
  return reason === 'nodes_are_running'
    ? new UsageFault(
        [`Nodes work on this PostgreSQL: ${examples.join(', ')}.`],
        'stop them, wait half a minute, and run this again',
        null,
        details,
      )
    : new UsageFault(
        [`PostgreSQL has homes that are not in the embedded store, such as ${examples.join(', ')}.`],
        'choose another database; or add --merge to keep other brands and to replace those of the same name',
        null,
        details,
      );
}

function resultOf({ counts, isCopy, differing }: FinishedStoreMigration): CommandResult {
  const { homes, calendars, documents, learned, ...others } = counts;
  const moved = { ...(!isCopy && { homes, calendars, documents, learned }), ...others };
  const rows = Object.entries(moved).map(([what, number]) => [what, String(number)]);
  const copied = isCopy
    ? ['The homes in this folder are the copy of a node that works with PostgreSQL, and were left alone.']
    : [];
  const verdict =
    differing.length === 0
      ? ['Everything is in PostgreSQL as it was here. Sessions are not moved: they end within half an hour.']
      : [
          `${counted(differing.length, 'difference')} between the two, because somebody has written meanwhile:`,
          ...differing.slice(0, MAX_SHOWN).map((what) => `  ${what}`),
          `→ ${AGAIN}`,
        ];
  return {
    exit: differing.length === 0 ? EXIT.done : EXIT.faults,
    json: { outcome: 'migrated', moved, homes_left_alone: isCopy, differing },
    text: [table(rows), '', ...copied, ...verdict].join('\n'),
  };
}
