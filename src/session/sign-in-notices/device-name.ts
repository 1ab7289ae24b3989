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

/** Finds browser and system of a user agent, in words of these lists only. */
export function findDevice(
  userAgent: string | null,
): Readonly<Record<'browser' | 'system', string | undefined>> {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}

/**
 * Names a device for a mail. The person who signs in chooses the user agent, and could otherwise
 * place text such as a link in a mail of this service.
 * @returns names without a word of any language, such as "Firefox, Linux"; null if nothing matches
 */
export function getDeviceName(userAgent: string | null): string | null {
  const { browser, system } = findDevice(userAgent);
  return [browser, system].filter((name) => name !== undefined).join(', ') || null;
}
