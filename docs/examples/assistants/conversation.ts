/** A traveller who types, an assistant that answers. */
export type Conversation = {
  /** The address of the service, such as https://stays.example. */
  readonly service: string;
  readonly traveller: AsyncIterable<string>;
  readonly say: (text: string) => void;
  /** What happens meanwhile, for whoever waits. */
  readonly note: (text: string) => void;
};
