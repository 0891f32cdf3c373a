import { NOT_READY, OK } from '../contract/errors.ts';
import type { OpenPage } from './open-page.ts';

/** What anybody may read: whether the process lives, and whether it can serve. */
export function healthPages(isReady: () => boolean): readonly OpenPage[] {
  return [
    { path: '/healthz', answer: () => ({ status: OK, body: '{"status":"alive"}', error: null }) },
    {
      path: '/readyz',
      answer: () =>
        isReady()
          ? { status: OK, body: '{"status":"ready"}', error: null }
          : { status: NOT_READY, body: '{"status":"starting"}', error: null },
    },
  ];
}
