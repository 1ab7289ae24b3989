/** Injection token of the settings (`Settings`). */
export const SETTINGS = Symbol('settings');
