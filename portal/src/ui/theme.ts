export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that was chosen here; public/theme.js has set it before the first paint. */
export const themeInUse = (): Theme =>
  (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system';
