import { IntlMessageFormat } from 'intl-messageformat';
import { DEFAULT_LOCALE, type Locale } from './locales.js';
import { textsOf } from './catalogue.js';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];
/** Part of a message that uses an argument. */
type Named = Element & { readonly value: string };

/** Types of parts of a message, as intl-messageformat numbers them. */
const TYPE = { literal: 0, argument: 1, select: 5, plural: 6, pound: 7 } as const;

/** A use of an argument of a message. */
interface Use {
  readonly name: string;
  readonly type: number;
}

/**
 * Finds what is wrong with a text that is to replace one of the catalogue. It may use the arguments
 * of that text alone, as the service passes no others, and must show each in every case: codes and
 * times are what a person compares.
 * @param id of a text of the catalogue
 * @returns null if it can be used
 */
export function findMessageFault(id: string, text: string, locale: Locale): string | null {
  const known = elementsOf(textsOf(DEFAULT_LOCALE).get(id) ?? '', DEFAULT_LOCALE);
  let elements: readonly Element[];
  try {
    elements = elementsOf(text, locale);
  } catch (error) {
    return `is not ICU MessageFormat (${error instanceof Error ? error.message : 'unreadable'})`;
  }
  const knownUses = usesOf(known);
  for (const { name, type } of usesOf(elements)) {
    const types = knownUses.filter((use) => use.name === name).map((use) => use.type);
    if (types.length === 0) return `has the unknown placeholder {${name}}`;
    if (type !== TYPE.argument && !types.includes(type)) return `must use {${name}} as the service does`;
  }
  const shown = shownIn(elements);
  const missing = [...shownIn(known)].filter((name) => !shown.has(name));
  if (missing.length > 0) return `must show ${missing.map((name) => `{${name}}`).join(', ')} in every case`;
  return findFormatFault(text, locale, knownUses);
}

const formatOf = (text: string, locale: Locale): IntlMessageFormat =>
  new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });

const elementsOf = (text: string, locale: Locale): readonly Element[] => formatOf(text, locale).getAst();

/** Formats with examples, as some styles of numbers and times fail only then. */
function findFormatFault(text: string, locale: Locale, uses: readonly Use[]): string | null {
  const isText = ({ type }: Use) => type === TYPE.argument || type === TYPE.select;
  const isTextOnly = (name: string) => uses.filter((use) => use.name === name).every(isText);
  const values = Object.fromEntries(uses.map(({ name }) => [name, isTextOnly(name) ? 'x' : 1]));
  try {
    formatOf(text, locale).format(values);
    return null;
  } catch (error) {
    return `cannot be formatted (${error instanceof Error ? error.message : 'unknown error'})`;
  }
}

/** Texts of the cases of a plural or a selection. */
function casesOf(element: Element): readonly (readonly Element[])[] {
  const hasCases = element.type === TYPE.select || element.type === TYPE.plural;
  return hasCases ? Object.values(element.options).map(({ value }) => value) : [];
}

const hasName = (element: Element): element is Named =>
  element.type !== TYPE.literal && element.type !== TYPE.pound;

/** All uses of arguments, in plurals and selections as well. */
function usesOf(elements: readonly Element[]): Use[] {
  return elements.filter(hasName).flatMap((element) => {
    const { type, value: name } = element;
    return [{ name, type }, ...casesOf(element).flatMap(usesOf)];
  });
}

/** Names of the arguments that a text depends on in every case. */
function shownIn(elements: readonly Element[]): Set<string> {
  const shown = new Set<string>();
  for (const element of elements.filter(hasName)) {
    shown.add(element.value);
    const [first, ...others] = casesOf(element).map(shownIn);
    for (const name of first ?? []) if (others.every((other) => other.has(name))) shown.add(name);
  }
  return shown;
}
