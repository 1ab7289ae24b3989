export {
  declareMessages,
  declareTranslation,
  formatMessage,
  type Message,
  type MessageValues,
  textIn,
  type Texts,
  textsOf,
} from './catalogue.js';
export { DEFAULT_LOCALE, findLocale, type Locale, localeOf, LOCALES, supportedLocale } from './locale.js';
// By `*`, so that modules can merge their ids into `MessageIds` of this file.
export * from './message-ids.js';
