import { hash } from 'node:crypto';
import { NOT_MODIFIED, OK } from '../contract/errors.ts';
import type { HttpAnswer } from './http-answer.ts';

/** A document that is the same for everybody until the next start, so a caller may keep it. */
export type CachedDocument = { answer(ifNoneMatch: string | undefined): HttpAnswer };

export function createCachedDocument(content: object): CachedDocument {
  const body = Buffer.from(JSON.stringify(content));
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, max-age=300' };
  return {
    answer(ifNoneMatch) {
      const known = ifNoneMatch
        ?.split(',')
        .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
      return known
        ? { status: NOT_MODIFIED, body: '', error: null, headers }
        : { status: OK, body, error: null, headers };
    },
  };
}
