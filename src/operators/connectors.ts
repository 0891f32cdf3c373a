import { beds24Connector } from './beds24/connector.ts';
import type { Connector } from './connector.ts';
import { guestyConnector } from './guesty/connector.ts';
import { openConnector } from './open/connector.ts';
import { qloappsConnector } from './qloapps/connector.ts';
import { rateCardConnector } from './rate-card/connector.ts';

/** Every kind of booking system that a network file can name. */
export const CONNECTORS = [
  openConnector,
  rateCardConnector,
  guestyConnector,
  beds24Connector,
  qloappsConnector,
] as const satisfies readonly Connector[];
