/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('settings');
