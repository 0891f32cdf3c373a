import type { OpenSharedOperator } from '../quotes/shared-operator.ts';
import type { OpenSharedAccount } from './account/shared-account.ts';

/** What nodes count together, so that an operator or a vendor notices nothing of how many there are. */
export type OperatorLimits = {
  readonly operator: OpenSharedOperator;
  readonly account: OpenSharedAccount;
};
