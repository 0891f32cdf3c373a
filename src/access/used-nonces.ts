/**
 * Nonces of signatures that were accepted. A signature with a nonce is for one request, so whoever sends it again is not
 * the one who signed it.
 */
export interface UsedNonces {
  /**
   * Whether the nonce was not used before. `name` is short and the same for the same signer, key and nonce alone; it is
   * remembered for `keepMs`, after which no signature that it belongs to is accepted any more.
   */
  claim(name: string, keepMs: number): Promise<boolean>;
}
