import type { PlaceId } from '../../src/catalogue/catalogue.ts';
import type { CompleteCriteria } from '../../src/catalogue/stay-criteria.ts';
import { type AskedIndex, createAskedIndex, type FullAnswer } from '../index/ask.ts';
import { inTurn, type QuestionTimes, timesAmong } from '../index/time-questions.ts';
import type { BenchInventory } from '../inventory/bench-inventory.ts';
import { completeQuestions } from '../inventory/questions.ts';
import { writeCsvFiles } from './csv-files.ts';
import { differenceOf } from './difference.ts';
import type { Engine, OpenEngine, Peer } from './peer.ts';
import { type PlaceTable, placeTableOf } from './place-table.ts';

export type PeerCost = QuestionTimes & {
  readonly engine: string;
  readonly form: string;
  readonly isWholeInSql: boolean;
};

export type PeersComparison = {
  readonly inventory: string;
  readonly homes: number;
  readonly questions: number;
  /** On average. */
  readonly matches: number;
  readonly index: QuestionTimes;
  readonly peers: readonly PeerCost[];
  readonly missing: readonly { readonly engine: string; readonly reason: string }[];
};

/**
 * Asks the index and every peer the same questions. Before anything is timed, every answer of every peer is compared with
 * that of the index, and one that differs ends the run. Then all take turns, round by round, and the quickest answer to each
 * question counts: other work on the machine delays what takes long more often than what is over at once. A turn begins with other questions that
 * are not timed, for all alike: whoever was asked before has filled the caches with what is its own.
 */
export async function comparePeers({
  inventory,
  place,
  engines,
  questions,
  rounds,
  warmUpMs,
  seed,
  folder,
  tell,
}: {
  readonly inventory: BenchInventory;
  readonly place: PlaceId;
  readonly engines: readonly Engine[];
  readonly questions: number;
  readonly rounds: number;
  /** For how long other questions are asked at the beginning of a turn. */
  readonly warmUpMs: number;
  readonly seed: number;
  readonly folder: string;
  readonly tell: (progress: string) => void;
}): Promise<PeersComparison> {
  const table = placeTableOf(inventory, place);
  const index = createAskedIndex(inventory);
  index.load(inventory.homesIn(place));
  const questionsOf = (seed: number) =>
    completeQuestions(
      { seed, today: inventory.today, count: questions, amenities: table.amenityKeys },
      { place, brand: null },
    );
  const asked = questionsOf(seed);
  const others = questionsOf(seed + 1);
  const answers = asked.map((question) => index.fullQuestion(question));
  writeCsvFiles(table, folder);
  const { open, missing } = await openAll(engines, table, folder, tell);
  try {
    const peers = open.flatMap((engine) => engine.peers);
    for (const peer of peers) {
      tell(`checking ${peer.engine}, ${peer.form}`);
      await mustAgree(peer, asked, answers);
    }
    const quickestOf = new Map<Peer | AskedIndex, number[]>([index, ...peers].map((one) => [one, []]));
    for (let round = 1; round <= rounds; round += 1) {
      tell(`round ${round} of ${rounds}`);
      for (const [one, quickest] of quickestOf) {
        for (const other of inTurn(others, warmUpMs)) await answerOf(one, other);
        for (const [position, question] of asked.entries()) {
          const startedAt = performance.now();
          const answer = answerOf(one, question);
          if (answer instanceof Promise) await answer;
          const took = (performance.now() - startedAt) * 1000;
          quickest[position] = Math.min(quickest[position] ?? Number.POSITIVE_INFINITY, took);
        }
      }
    }
    const timeOf = (one: Peer | AskedIndex): QuestionTimes => timesAmong(quickestOf.get(one) ?? []);
    return {
      inventory: inventory.name,
      homes: table.homes,
      questions,
      matches: answers.reduce((sum, { count }) => sum + count, 0) / questions,
      index: timeOf(index),
      peers: peers.map((peer) => ({
        engine: peer.engine,
        form: peer.form,
        isWholeInSql: peer.isWholeInSql,
        ...timeOf(peer),
      })),
      missing,
    };
  } finally {
    for (const engine of open) await engine.close();
  }
}

function answerOf(one: Peer | AskedIndex, question: CompleteCriteria): FullAnswer | Promise<FullAnswer> {
  return 'fullQuestion' in one ? one.fullQuestion(question) : one.ask(question);
}

async function openAll(
  engines: readonly Engine[],
  table: PlaceTable,
  folder: string,
  tell: (progress: string) => void,
): Promise<{ readonly open: readonly OpenEngine[]; readonly missing: PeersComparison['missing'] }> {
  const open: OpenEngine[] = [];
  const missing: { engine: string; reason: string }[] = [];
  try {
    for (const engine of engines) {
      tell(`loading ${engine.name}`);
      const opened = await engine.open(table, folder);
      if ('missing' in opened) missing.push({ engine: engine.name, reason: opened.missing });
      else open.push(opened);
    }
  } catch (error) {
    for (const engine of open) await engine.close();
    throw error;
  }
  return { open, missing };
}

async function mustAgree(
  peer: Peer,
  asked: readonly CompleteCriteria[],
  answers: readonly FullAnswer[],
): Promise<void> {
  for (const [position, question] of asked.entries()) {
    const expected = answers[position] as FullAnswer;
    const difference = differenceOf(await peer.ask(question), expected);
    if (difference === null) continue;
    throw new Error(
      `${peer.engine}, ${peer.form}, answers otherwise than the index: ${difference}, asked ${JSON.stringify(question)}`,
    );
  }
}
