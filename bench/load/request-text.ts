import { type Slice, STEP_BODIES } from './slice.ts';

/** The requests of a slice, one after the other, as the bytes that go over the wire. */
export function requestTexts(
  { origin, kind, ordinal }: Pick<Slice, 'origin' | 'kind' | 'ordinal'>,
  tokens: readonly string[],
): () => string {
  const { host } = new URL(origin);
  let sent = 0;
  return () => {
    const token = tokens[sent % tokens.length];
    const turn = Math.floor(sent / tokens.length) + ordinal;
    sent += 1;
    if (kind === 'result') return `GET /ai/v1/result?session=${token} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const key = kind === 'step' ? `&idempotency_key=bench-${ordinal}-${sent}` : '';
    const body = kind === 'step' ? (STEP_BODIES[turn % STEP_BODIES.length] ?? '') : '{}';
    return (
      `POST /ai/v1/search?session=${token}${key} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
}
