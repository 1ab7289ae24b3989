import { declareTranslation } from '../platform/messages/index.js';
import { de } from './de.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { tr } from './tr.js';

/** Translations of all messages of this repository; English stands in the modules. */
declareTranslation('de', de);
declareTranslation('es', es);
declareTranslation('fr', fr);
declareTranslation('nl', nl);
declareTranslation('pl', pl);
declareTranslation('tr', tr);
