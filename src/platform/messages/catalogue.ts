import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { DEFAULT_LOCALE, type Locale } from './locales.js';
import type { MessageId } from './message-ids.js';

/** Values of the arguments of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Text for people that is not yet in a language. */
export interface Message {
  readonly id: MessageId;
  readonly values?: MessageValues;
}

/** Texts of one language by message id, in ICU MessageFormat. */
export type Texts = Readonly<Record<string, string>>;

/** Texts by language and id. */
export type TextsByLocale = ReadonlyMap<Locale, ReadonlyMap<string, string>>;

/** In ICU MessageFormat, an apostrophe quotes what follows only before another of these. */
const SYNTAX = /[{}]|'['<>]/;

const catalogue = new Map<Locale, Map<string, string>>();
/** Files of translations that no text was taken from yet: a process needs few languages. */
const unread = new Map<Locale, URL>();
/** Texts of the deployment, which replace the catalogue's. */
let replaced: TextsByLocale = new Map();
/** Compiled texts by language and id; a text without values as it is shown. */
const compiled = new Map<Locale, Map<string, IntlMessageFormat | string>>();

/**
 * Adds the texts of a module to the catalogue, when its file is loaded.
 * @param english texts in English, which declare the ids
 * @param translations texts in other languages; those of this repository are in `src/locales`
 * @throws if an id is declared twice
 */
export function declareMessages<const English extends Texts>(
  english: English,
  translations: Readonly<Partial<Record<Exclude<Locale, 'en'>, Texts>>> = {},
): English {
  add(DEFAULT_LOCALE, english);
  for (const [locale, texts] of Object.entries(translations)) add(locale as Locale, texts);
  return english;
}

/**
 * Adds a translation to the catalogue, when a text of the language is first needed.
 * @param file JSON with texts by id
 */
export function declareTranslation(locale: Exclude<Locale, 'en'>, file: URL): void {
  unread.set(locale, file);
}

/**
 * @returns ids and texts of a language, in the order of their declaration
 * @throws if the translation has a text of a module that has declared it itself
 */
export function textsOf(locale: Locale): ReadonlyMap<string, string> {
  const file = unread.get(locale);
  if (file) {
    unread.delete(locale);
    add(locale, JSON.parse(readFileSync(file, 'utf8')) as Texts);
  }
  return catalogue.get(locale) ?? new Map();
}

/**
 * Replaces texts of the catalogue by those of the deployment, and those of the call before.
 * @param texts checked, with ids of the catalogue; empty for the texts of the catalogue
 */
export function replaceTexts(texts: TextsByLocale): void {
  replaced = texts;
  compiled.clear();
}

/** @returns the text of the deployment, else that of the catalogue */
const findText = (id: string, locale: Locale): string | undefined =>
  replaced.get(locale)?.get(id) ?? textsOf(locale).get(id);

/**
 * Formats a message in a language; in English if it has no translation.
 * @throws if a value is missing
 */
export function formatMessage({ id, values }: Message, locale: Locale): string {
  const format = compiled.get(locale)?.get(id) ?? compile(id, locale);
  return typeof format === 'string' ? format : String(format.format(values));
}

function compile(id: MessageId, locale: Locale): IntlMessageFormat | string {
  const translated = findText(id, locale);
  const language = translated === undefined ? DEFAULT_LOCALE : locale;
  const text = translated ?? findText(id, DEFAULT_LOCALE);
  if (text === undefined)
    throw new Error(`The message ${id} is not declared: load the *.messages.ts file of its module.`);
  // A format looks through the data of all languages: 2 MB, and 3 MB of Node's program (measured).
  const format = SYNTAX.test(text)
    ? new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
    : text;
  const known = compiled.get(locale) ?? new Map<string, IntlMessageFormat | string>();
  compiled.set(locale, known.set(id, format));
  return format;
}

/** @returns a text as it is, a message in the language */
export function textOf(text: string | Message, locale: Locale): string {
  return typeof text === 'string' ? text : formatMessage(text, locale);
}

/** @returns a function that formats messages in the language */
export function textIn(locale: Locale): (id: MessageId, values?: MessageValues) => string {
  return (id, values) => formatMessage({ id, ...(values && { values }) }, locale);
}

function add(locale: Locale, texts: Texts): void {
  const known = catalogue.get(locale) ?? new Map<string, string>();
  catalogue.set(locale, known);
  for (const [id, text] of Object.entries(texts)) {
    if (known.has(id)) throw new Error(`The message ${id} is declared twice in ${locale}.`);
    known.set(id, text);
  }
}
