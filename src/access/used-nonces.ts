/**
 * Nonces of signatures that were accepted. A signature with a nonce is for one request, so whoever sends it again is not
 * the one who signed it.
 */
export interface UsedNonces {
  /**
   * Whether the signer has not used the nonce before. `name` is short and the same for the same signer, key and nonce alone; it is
   * remembered for `keepMs`, after which no signature that it belongs to is accepted any more.
   */
  claim(signer: string, name: string, keepMs: number): Promise<boolean>;
}
