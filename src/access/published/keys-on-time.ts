import type { Clock } from '../../clock.ts';
import type { PublicKey } from '../access-list.ts';
import type { FollowedDocument } from './followed-document.ts';
import type { DatedKey } from './read-published-keys.ts';

/** The wall clock can be stepped, so that moments are looked for again now and then. */
const MAX_WAIT_MS = 60_000;

/**
 * The keys of a document that hold now. They change with the document, and while it stays the same: each from its `nbf` and until its `exp`. A
 * publisher that moves `exp` on with every answer changes nothing.
 */
export function keysOnTime({
  clock,
  follow,
  onChange,
}: {
  readonly clock: Clock;
  readonly follow: (onChange: () => void) => FollowedDocument<readonly DatedKey[]>;
  /** Called after other keys hold than before. */
  readonly onChange: () => void;
}): FollowedDocument<readonly PublicKey[]> {
  let stopTimer = () => {};
  const document = follow(lookAgain);
  let shown = JSON.stringify(content());

  function content(): readonly PublicKey[] | null {
    const keys = document.content();
    return keys === null ? null : keys.filter(holds).map(({ key }) => key);
  }

  function holds({ notBefore, notAfter }: DatedKey): boolean {
    const seconds = clock.now() / 1000;
    return (notBefore === null || notBefore <= seconds) && (notAfter === null || seconds < notAfter);
  }

  function lookAgain(): void {
    waitForNextMoment();
    const current = JSON.stringify(content());
    if (current === shown) return;
    shown = current;
    onChange();
  }

  function waitForNextMoment(): void {
    stopTimer();
    const now = clock.now();
    const waits = (document.content() ?? [])
      .flatMap(({ notBefore, notAfter }) => [notBefore, notAfter])
      .flatMap((seconds) => (seconds === null ? [] : [Math.ceil(seconds * 1000 - now)]));
    if (waits.length === 0) return;
    const next = Math.min(MAX_WAIT_MS, ...waits.filter((wait) => wait > 0));
    stopTimer = clock.after(next, lookAgain);
  }

  waitForNextMoment();
  return {
    content,
    status: document.status,
    stop() {
      stopTimer();
      document.stop();
    },
  };
}
