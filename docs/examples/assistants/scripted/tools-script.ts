import { found, type Script, wishesIn } from './script.ts';

/** Searches with what was said, asks for what is missing, narrows, shows the best home and gives its link. */
export const toolsScript: Script = (heard) => {
  const last = heard.at(-1);
  if (!last) throw new Error('Nothing was said.');
  const tools = heard.filter(({ from }) => from === 'tool').map(({ text }) => text);
  const session = tools.map((text) => /^session: (\S+)$/m.exec(text)?.[1]).at(-1);
  if (last.from === 'traveller') {
    const { amenities, ...stay } = wishesIn(last.text);
    return amenities === undefined
      ? { call: 'search_stays', args: { ...(session === undefined ? {} : { session }), ...stay } }
      : { call: 'refine_stays', args: { session, amenities: [amenities] } };
  }
  const { text } = last;
  if (/^Missing: /m.test(text)) {
    return {
      say: `Please tell me: ${found(text, /^Missing: (\w+)/m)} and ${found(text, /^Then: (.*)\.$/m)}.`,
    };
  }
  if (/^Book here: /m.test(text)) {
    return {
      say: `${found(text, /: “([^”]*)”, “[^”]*”, rank 1/m)}: ${found(text, /^Total (.*) for /m)}. ${found(text, /^Book here: (.*)$/m)}`,
    };
  }
  const summary = found(text, /^(.* options?, out of \d+ match.*)\.$/m);
  return / match(?:es)? with /.test(summary)
    ? { call: 'show_stay', args: { session, property_id: found(text, /^1\. .* · id (\S+) · /m) } }
    : { say: `${summary}. It can be narrowed by ${found(text, /^Can be narrowed by: (.*)\.$/m)}.` };
};
