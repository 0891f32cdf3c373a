import type { OpenAccount } from '../../src/connectors/shared/account/accounts.ts';

/** For booking systems without an account at a vendor. */
export const noAccounts: OpenAccount = () => {
  throw new Error('no account is expected here');
};
