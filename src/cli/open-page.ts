import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OpenClient } from '../outbound/operator-client.ts';
import type { OpenPage } from './check-brand.ts';

const PAGE_TIMEOUT_MS = 8000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Opens a page of an operator's website through the guarded client, for its status alone. */
export function createOpenPage(openClient: OpenClient): OpenPage {
  return async (address, signal) => {
    const { origin, pathname, search } = new URL(address);
    const client = openClient({ baseUrl: origin, connections: 1 });
    let status = 0;
    try {
      await client.send(
        {
          method: 'GET',
          path: pathname + search,
          type: 'page',
          onAnswer: (code) => {
            status = code;
          },
        },
        { timeoutMs: PAGE_TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES, signal },
      );
    } catch (failure) {
      // A redirect or an error page is an answer too.
      if (status === 0 || !(failure instanceof BookingSystemFailure)) throw failure;
    } finally {
      await client.close();
    }
    return { status };
  };
}
