import type { Dispatcher } from 'undici';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import {
  type AnswerCollector,
  announcedBytes,
  beginAnswer,
  headerReader,
  type OperatorAnswer,
  type ReadHeader,
  type ReadingLimits,
  type Unchanged,
} from './read-answer.ts';

/** A request that was handed over to a connection, or waits for one. */
export type OperatorExchange = {
  /** Rejects with what undici reports, with the reason for giving up, or with a `BookingSystemFailure` of the answer. */
  readonly answer: Promise<OperatorAnswer | Unchanged>;
  /** Ends it at once, also while it waits for a connection. */
  giveUp(reason: BookingSystemFailure): void;
};

type ExchangeLimits = ReadingLimits & {
  /** Called for every answer, before its body is read. */
  readonly onAnswer?: ((status: number, header: ReadHeader) => void) | undefined;
};

/** They count towards no limit of size or time, and each costs the event loop some of its time. */
const MAX_INTERIM_ANSWERS = 5;
/** The rest of a shorter body is read so that its connection can be used again; a longer one closes the connection. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/**
 * One request and its answer. It takes the answer from undici as it is parsed: the stream and the signals of `Pool.request` would
 * cost more than all that is checked here.
 */
export function beginExchange(
  pool: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { onAnswer, ...limits }: ExchangeLimits,
): OperatorExchange {
  const { promise, ...settling } = Promise.withResolvers<OperatorAnswer | Unchanged>();
  let waiting: Pick<PromiseWithResolvers<OperatorAnswer | Unchanged>, 'resolve' | 'reject'> | undefined =
    settling;
  let controller: Dispatcher.DispatchController | undefined;
  let reasonToGiveUp: BookingSystemFailure | undefined;
  let collector: AnswerCollector | undefined;
  let interimAnswers = 0;
  let discardedBytes = 0;

  /** An idle connection keeps its last request, which must not keep the answer. */
  function letGo(): typeof waiting {
    const settled = waiting;
    waiting = undefined;
    collector = undefined;
    return settled;
  }

  // What these throw ends the connection, and is reported to `onResponseError`.
  pool.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (reasonToGiveUp) started.abort(reasonToGiveUp);
    },
    onResponseStart(_, status, headers) {
      if (status < 200) {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS) throw tooManyInterimAnswers();
        return;
      }
      const header = headerReader(headers);
      onAnswer?.(status, header);
      try {
        collector = beginAnswer(status, header, limits);
      } catch (failure) {
        letGo()?.reject(failure);
        if (announcedBytes(header) > MAX_DISCARDED_BYTES) throw failure;
      }
    },
    onResponseData(_, chunk) {
      if (collector) return collector.add(chunk);
      discardedBytes += chunk.byteLength;
      if (discardedBytes > MAX_DISCARDED_BYTES) throw new Error('the rest of the answer is not read');
    },
    onResponseEnd() {
      const answer = collector?.end();
      if (answer) letGo()?.resolve(answer);
    },
    onResponseError: (_, error) => letGo()?.reject(error),
  });

  return {
    answer: promise,
    giveUp(reason) {
      reasonToGiveUp = reason;
      letGo()?.reject(reason);
      controller?.abort(reason);
    },
  };
}

function tooManyInterimAnswers(): BookingSystemFailure {
  return new BookingSystemFailure('garbled', `more than ${MAX_INTERIM_ANSWERS} interim answers came first`);
}
