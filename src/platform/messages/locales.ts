/** Languages that texts for people exist in (BCP 47), with the name of each in itself. */
export const LOCALES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  nl: 'Nederlands',
  pl: 'Polski',
  tr: 'Türkçe',
} as const;

export type Locale = keyof typeof LOCALES;

export const DEFAULT_LOCALE: Locale = 'en';
