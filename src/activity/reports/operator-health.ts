export type { HeldBackListing, OperatorHealth } from '../../sync/operator-health.ts';
