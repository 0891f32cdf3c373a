/** What to do where nobody has searched yet, or nobody through this brand. */
export function firstSearch(brand: string | null): string {
  const command = brand === null ? 'staywire try' : `staywire try --source ${brand}`;
  return `A search shows up here within seconds. Make one with: ${command}`;
}
