export { escapeHtml } from './escape-html.js';
export {
  declareMessages,
  declareTranslation,
  formatMessage,
  type Message,
  type MessageValues,
  replaceTexts,
  textIn,
  textOf,
  type Texts,
  type TextsByLocale,
  textsOf,
} from './catalogue.js';
export { findMessageFault } from './replacement.js';
export { findLocale, localeOf, supportedLocale } from './locale.js';
export { DEFAULT_LOCALE, type Locale, LOCALES } from './locales.js';
// By `*`, so that modules can merge their ids into `MessageIds` of this file.
export * from './message-ids.js';
