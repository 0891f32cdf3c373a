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

/** A request in flight or waiting for a connection. */
export type OperatorExchange = {
  /** Rejects with an error of undici, with the reason given to `giveUp`, or with a `BookingSystemFailure` of the answer. */
  readonly answer: Promise<OperatorAnswer | Unchanged>;
  /** Ends it immediately, even while it waits for a connection. */
  giveUp(reason: BookingSystemFailure): void;
};

type ExchangeLimits = ReadingLimits & {
  /** Called for every answer, before its body is read. */
  readonly onAnswer?: ((status: number, header: ReadHeader) => void) | undefined;
};

/** No limit of size or time covers them, and each costs the event loop some time. */
const MAX_INTERIM_ANSWERS = 5;
/** Up to this size the rest of a body is read, to reuse the connection; a longer one closes it. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/**
 * One request and its answer. Takes the answer from undici's parser directly: the stream and the signals of `Pool.request` would cost
 * more than all checks here.
 */
export function beginExchange(
  pool: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { onAnswer, ...limits }: ExchangeLimits,
): OperatorExchange {
  const { promise, ...settlers } = Promise.withResolvers<OperatorAnswer | Unchanged>();
  let waiting: Pick<PromiseWithResolvers<OperatorAnswer | Unchanged>, 'resolve' | 'reject'> | undefined =
    settlers;
  let controller: Dispatcher.DispatchController | undefined;
  let reasonToGiveUp: BookingSystemFailure | undefined;
  let collector: AnswerCollector | undefined;
  let interimAnswers = 0;
  let discardedBytes = 0;

  /** Drops references: an idle connection holds its last request, which must not hold the answer in memory. */
  function release(): typeof waiting {
    const pending = waiting;
    waiting = undefined;
    collector = undefined;
    return pending;
  }

  // An error thrown here ends the connection and goes to `onResponseError`.
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
        release()?.reject(failure);
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
      if (answer) release()?.resolve(answer);
    },
    onResponseError: (_, error) => release()?.reject(error),
  });

  return {
    answer: promise,
    giveUp(reason) {
      reasonToGiveUp = reason;
      release()?.reject(reason);
      controller?.abort(reason);
    },
  };
}

function tooManyInterimAnswers(): BookingSystemFailure {
  return new BookingSystemFailure('garbled', `more than ${MAX_INTERIM_ANSWERS} interim answers came first`);
}
