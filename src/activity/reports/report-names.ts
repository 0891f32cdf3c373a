import type { Network } from '../../inventory/catalogue.ts';
import type { ReportedAssistant } from './reported-assistant.ts';

/** What people call brands, places and assistants; whoever is not known any more is called by the identifier. */
export type ReportNames = {
  brand(id: string): string;
  place(id: string): string;
  assistant(id: string): string;
};

export function createReportNames(network: Network, assistants: readonly ReportedAssistant[]): ReportNames {
  return {
    brand: namesOf([...network.brands.values()]),
    place: namesOf([...network.places.values()]),
    assistant: namesOf(assistants),
  };
}

/** Where two have the same name, each with its identifier. */
function namesOf(all: readonly { readonly id: string; readonly name: string }[]): (id: string) => string {
  const byId = new Map(all.map(({ id, name }) => [id, name]));
  const sharing = Map.groupBy(all, ({ name }) => name);
  return (id) => {
    const name = byId.get(id);
    if (name === undefined) return id;
    return (sharing.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name;
  };
}
