import type { Network } from '../../catalogue/catalogue.ts';
import type { NamedCell } from './report.ts';
import type { ReportedAssistant } from './reported-assistant.ts';

/** Brands, places and assistants with what people call them; whoever is not known any more is called by the identifier. */
export type ReportNames = {
  brand(id: string): NamedCell;
  place(id: string): NamedCell;
  assistant(id: string): NamedCell;
};

export function createReportNames(network: Network, assistants: readonly ReportedAssistant[]): ReportNames {
  return {
    brand: namesOf([...network.brands.values()]),
    place: namesOf([...network.places.values()]),
    assistant: namesOf(assistants),
  };
}

/** Where two have the same name, each with its identifier. */
function namesOf(all: readonly { readonly id: string; readonly name: string }[]): (id: string) => NamedCell {
  const byId = new Map(all.map(({ id, name }) => [id, name]));
  const sharing = Map.groupBy(all, ({ name }) => name);
  return (id) => {
    const name = byId.get(id);
    if (name === undefined) return { id, text: id };
    return { id, text: (sharing.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name };
  };
}
