import { type Figure, figure, notMeasured } from '../document/figure.ts';
import { digits, duration, whole } from '../document/quantities.ts';
import type { PeerCost, PeersComparison } from './compare-peers.ts';

/** A few hundred homes are quickly read by anybody. */
const MIN_JUDGED_HOMES = 10_000;

/** How many times faster than an engine the index has to be, at the form in which the engine is fastest. */
const PEER_GOALS = { wholeInSql: 400, rowsToJavaScript: 50 } as const;

export function peerFigures({
  index,
  peers,
  missing,
  homes,
  matches,
  inventory,
}: PeersComparison): readonly Figure[] {
  const own = duration(index.medianUs);
  const isJudged = homes >= MIN_JUDGED_HOMES;
  return [
    figure(
      `index: full question over ${whole(homes)} homes (${inventory}), ${whole(matches)} matches on average`,
      own,
      { p99: duration(index.p99Us) },
    ),
    ...peers.map((peer) => {
      const ratio = peer.medianUs / index.medianUs;
      const goal = peer.isWholeInSql ? PEER_GOALS.wholeInSql : PEER_GOALS.rowsToJavaScript;
      return figure(`${peer.engine}, ${peer.form}`, duration(peer.medianUs), {
        p99: duration(peer.p99Us),
        baseline: `index ${own}`,
        ratio: `× ${digits(ratio)}`,
        // The forms in which it is slower show that it was asked well.
        ...(isJudged && isFastest(peer, peers) ? { goal: `at least ${goal}`, isMet: ratio >= goal } : {}),
      });
    }),
    ...missing.map(({ engine, reason }) => notMeasured(engine, reason, `at least ${PEER_GOALS.wholeInSql}`)),
  ];
}

function isFastest(peer: PeerCost, all: readonly PeerCost[]): boolean {
  return all.every(
    ({ engine, isWholeInSql, medianUs }) =>
      engine !== peer.engine || isWholeInSql !== peer.isWholeInSql || medianUs >= peer.medianUs,
  );
}
