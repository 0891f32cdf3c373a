import { MessagePort, type Transferable } from 'node:worker_threads';
import { ClientGone, type QuoteProgress, type WaitingClient } from '../limits/deadline.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';

/** Calls between two threads of the service, in both directions. */
export type PortCalls = {
  /** Rejects with `ThreadGone` when the other thread ends before it answers. */
  call(name: string, argument: unknown, client?: WaitingClient): Promise<unknown>;
  /** Sends a message without an answer. */
  tell(name: string, argument: unknown, moved?: readonly Transferable[]): void;
  close(): void;
};

/** The compiler cannot check messages between threads: the calling and the serving side each state the types. */
export type CallHandlers = Readonly<
  Record<string, (argument: never, client: WaitingClient) => Promise<unknown> | unknown>
>;

/** The other end of a port, or the thread itself. */
export type CallPort = {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  on(event: 'message', listener: (messages: readonly Message[]) => void): unknown;
  on(event: 'close' | 'exit', listener: () => void): unknown;
};

/** The called thread has ended. Whether it carried out the call is unknown. */
export class ThreadGone extends Error {
  constructor() {
    super('the thread that was called has ended');
    this.name = 'ThreadGone';
  }
}

/** A list, because an object would be sent with the name of every member. */
type Message =
  | readonly [kind: 'tell', name: string, argument: unknown]
  | readonly [kind: 'call', id: number, name: string, argument: unknown, isHeard: boolean]
  | readonly [kind: 'answer', id: number, value: unknown]
  | readonly [kind: 'fault', id: number, fault: SentFault]
  /** The called thread wants to know when the client leaves. */
  | readonly [kind: 'watch', id: number]
  | readonly [kind: 'gone', id: number]
  | readonly [kind: 'progress', id: number, progress: QuoteProgress];

type SentFault =
  | { readonly kind: 'client_gone' }
  | { readonly kind: 'storage'; readonly failure: StorageFailureKind; readonly message: string }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string | undefined };

type PendingCall = {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly client: WaitingClient | undefined;
};

type Served = { hasGone: boolean; departure: AbortController | undefined };

/** Sends the messages of one turn of the event loop together: waking a thread costs more than reading a message. */
export function createPortCalls(port: CallPort, handlers: CallHandlers): PortCalls {
  const callers = new Map<number, PendingCall>();
  const served = new Map<number, Served>();
  let lastId = 0;
  let outgoing: Message[] = [];
  let moved: Transferable[] = [];
  let isGone = false;

  function send(message: Message): void {
    if (outgoing.push(message) === 1) setImmediate(flush);
  }

  function flush(): void {
    const [messages, transfers] = [outgoing, moved];
    outgoing = [];
    moved = [];
    if (isGone) return;
    try {
      port.postMessage(messages, transfers);
    } catch (error) {
      // A message that cannot be sent must not lose the others.
      for (const message of messages) sendAlone(message, transfers, error);
    }
  }

  function sendAlone(message: Message, transfers: readonly Transferable[], cause: unknown): void {
    try {
      port.postMessage(
        [message],
        transfers.filter((one) => isPartOf(message, one)),
      );
    } catch {
      if (message[0] === 'call') takeCaller(message[1])?.reject(cause);
      if (message[0] === 'answer') send(['fault', message[1], faultOf(cause)]);
    }
  }

  function end(): void {
    isGone = true;
    const left = [...callers.values()];
    callers.clear();
    for (const caller of left) caller.reject(new ThreadGone());
    for (const one of served.values()) leave(one);
    served.clear();
  }

  async function serve(id: number, name: string, argument: unknown, isHeard: boolean): Promise<void> {
    const one: Served = { hasGone: false, departure: undefined };
    served.set(id, one);
    try {
      const value = await handlers[name]?.(argument as never, clientOf(id, one, isHeard));
      if (value instanceof MessagePort) moved.push(value);
      send(['answer', id, value]);
    } catch (error) {
      send(['fault', id, faultOf(error)]);
    } finally {
      served.delete(id);
    }
  }

  function clientOf(id: number, one: Served, isHeard: boolean): WaitingClient {
    return {
      hasGone: () => one.hasGone,
      departure() {
        // The other thread watches its client only on demand, because most calls end before that.
        if (!one.departure) {
          one.departure = new AbortController();
          send(['watch', id]);
        }
        return one.departure.signal;
      },
      ...(isHeard ? { hear: (progress: QuoteProgress) => send(['progress', id, progress]) } : {}),
    };
  }

  function watch(id: number): void {
    const departure = callers.get(id)?.client?.departure();
    if (departure?.aborted) send(['gone', id]);
    else departure?.addEventListener('abort', () => send(['gone', id]), { once: true });
  }

  function take(message: Message): void {
    switch (message[0]) {
      case 'tell': {
        const [, name, argument] = message;
        void handlers[name]?.(argument as never, NOBODY_WAITS);
        break;
      }
      case 'call': {
        const [, id, name, argument, isHeard] = message;
        void serve(id, name, argument, isHeard);
        break;
      }
      case 'answer':
        takeCaller(message[1])?.resolve(message[2]);
        break;
      case 'fault':
        takeCaller(message[1])?.reject(errorFrom(message[2]));
        break;
      case 'watch':
        watch(message[1]);
        break;
      case 'gone':
        leave(served.get(message[1]));
        break;
      case 'progress':
        callers.get(message[1])?.client?.hear?.(message[2]);
    }
  }

  function takeCaller(id: number): PendingCall | undefined {
    const caller = callers.get(id);
    callers.delete(id);
    return caller;
  }

  port.on('message', (messages) => {
    for (const message of messages) take(message);
  });
  port.on('close', end);
  port.on('exit', end);

  return {
    call(name, argument, client) {
      if (isGone) return Promise.reject(new ThreadGone());
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        callers.set(id, { resolve, reject, client });
        send(['call', id, name, argument, client?.hear !== undefined]);
      });
    },
    tell(name, argument, transfers = []) {
      moved.push(...transfers);
      send(['tell', name, argument]);
    },
    close: end,
  };
}

const NOBODY_WAITS: WaitingClient = { hasGone: () => false, departure: () => undefined };

/** A port is transferred only as the value of an answer, or as the member `port` of a message. */
function isPartOf(message: Message, port: Transferable): boolean {
  if (message[0] === 'answer') return message[2] === port;
  return message[0] === 'tell' && (message[2] as { readonly port?: unknown } | null)?.port === port;
}

function leave(one: Served | undefined): void {
  if (!one) return;
  one.hasGone = true;
  one.departure?.abort(new ClientGone());
}

function faultOf(error: unknown): SentFault {
  if (error instanceof ClientGone) return { kind: 'client_gone' };
  if (error instanceof StorageFailure) {
    return { kind: 'storage', failure: error.kind, message: error.message };
  }
  return error instanceof Error
    ? { kind: 'other', message: error.message, stack: error.stack }
    : { kind: 'other', message: String(error), stack: undefined };
}

function errorFrom(fault: SentFault): Error {
  if (fault.kind === 'client_gone') return new ClientGone();
  if (fault.kind === 'storage') return new StorageFailure(fault.failure, fault.message);
  const error = new Error(fault.message);
  if (fault.stack !== undefined) error.stack = fault.stack;
  return error;
}
