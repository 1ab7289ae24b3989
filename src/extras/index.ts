import type { Type } from '@nestjs/common';
import type { Settings } from '../platform/config/index.js';

type Extra = Settings['EXTRAS'][number];

/** What a deployment can leave out, as modules of other teams: read where set up (ADR 75). */
const EXTRAS: Readonly<Record<Extra, () => Promise<Type>>> = {
  authzen: async () => (await import('./authzen/authzen.module.js')).AuthzenModule,
  signals: async () => (await import('./signals/signals.module.js')).SignalsModule,
};

/** Reads the extras of a deployment. */
export const readExtras = (names: readonly Extra[]): Promise<Type[]> =>
  Promise.all(names.map((name) => EXTRAS[name]()));
