import { hash } from 'node:crypto';
import type { FollowedKey, Session } from '../sessions/session.ts';
import type { SessionChange, UsedKey, UsedKeyId } from '../sessions/session-store.ts';
import { usedKeyIdOf } from '../sessions/session-token.ts';
import { fingerprintOf, type SuppliedValue } from './supplied-values.ts';

/** A key of the service is on one address of one step; a client that invents more of them forgets the oldest. */
const MAX_FOLLOWED_KEYS = 16;

export function usedKeyOf(
  { id }: Session,
  key: string | null,
  supplied: readonly SuppliedValue[],
): SessionChange['usedKey'] {
  return key === null ? null : { id: usedKeyIdOf(id, key), fingerprint: hashOf(fingerprintOf(supplied)) };
}

/** A key of the service matters only until the search moves on, so the session itself holds the few that do. */
export function followedKey({ followedKeys = [], revision }: Session, id: UsedKeyId): UsedKey | undefined {
  const followed = followedKeys.find((key) => key.id === id);
  return followed && { fingerprint: followed.fingerprint, revision };
}

export function withFollowedKeys(
  session: Session,
  before: readonly FollowedKey[],
  key: SessionChange['usedKey'],
): Session {
  const isSame = before.length === (session.followedKeys?.length ?? 0);
  if (key === null && isSame) return session;
  const others = before.filter(({ id }) => id !== key?.id);
  return { ...session, followedKeys: (key ? [...others, key] : others).slice(-MAX_FOLLOWED_KEYS) };
}

/** What was asked may hold any text of the caller, which is not for the store. */
function hashOf(fingerprint: string): string {
  return hash('sha256', fingerprint, 'base64url').slice(0, 22);
}
