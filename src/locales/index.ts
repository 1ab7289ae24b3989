import { declareTranslation } from '../platform/messages/index.js';
import { de } from './de.js';
import { fr } from './fr.js';

/** Translations of all messages of this repository; English stands in the modules. */
declareTranslation('de', de);
declareTranslation('fr', fr);
