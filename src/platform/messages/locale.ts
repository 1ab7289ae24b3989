// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- for each tsconfig
/// <reference path="./negotiator.d.ts" />
import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { DEFAULT_LOCALE, type Locale, LOCALES } from './locales.js';

/**
 * Finds the language that a request asks for (`Accept-Language`, RFC 9110 section 12.5.4).
 * @returns null if it names no language of {@link LOCALES}
 */
export function findLocale({ headers }: Pick<IncomingMessage, 'headers'>): Locale | null {
  if (headers['accept-language'] === undefined) return null;
  for (const tag of new Negotiator({ headers }).languages()) {
    const locale = supportedLocale(tag); // of `*`, which many programs send, there is none
    if (locale !== null) return locale;
  }
  return null;
}

/**
 * Returns the language of a tag, such as `de` of `de-AT`.
 * @param tag BCP 47 tag; null or another language than those of {@link LOCALES} is the default
 */
export function localeOf(tag: string | null | undefined): Locale {
  return supportedLocale(tag ?? DEFAULT_LOCALE) ?? DEFAULT_LOCALE;
}

/** @returns null for a text that is no BCP 47 tag of a language of {@link LOCALES} */
export function supportedLocale(tag: string): Locale | null {
  try {
    const { language } = new Intl.Locale(tag);
    return Object.hasOwn(LOCALES, language) ? (language as Locale) : null;
  } catch {
    return null; // a RangeError: not a tag
  }
}
