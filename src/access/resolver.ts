/** DNS lookups. Both reject when there is no answer. */
export interface Resolver {
  /** The names that an address claims. */
  reverse(address: string): Promise<readonly string[]>;
  /** The addresses, of both families, that a name has. */
  forward(name: string): Promise<readonly string[]>;
}
