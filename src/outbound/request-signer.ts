import { hash } from 'node:crypto';
import { component, signRequest, WHOLE_REQUEST } from '../access/signatures/sign-request.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { OwnIdentity } from './own-identity.ts';

/** Longer than a request waits for a connection, and than most clocks are wrong; too short for whoever comes across a log of it. */
const LIFE_SECONDS = 300;
const NONCE_BYTES = 16;

const REQUEST_WITH_BODY = [...WHOLE_REQUEST, component('content-digest')];

/** Signs what is sent to operators' servers: this request, once, and nothing else. Returns the headers to send with it. */
export function createRequestSigner(
  { agent, keys: [key] }: OwnIdentity,
  { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random },
) {
  return (request: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
  }): Readonly<Record<string, string>> => {
    const { method, url, body } = request;
    const created = Math.floor(clock.now() / 1000);
    const headers: Readonly<Record<string, string>> =
      body === null ? {} : { 'content-digest': `sha-256=:${hash('sha256', body, 'base64')}:` };
    const signature = signRequest(
      { method, url, headers },
      {
        key,
        agent,
        components: body === null ? WHOLE_REQUEST : REQUEST_WITH_BODY,
        created,
        expires: created + LIFE_SECONDS,
        nonce: random.bytes(NONCE_BYTES).toString('base64url'),
      },
    );
    return { ...headers, ...signature };
  };
}
