import { createElement, Fragment, useSyncExternalStore, type ReactNode } from 'react';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../../src/platform/messages/locales.ts';
import { Formats, type Message } from './compiled.ts';
import type english from './en.json';

export { LOCALES, type Locale };

export type MessageId = keyof typeof english;

type Values = Readonly<Record<string, string | number>>;
/** Values of a text with elements: `link` is called with what is inside of `<link>…</link>`. */
type RichValues = Readonly<
  Record<string, string | number | ReactNode | ((content: ReactNode[]) => ReactNode)>
>;
/** Compiled by the build (vite.config.ts): a plain text stays one. */
type Messages = Readonly<Record<MessageId, Message>>;

/** Made-up languages, long and accented, which show what is not translated or overflows. */
const PSEUDO = ['en-XA', 'ar-XB'] as const;
type AnyLocale = Locale | (typeof PSEUDO)[number];

const KEY = 'gatehouse-locale';
/** A tag of a language and a region alone: users can enter any text in some browsers. */
const WITH_REGION = /^[a-z]{2}-(?:[A-Z]{2}|[0-9]{3})$/;

/** Texts of the first page, and all others; the build divides them (vite.config.ts). */
type Part = 'first' | 'others';
type Load = () => Promise<{ readonly default: unknown }>;

const load: Record<Locale, Record<Part, Load>> = {
  en: { first: () => import('./en.json?first'), others: () => import('./en.json?others') },
  de: { first: () => import('./de.json?first'), others: () => import('./de.json?others') },
  es: { first: () => import('./es.json?first'), others: () => import('./es.json?others') },
  fr: { first: () => import('./fr.json?first'), others: () => import('./fr.json?others') },
  nl: { first: () => import('./nl.json?first'), others: () => import('./nl.json?others') },
  pl: { first: () => import('./pl.json?first'), others: () => import('./pl.json?others') },
  tr: { first: () => import('./tr.json?first'), others: () => import('./tr.json?others') },
};

let parts: readonly Part[] = ['first'];
let current: AnyLocale = DEFAULT_LOCALE;
let messages: Messages;
let formats = new Formats(DEFAULT_LOCALE);
const listeners = new Set<() => void>();

/** Returns a text in the language of the page. */
export function text(id: MessageId, values: Values = {}): string {
  const message = messages[id];
  return typeof message === 'string' ? message : formats.fill(message, values).join('');
}

/** Returns a text whose tags are elements: `rich('…', { link: (inside) => <a>{inside}</a> })`. */
export function rich(id: MessageId, values: RichValues): ReactNode {
  const message = messages[id];
  if (typeof message === 'string') return message;
  const parts = formats.fill(message, values) as ReactNode[];
  return parts.some((part) => typeof part !== 'string')
    ? createElement(Fragment, null, ...parts)
    : parts.join('');
}

/** Whether there is a text with this id. */
export const has = (id: string): id is MessageId => Object.hasOwn(messages, id);

/** Ids of the texts that begin with this. */
export const idsWith = (prefix: string): MessageId[] =>
  (Object.keys(messages) as MessageId[]).filter((id) => id.startsWith(prefix));

/** The language of the texts. */
export const textLocale = (): string => (isPseudo(current) ? DEFAULT_LOCALE : current);

/** The language for formats of `Intl`, with the region of the browser, as in `en-GB`. */
export function intlLocale(): string {
  const isRegional = (tag: string) => WITH_REGION.test(tag) && supported(tag) === current;
  return navigator.languages.find(isRegional) ?? textLocale();
}

/** The language of the page, which renders again when it changes. */
export const useLocale = (): AnyLocale =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/** Name of a language, in itself. */
export const nameOfLocale = (locale: AnyLocale): string =>
  (LOCALES as Readonly<Record<string, string>>)[locale] ?? locale;

/**
 * Loads the language that was chosen here before, that an app asks for in the address, or the
 * browser's; before the first page.
 */
export async function loadInitialLocale(): Promise<void> {
  const asked = new URLSearchParams(location.search).get('ui_locales')?.split(' ') ?? [];
  const wanted = [readChoice(), ...asked, ...navigator.languages];
  const locale = wanted.map((tag) => supported(tag ?? '')).find((found) => found !== null);
  await show(() => locale ?? DEFAULT_LOCALE);
}

/** Loads the texts of all pages; the sign-in page needs a few. */
export function loadAllTexts(): Promise<void> {
  parts = ['first', 'others'];
  return show(() => current);
}

/** Changes the language of the page, and keeps it for this browser. */
export async function chooseLocale(locale: Locale): Promise<void> {
  if (locale === current || isPseudo(current)) return;
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
  await show(() => locale);
  listeners.forEach((listener) => listener());
}

/** @returns null if there are no texts in the language of a tag, such as `de-AT` */
export function supported(tag: string): AnyLocale | null {
  if (isPseudo(tag)) return tag;
  const language = tag.split('-')[0] ?? '';
  return Object.hasOwn(LOCALES, language) ? (language as Locale) : null;
}

let showing: Promise<unknown> = Promise.resolve();

/** Loads the texts of a language, one call after the other. */
function show(wanted: () => AnyLocale): Promise<void> {
  const shown = showing.then(() => replaceTexts(wanted()));
  showing = shown.catch(() => undefined);
  return shown;
}

async function replaceTexts(locale: AnyLocale): Promise<void> {
  const files = load[isPseudo(locale) ? DEFAULT_LOCALE : locale];
  const loaded = await Promise.all(parts.map(async (part) => (await files[part]()).default));
  const texts = Object.assign({}, ...loaded) as Messages;
  messages = isPseudo(locale) ? (await import('./pseudo.ts')).pseudo(texts) : texts;
  current = locale;
  formats = new Formats(intlLocale());
  document.documentElement.lang = locale;
  document.documentElement.dir = locale === 'ar-XB' ? 'rtl' : 'ltr';
}

const isPseudo = (tag: string): tag is (typeof PSEUDO)[number] => (PSEUDO as readonly string[]).includes(tag);

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
