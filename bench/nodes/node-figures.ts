import { type Figure, figure } from '../document/figure.ts';
import { byteCount, digits, duration, whole } from '../document/quantities.ts';
import type { RequestKind } from '../load/slice.ts';
import type { SideMeasured, SidesCompared } from './compare-sides.ts';
import type { CountedKind, TrafficCounted } from './count-traffic.ts';
import type { HomesMeasured } from './measure-homes.ts';
import type { RequestsCompared } from './measure-requests.ts';
import type { SearchesCompared } from './measure-searches.ts';

const REQUEST_TITLES: Readonly<Record<RequestKind, string>> = {
  step: 'step with a value',
  read: 'step that is read',
  result: 'result read again',
};

const COUNTED_TITLES: Readonly<Record<CountedKind, string>> = {
  opening: 'opening of a session',
  step: REQUEST_TITLES.step,
  read: REQUEST_TITLES.read,
  search: 'completed search',
  result: REQUEST_TITLES.result,
};

export function requestFigures({ kind, connections, ...compared }: RequestsCompared): readonly Figure[] {
  return sideFigures(`${REQUEST_TITLES[kind]}, ${connections} connections`, compared);
}

export function searchFigures({ operatorMs, atATime, ...compared }: SearchesCompared): readonly Figure[] {
  return sideFigures(`completed searches, ${operatorMs} ms upstream, ${atATime} at a time`, compared);
}

function sideFigures(what: string, { sides }: SidesCompared): readonly Figure[] {
  const { embedded, 1: one, 2: two, 4: four } = sides;
  const rate = (name: string, side: SideMeasured, baselineName: string, baseline: SideMeasured) =>
    figure(name, `${whole(side.perSecond)}/s`, {
      p99: duration(side.p99Ms * 1000),
      baseline: `${baselineName} ${whole(baseline.perSecond)}/s, p99 ${duration(baseline.p99Ms * 1000)}`,
      ratio: (side.perSecond / baseline.perSecond).toFixed(2),
    });
  const bound = (name: string, side: SideMeasured) =>
    figure(`— by processor time alone, ${name}`, `${whole(side.boundPerSecond)}/s`, {
      baseline: `one node ${whole(one.boundPerSecond)}/s`,
      ratio: (side.boundPerSecond / one.boundPerSecond).toFixed(2),
    });
  return [
    rate(`${what}, one node`, one, 'embedded', embedded),
    rate('— two nodes', two, 'one node', one),
    rate('— four nodes', four, 'one node', one),
    figure('— processor time of the nodes for each, one node', duration(one.nodes), {
      baseline: `embedded ${duration(embedded.nodes)}`,
      ratio: (one.nodes / embedded.nodes).toFixed(2),
    }),
    figure('— the same, four nodes', duration(four.nodes), {
      baseline: `one node ${duration(one.nodes)}`,
      ratio: (four.nodes / one.nodes).toFixed(2),
    }),
    figure('— processor time of Redis for each, one node', duration(one.redis), {
      baseline: `four nodes ${duration(four.redis)}`,
    }),
    figure('— processor time of PostgreSQL for each, one node', duration(one.postgres), {
      baseline: `four nodes ${duration(four.postgres)}`,
    }),
    figure('— by processor time alone, one node', `${whole(one.boundPerSecond)}/s`, {
      baseline: `embedded ${whole(embedded.boundPerSecond)}/s`,
      ratio: (one.boundPerSecond / embedded.boundPerSecond).toFixed(2),
    }),
    bound('two nodes', two),
    bound('four nodes', four),
    figure('— one Redis, by processor time alone', `${whole(1e6 / one.redis)}/s`),
    figure('— load and other work, of the machine, four nodes', machineOf(four), {
      baseline: `one node ${machineOf(one)}`,
    }),
  ];
}

export function trafficFigures({
  sessions,
  of,
  sessionBytes,
  sessionWithResultBytes,
  quoteBytes,
  idleNode,
}: TrafficCounted): readonly Figure[] {
  const kinds = Object.keys(of) as readonly CountedKind[];
  return [
    figure(`Redis, a session with a result (of ${whole(sessions)})`, byteCount(sessionWithResultBytes), {
      baseline: `before its result ${byteCount(sessionBytes)}`,
    }),
    ...kinds.map((kind) => {
      const { redisMessages, redisCommands, redisBytesIn, redisBytesOut } = of[kind];
      return figure(`Redis, ${COUNTED_TITLES[kind]}`, `${digits(redisMessages)} messages`, {
        baseline:
          `${digits(redisCommands)} commands with those in scripts; ` +
          `${byteCount(redisBytesIn)} in, ${byteCount(redisBytesOut)} out`,
      });
    }),
    figure(`PostgreSQL, ${COUNTED_TITLES.search}`, `${digits(of.search.postgresStatements)} statements`, {
      baseline: `${byteCount(of.search.postgresLogBytes)} of its log`,
    }),
    figure('PostgreSQL, a quote in the ledger', byteCount(quoteBytes)),
    figure('a node that nobody asks', `${digits(idleNode.postgresTransactions)} transactions a second`, {
      baseline: `${digits(idleNode.redisCommands)} commands of Redis a second`,
    }),
  ];
}

export function homesFigures(measured: HomesMeasured): readonly Figure[] {
  const { homes, seenMs, writers } = measured;
  const seconds = (ms: number) => duration(ms * 1000);
  const perSecond = (ms: number) => `${whole((homes * 1000) / ms)} homes a second`;
  return [
    figure('a change of one home, seen on another node', seconds(seenMs.median), {
      p99: seconds(seenMs.p99),
      baseline: `slowest ${seconds(seenMs.slowest)}`,
      goal: 'at most 2 s',
      isMet: seenMs.p99 <= 2000,
    }),
    figure(
      `changes of one home each, ${writers} at a time from two nodes`,
      `${whole(measured.changesPerSecond)}/s`,
      {
        baseline: `${byteCount(measured.changeLogBytes)} of PostgreSQL's log`,
      },
    ),
    figure('— processor time of PostgreSQL for each', duration(measured.changePostgres), {
      baseline: `of a node that follows ${duration(measured.changeFollower)}`,
    }),
    figure(`a node stores ${whole(homes)} homes`, seconds(measured.storingMs), {
      baseline: perSecond(measured.storingMs),
    }),
    figure(`a new node fills its copy of ${whole(homes)} homes`, seconds(measured.fillingMs), {
      baseline: perSecond(measured.fillingMs),
    }),
    figure('— processor time of PostgreSQL for each home', duration(measured.fillingPostgres)),
    figure('a node starts again with its copy', seconds(measured.startingAgainMs), {
      baseline: perSecond(measured.startingAgainMs),
    }),
    figure('PostgreSQL, a home', byteCount(measured.postgresBytesAHome), {
      baseline: `folder of a node ${byteCount(measured.folderBytesAHome)}`,
    }),
  ];
}

function machineOf({ loadShare, otherShare }: SideMeasured): string {
  const percent = (share: number) => `${whole(share * 100)} %`;
  return `${percent(loadShare)} and ${percent(otherShare)}`;
}
