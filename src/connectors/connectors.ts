import { beds24Connector } from './beds24/connector.ts';
import { bookingsyncConnector } from './bookingsync/connector.ts';
import type { Connector } from './connector.ts';
import { guestyConnector } from './guesty/connector.ts';
import { hostawayConnector } from './hostaway/connector.ts';
import { importedConnector } from './imported/connector.ts';
import { lodgifyConnector } from './lodgify/connector.ts';
import { openConnector } from './open/connector.ts';
import { qloappsConnector } from './qloapps/connector.ts';
import { rateCardConnector } from './rate-card/connector.ts';

/** Every kind of booking system that a network file can name. */
export const CONNECTORS = [
  openConnector,
  rateCardConnector,
  importedConnector,
  bookingsyncConnector,
  lodgifyConnector,
  guestyConnector,
  hostawayConnector,
  beds24Connector,
  qloappsConnector,
] as const satisfies readonly Connector[];
