import type { AccessList, PublicKey } from '../access-list.ts';

/** The keys of the list that is in force now, by the address that they are published at. */
export function createKeysAt(
  accessList: () => AccessList,
): (url: string) => readonly PublicKey[] | undefined {
  let known: AccessList | undefined;
  let byAddress: ReadonlyMap<string, readonly PublicKey[]> = new Map();
  return (url) => {
    const list = accessList();
    if (list !== known) {
      known = list;
      byAddress = new Map(list.keys.map((document) => [document.url, document.keys]));
    }
    return byAddress.get(url);
  };
}
