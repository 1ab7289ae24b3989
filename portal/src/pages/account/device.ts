import { findDevice } from '../../../../src/session/sign-in-notices/device-name.ts';
import { text } from '../../messages/index.ts';

/** Names a device by its user agent. */
export function deviceOf(userAgent: string | null): { readonly name: string; readonly isPhone: boolean } {
  const { browser, system } = findDevice(userAgent);
  const isPhone = /\b(?:iPhone|Mobile)\b/.test(userAgent ?? '');
  if (browser === undefined) return { name: system ?? text('device.unknown'), isPhone };
  return { name: system === undefined ? browser : text('device.browser-on', { browser, system }), isPhone };
}
