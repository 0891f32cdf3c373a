import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What is read of a request. Fastify's own fits, and so does an ordinary one, which Fastify does not see. */
export type IncomingRequest = {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly raw: IncomingMessage;
  readonly socket: Socket;
};
