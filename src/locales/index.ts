import { declareTranslation } from '../platform/messages/index.js';

/** Translations of all messages of this repository; English stands in the modules. */
declareTranslation('de', new URL('de.json', import.meta.url));
declareTranslation('es', new URL('es.json', import.meta.url));
declareTranslation('fr', new URL('fr.json', import.meta.url));
declareTranslation('nl', new URL('nl.json', import.meta.url));
declareTranslation('pl', new URL('pl.json', import.meta.url));
declareTranslation('tr', new URL('tr.json', import.meta.url));
