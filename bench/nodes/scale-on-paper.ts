import { digits, whole } from '../document/quantities.ts';
import type { SideMeasured } from './compare-sides.ts';
import type { CountedKind, TrafficCounted } from './count-traffic.ts';
import type { HomesMeasured } from './measure-homes.ts';

/** What was measured of one node, and is multiplied here. */
export type MeasuredNode = {
  readonly step: SideMeasured;
  readonly result: SideMeasured;
  readonly search: SideMeasured;
  readonly traffic: TrafficCounted;
  readonly homes: HomesMeasured;
};

const SIZES = [10, 100, 1000] as const;
const BUSY_SHARE = 0.6;
const SESSION_SECONDS = 30 * 60;
const DAY_SECONDS = 86_400;
const QUOTES_A_SEARCH = 20;
const BYTES_A_PRIMARY = 16e9;
const HOMES = 10_000_000;
const CHANGES_A_HOME_AND_DAY = 4;

/** Requests of one traveller from the opening to the result, which is read twice. An opening is taken to cost what a step does. */
const TRAVELLER: readonly (readonly [kind: CountedKind, times: number])[] = [
  ['opening', 1],
  ['step', 5],
  ['search', 1],
  ['result', 2],
];

type Row = readonly [what: string, ofNodes: (nodes: number) => string];

/** A table in Markdown: what so many busy nodes need, each figure computed from measured ones. */
export function scaleOnPaper({ step, result, search, traffic, homes }: MeasuredNode): string {
  const costOf = { opening: step, step, read: step, search, result };
  const together = (value: (kind: CountedKind) => number) =>
    TRAVELLER.reduce((sum, [kind, times]) => sum + times * value(kind), 0);
  const microseconds = {
    node: together((kind) => costOf[kind].nodes),
    redis: together((kind) => costOf[kind].redis),
    postgres: together((kind) => costOf[kind].postgres),
  };
  const messages = together((kind) => traffic.of[kind].redisMessages);
  const bytesIn = together((kind) => traffic.of[kind].redisBytesIn);
  const bytesOut = together((kind) => traffic.of[kind].redisBytesOut);

  const searches = (nodes: number) => (nodes * BUSY_SHARE * 1e6) / microseconds.node;
  const memory = (nodes: number) =>
    searches(nodes) * (SESSION_SECONDS * traffic.sessionWithResultBytes + DAY_SECONDS * traffic.sessionBytes);
  const primaries = (nodes: number) =>
    Math.max(
      Math.ceil((searches(nodes) * microseconds.redis) / 1e6 / BUSY_SHARE),
      Math.ceil(memory(nodes) / BYTES_A_PRIMARY),
    );
  const changesPerSecond = (HOMES * CHANGES_A_HOME_AND_DAY) / DAY_SECONDS;
  const rows: readonly Row[] = [
    ['whole searches a second', (nodes) => whole(searches(nodes))],
    ['sessions that are open at once', (nodes) => whole(searches(nodes) * SESSION_SECONDS)],
    ['Redis: messages a second', (nodes) => whole(searches(nodes) * messages)],
    ['Redis: processors', (nodes) => digits((searches(nodes) * microseconds.redis) / 1e6)],
    ['Redis: memory', (nodes) => size(memory(nodes))],
    ['Redis: primaries', (nodes) => whole(primaries(nodes))],
    ['Redis: received and sent a second', (nodes) => size(searches(nodes) * (bytesIn + bytesOut))],
    ['PostgreSQL: quotes a second', (nodes) => whole(searches(nodes) * QUOTES_A_SEARCH)],
    [
      'PostgreSQL: processors, for the ledger',
      (nodes) => digits((searches(nodes) * microseconds.postgres) / 1e6),
    ],
    [
      'PostgreSQL: ledger, a day',
      (nodes) => size(searches(nodes) * QUOTES_A_SEARCH * DAY_SECONDS * traffic.quoteBytes),
    ],
    [
      'PostgreSQL: transactions a second of nodes that only follow',
      (nodes) => whole(nodes * traffic.idleNode.postgresTransactions),
    ],
    ['PostgreSQL: connections, at most', (nodes) => whole(nodes * 10)],
    [
      'PostgreSQL: sent a second to copies of ten million homes',
      (nodes) => size(nodes * changesPerSecond * homes.postgresBytesAHome),
    ],
    [
      'nodes: processor time for following them, were each change stored alone',
      () => `${digits((changesPerSecond * homes.changeFollower) / 1e4)} % of one for each`,
    ],
  ];
  return [
    `| | ${SIZES.map((nodes) => `${whole(nodes)} nodes`).join(' | ')} |`,
    `|---|${SIZES.map(() => '---:').join('|')}|`,
    ...rows.map(([what, ofNodes]) => `| ${what} | ${SIZES.map(ofNodes).join(' | ')} |`),
    '',
    `A whole search: ${digits(microseconds.node / 1000)} ms of processor time of nodes, ${digits(microseconds.redis / 1000)} ms of Redis, ` +
      `${digits(microseconds.postgres / 1000)} ms of PostgreSQL; ${digits(messages)} messages to Redis, ${whole(bytesIn)} bytes in and ${whole(bytesOut)} out. ` +
      `Ten million homes: ${size(HOMES * homes.postgresBytesAHome)} in PostgreSQL, ${size(HOMES * homes.folderBytesAHome)} in the folder of each node, ` +
      `${digits((HOMES / homes.homes) * (homes.fillingMs / 60_000))} minutes for a new node to fill its copy at the measured rate, ` +
      `${digits((HOMES / homes.homes) * (homes.startingAgainMs / 60_000))} to start again.`,
  ].join('\n');
}

function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${digits(bytes / 1000 ** step)} ${units[step]}`;
}
