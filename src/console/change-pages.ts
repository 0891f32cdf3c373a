import { SECONDS_UNTIL_IN_FORCE, type StatusOutcome } from '../access/registry/change-registry.ts';
import type { ConsoleAction } from '../telemetry/audit/audit-record.ts';
import { type ConsoleDeps, type ConsoleRoute, type Pages, seeOther } from './console-routes.ts';
import { html, type PagePath, tokenField } from './layout.ts';

type OwnerChange = {
  readonly path: PagePath;
  readonly verb: string;
  readonly title: (name: string) => string;
  readonly consequences: readonly string[];
  readonly button: string;
  /** The change takes something away from travellers. */
  readonly isGrave?: boolean;
  readonly done: (name: string) => string;
  readonly action: ConsoleAction;
  readonly carryOut: (id: string) => Promise<StatusOutcome['kind']>;
};

/** The owner's changes: each is confirmed on its own page, sent by a form, and recorded in the audit log. */
export function changeRoutes(
  { brands, operators, assistants, audit }: ConsoleDeps,
  { show, notFound }: Pages,
): readonly ConsoleRoute[] {
  const ofBrand = (setPaused: (brand: string) => Promise<boolean>) => async (brand: string) =>
    (await setPaused(brand)) ? 'changed' : 'as_it_was';
  const inForce = `It is in force on every node within ${SECONDS_UNTIL_IN_FORCE} seconds, and in the history of the registry.`;
  const changes: readonly OwnerChange[] = [
    {
      path: '/operators',
      verb: 'pause',
      title: (name) => `Pause ${name}?`,
      consequences: [
        'Its homes leave every search at once, and searches go on without it.',
        'It is neither read nor asked for prices until you resume it.',
      ],
      button: 'Pause it',
      isGrave: true,
      done: (name) => `${name} is paused: its homes are out of every search.`,
      action: 'paused',
      carryOut: ofBrand(operators.pause),
    },
    {
      path: '/operators',
      verb: 'resume',
      title: (name) => `Resume ${name}?`,
      consequences: [
        'Its homes are in searches again at once, as last read.',
        'It is read again when its next reading is due.',
      ],
      button: 'Resume it',
      done: (name) => `${name} is resumed: its homes are in searches again.`,
      action: 'resumed',
      carryOut: ofBrand(operators.resume),
    },
    {
      path: '/operators',
      verb: 'read',
      title: (name) => `Read ${name} again now?`,
      consequences: [
        'Its catalogue and calendars are read completely, within what its account may be asked.',
        'Meanwhile, searches go on with what is known.',
      ],
      button: 'Read it now',
      done: (name) =>
        `${name} is read now, or as soon as it is resumed. The figures below are updated as it goes on.`,
      action: 'reading_requested',
      async carryOut(brand) {
        await operators.readNow(brand);
        return 'changed';
      },
    },
    {
      path: '/assistants',
      verb: 'suspend',
      title: (name) => `Suspend ${name}?`,
      consequences: ['All of its requests are refused from then on, however it is recognised.', inForce],
      button: 'Suspend it',
      isGrave: true,
      done: (name) => `${name} is suspended.`,
      action: 'suspended',
      carryOut: assistants.suspend,
    },
    {
      path: '/assistants',
      verb: 'approve',
      title: (name) => `Approve ${name}?`,
      consequences: [
        'Its requests are answered again, when they are recognised in one of the ways on its card.',
        inForce,
      ],
      button: 'Approve it',
      done: (name) => `${name} is approved.`,
      action: 'approved',
      carryOut: assistants.approve,
    },
  ];

  async function nameOf(path: PagePath, id: string): Promise<string | undefined> {
    const all: readonly { readonly id: string; readonly name: string }[] =
      path === '/operators' ? brands : (await assistants.listed()).filter(({ isListed }) => isListed);
    return all.find((one) => one.id === id)?.name;
  }

  return changes.flatMap((change): readonly ConsoleRoute[] => {
    const { path, verb } = change;
    const address = `${path}/:name/${verb}`;
    return [
      {
        method: 'GET',
        path: address,
        async serve(request) {
          const { name: id = '' } = request.params;
          const name = await nameOf(path, id);
          if (name === undefined) return notFound(request);
          const { consequences, button, isGrave } = change;
          // A whole page, so that it works without a script.
          const body = html`<form method="post" action="${path}/${id}/${verb}" class="card confirm">
<ul>${consequences.map((one) => html`<li>${one}</li>`)}</ul>
${tokenField(request.session.formToken)}
<p class="choices"><button${isGrave && html` class="grave"`}>${button}</button> <a class="button quiet" href="${path}">Leave it as it is</a></p>
</form>`;
          return show({ title: change.title(name), path, body }, request);
        },
      },
      {
        method: 'POST',
        path: address,
        async serve(request) {
          const { name: id = '' } = request.params;
          const name = await nameOf(path, id);
          if (name === undefined) return notFound(request);
          const outcome = await change.carryOut(id);
          if (outcome === 'not_listed') return notFound(request);
          // The change may have been made since the page was opened; the log records only real changes.
          const isChanged = outcome === 'changed';
          if (isChanged) audit({ kind: 'console', action: change.action, about: id });
          request.session.notice = isChanged
            ? change.done(name)
            : `Nothing had to be changed: ${change.done(name)}`;
          return seeOther(path);
        },
      },
    ];
  });
}
