import { text } from '../../messages/index.ts';

/** In this order: browsers include the names of those below them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Names a device by its user agent. */
export function deviceOf(userAgent: string | null): { readonly name: string; readonly isPhone: boolean } {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  const isPhone = /\b(?:iPhone|Mobile)\b/.test(userAgent ?? '');
  if (browser === undefined) return { name: system ?? text('device.unknown'), isPhone };
  return { name: system === undefined ? browser : text('device.browser-on', { browser, system }), isPhone };
}
