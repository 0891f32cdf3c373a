import type { SignatureKey } from '../access/signatures/keys.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { readSigningKeys } from './signing-keys-file.ts';

/** Who we are to operators' servers: an origin, and the keys that are published there. The first key signs. */
export type OwnIdentity = {
  readonly agent: string;
  readonly keys: readonly [SignatureKey, ...SignatureKey[]];
};

type FoundIdentity = { readonly identity: OwnIdentity | null; readonly warnings: readonly string[] };

/** No identity when no file is named: then nothing is signed. */
export function readOwnIdentity({
  signingKeysFile,
  publicUrl,
}: {
  readonly signingKeysFile: string | null;
  readonly publicUrl: string | null;
}): Reading<FoundIdentity> {
  if (signingKeysFile === null) return valid({ identity: null, warnings: [] });
  const reading = readSigningKeys(signingKeysFile);
  const faults =
    reading.kind === 'invalid' ? reading.faults.map((fault) => `${signingKeysFile} ${fault}`) : [];
  const isPublished = publicUrl?.startsWith('https://') ?? false;
  if (publicUrl !== null && isPublished && reading.kind === 'valid') {
    const { keys, isOpenToOthers } = reading.value;
    return valid({
      identity: { agent: publicUrl, keys },
      warnings: isOpenToOthers
        ? [`${signingKeysFile} can be read by other users of this machine: chmod 600 takes it away from them`]
        : [],
    });
  }
  return invalid(
    ...faults,
    ...(isPublished
      ? []
      : [
          'STAYWIRE_PUBLIC_URL must be set to an https origin: operators look up there the keys that STAYWIRE_SIGNING_KEYS signs with',
        ]),
  );
}
