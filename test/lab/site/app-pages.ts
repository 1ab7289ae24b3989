import { readFileSync } from 'node:fs';
import type { Routes } from './server.ts';

/** A sign-in that the app offers. */
export interface Way {
  readonly kind: string;
  readonly title: string;
}

/**
 * The app that users sign in to, which shows the signed-in user. @param gatehouse URL of the
 * service
 */
export function appPages(gatehouse: string, ways: readonly Way[]): Routes {
  const file = (name: string, type: string) => () => ({
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: readFileSync(new URL(name, import.meta.url)),
  });
  return {
    'GET /': file('app.html', 'text/html'),
    'GET /app.js': file('app.js', 'text/javascript'),
    'GET /style.css': file('style.css', 'text/css'),
    'GET /setup.json': () => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ gatehouse, ways }),
    }),
  };
}
