import { rich, text } from '../../../messages/index.ts';
import { dayOf, endOfField } from '../../../ui/day.ts';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { textOf } from '../../../ui/form.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Partnership } from './partner-queries.ts';

/** On which things roles of a partnership hold, and until when. */
type Limits = Pick<Partnership, 'on' | 'until'>;

/** Shows roles with the number of things on which they hold. */
export const rolesOnThings = (roles: readonly string[], on: Limits['on']): string =>
  [roles.join(', '), ...(on === null ? [] : [text('partners.things', { count: on.length })])].join(' · ');

/** Shows the end of access, if it has one. */
export function Until({ until }: Pick<Limits, 'until'>) {
  return until !== null && <> · {rich('partners.until', { time: () => <Time value={until} /> })}</>;
}

/** Fields of the things and the end: {@link readOn}, {@link readUntil}. */
export function LimitFields({ present }: { readonly present?: Limits }) {
  return (
    <>
      <TextArea
        label={text('partners.on')}
        hint={text('partners.on.hint')}
        name="on"
        defaultValue={present?.on?.join('\n') ?? ''}
      />
      <UntilField until={present?.until ?? null} />
    </>
  );
}

/** Field of the last day of access. */
export function UntilField({ until }: Pick<Limits, 'until'>) {
  return (
    <TextField
      label={text('member.access.until')}
      name="until"
      type="date"
      hint={text('member.access.until.hint')}
      defaultValue={until === null ? '' : dayOf(until)}
    />
  );
}

/** Returns the things of a form; null for the whole organization. */
export function readOn(values: FormData): string[] | null {
  const on = values.getAll('on').flatMap((lines) => String(lines).split(/\s+/).filter(Boolean));
  return on.length === 0 ? null : on;
}

/** Returns the end of a form. @param present the one before, whose time of day stays */
export const readUntil = (values: FormData, present: string | null = null): string | null =>
  endOfField(textOf(values, 'until'), present);
