import type { OpenSharedAccount } from '../limits/shared-account.ts';
import type { OpenSharedOperator } from './shared-operator.ts';

/** What nodes count together, so that an operator or a vendor notices nothing of how many there are. */
export type OperatorLimits = {
  readonly operator: OpenSharedOperator;
  readonly account: OpenSharedAccount;
};
