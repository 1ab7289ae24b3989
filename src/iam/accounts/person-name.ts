import { Output } from '../../platform/api/index.js';
import type { AccountEntity } from './account.entity.js';
import { DISPLAY_NAME, FIRST_NAME, LAST_NAME, WHOLE_NAME } from './account.declarations.js';

/** Columns of {@link PersonName}. */
export const PERSON_NAME = { firstName: true, lastName: true, displayName: true } as const;

/** What a person is called. */
export type PersonName = Pick<AccountEntity, keyof typeof PERSON_NAME>;

export const NO_NAME: PersonName = { firstName: null, lastName: null, displayName: null };

/** Columns of an account by the names of {@link PersonName}, for named SQL. */
export const nameColumns = (alias: string): string =>
  `${alias}.first_name AS "firstName", ${alias}.last_name AS "lastName", ${alias}.display_name AS "displayName"`;

/** Maximum characters of each part. */
const MAX_LENGTH = 100;
// eslint-disable-next-line no-control-regex -- removes line breaks from a name of another system
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Returns the whole name: the display name, or else first and last name. `person_name` of the
 * database does the same for orders and searches.
 * @returns null for a person without a name
 */
export function nameOf({ firstName, lastName, displayName }: PersonName): string | null {
  return displayName ?? ([firstName, lastName].filter((part) => part !== null).join(' ') || null);
}

/**
 * Reads a name that another system sent: texts of one line, shortened to what an account stores. A
 * display name that equals first and last name is left out, so that the whole name follows a change
 * of these; so is an address, which some systems send as the name.
 */
export function readName(sent: { readonly [part in keyof PersonName]?: unknown }): PersonName {
  const first = readPart(sent.firstName);
  const last = readPart(sent.lastName);
  const display = readPart(sent.displayName);
  const parts = { firstName: first, lastName: last, displayName: null };
  const isOwn = display !== null && display !== nameOf(parts) && !display.includes('@');
  return { ...parts, displayName: isOwn ? display : null };
}

function readPart(sent: unknown): string | null {
  if (typeof sent !== 'string') return null;
  const line = sent.replace(CONTROL, ' ').trim();
  return [...line].slice(0, MAX_LENGTH).join('').trim() || null;
}

/**
 * Returns the parts of a name that another system has changed. A system that sends no name at all
 * changes none.
 */
export function changedParts(from: PersonName, to: PersonName): Partial<PersonName> {
  if (nameOf(to) === null) return {};
  const parts = Object.keys(PERSON_NAME) as (keyof PersonName)[];
  return Object.fromEntries(parts.filter((part) => from[part] !== to[part]).map((part) => [part, to[part]]));
}

/** Name of a person in responses. */
export class NamedResponse {
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(LAST_NAME, { nullable: true })
  lastName: string | null;
  @Output(DISPLAY_NAME, { nullable: true })
  displayName: string | null;
  @Output(WHOLE_NAME, { nullable: true })
  name: string | null;
}

export const namesOf = ({ firstName, lastName, displayName }: PersonName): NamedResponse => ({
  firstName,
  lastName,
  displayName,
  name: nameOf({ firstName, lastName, displayName }),
});
