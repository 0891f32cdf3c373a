import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemClock } from '../src/clock.ts';
import type { NetworkFile } from '../src/network/network-file.ts';
import { systemRandom } from '../src/random.ts';
import { bookingSystemRoutes, rateCardRoute } from './booking-system/booking-system-routes.ts';
import { createBookings } from './bookings.ts';
import { BRANDS } from './brands.ts';
import { type Answer, answerByTable, json } from './http.ts';
import { demoNetworkFile } from './network-file.ts';
import { createOperator } from './operator.ts';
import { networkHomeRoutes, notFoundPage } from './website/network-home.ts';
import { missing, websiteRoutes } from './website/website-routes.ts';

export type Demo = {
  readonly origin: string;
  networkFile(): NetworkFile;
  close(): Promise<void>;
};

/** Runs all operators of the demo network, booking systems and websites, on one port of the loopback interface. */
export async function startDemo(options: {
  /** 0 takes any free port. */
  readonly port: number;
  readonly now?: () => number;
  /** A steady network answers without delay and never fails. */
  readonly steady?: boolean;
  /** Where bookings are stored; null holds them in memory. */
  readonly dataDirectory: string | null;
}): Promise<Demo> {
  const { port, now = systemClock.now, steady = false, dataDirectory } = options;
  const bookings = createBookings(dataDirectory);
  const clock = { ...systemClock, now };

  // Catalogues contain addresses with the port, so listen before building the routes.
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the demo has no port');
  const origin = `http://127.0.0.1:${address.port}`;

  const operators = BRANDS.map((brand) =>
    createOperator({ brand, site: `${origin}/sites/${brand.source}`, bookings, now }),
  );
  const routes = [
    ...networkHomeRoutes(BRANDS),
    ...operators.flatMap((operator) => [
      ...websiteRoutes({ operator, bookings, random: systemRandom, now }),
      ...(operator.brand.connection === 'rate-card'
        ? [rateCardRoute(operator)]
        : bookingSystemRoutes({ operator, bookings, clock, steady })),
    ]),
  ];

  const notFound = (path: string): Answer => {
    if (path.startsWith('/operators/'))
      return json(404, { error: 'not_found', message: 'There is no such operator.' });
    const visited = operators.find(({ brand }) => path.startsWith(`/sites/${brand.source}/`));
    return visited ? missing(visited) : notFoundPage();
  };
  server.on('request', answerByTable(routes, notFound));

  return Object.freeze({
    origin,
    networkFile: () => demoNetworkFile(origin),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}
