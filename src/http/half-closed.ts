import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

/** Long enough for the other side to say that it is no longer there; doubled from one probe to the next. */
const FIRST_PAUSE_MS = 100;

/** A line that whoever reads a stream of events skips. */
const COMMENT = ':\n\n';
const eventStreams = new WeakSet<ServerResponse>();

/** From now on it is probed with comments. */
export function beginsEventStream(response: ServerResponse): void {
  eventStreams.add(response);
}

/**
 * A client that has sent everything and one that has hung up look alike: both end their side of the connection. Only something
 * that is sent tells them apart, because a client that has gone refuses it. An interim response is what HTTP allows before the
 * answer; HTTP/1.0 knows none, so its clients count as gone. A stream of events is probed between its events.
 */
export function probeHalfClosed({
  socket,
  clock,
  unanswered,
}: {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly unanswered: () => ServerResponse | undefined;
}): void {
  probe(FIRST_PAUSE_MS);

  function probe(pauseMs: number): void {
    const response = unanswered();
    if (socket.destroyed || !response) return;
    const isStream = eventStreams.has(response);
    if (response.headersSent && !isStream) return;
    if (response.req.httpVersionMinor === 0) {
      socket.destroy();
      return;
    }
    if (isStream) response.write(COMMENT);
    else response.writeContinue();
    const cancel = clock.after(pauseMs, () => {
      socket.removeListener('close', cancel);
      probe(pauseMs * 2);
    });
    socket.once('close', cancel);
  }
}
