/**
 * In place of React Aria's module of this kind, which asks `Intl` for all of its locales while the
 * first file runs: 135 ms on a slow phone. The portal is below an `I18nProvider` with its own.
 */
const DEFAULT = { locale: 'en', direction: 'ltr' } as const;

export const getDefaultLocale = () => DEFAULT;
export const useDefaultLocale = () => DEFAULT;
