/** DNS lookups. Both reject when the name servers give no answer; that there is nothing is an answer. */
export interface Resolver {
  /** The names that an address claims. */
  reverse(address: string): Promise<readonly string[]>;
  /** The addresses of one family that a name has. */
  forward(name: string, family: 4 | 6): Promise<readonly string[]>;
}
