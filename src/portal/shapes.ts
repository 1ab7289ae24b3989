/**
 * Shapes of icons, in a field of 24 by 24, shared by the portal and the server, which writes some
 * of them into the page of the sign-in.
 */
export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children?: readonly Shape[];
}

/** Attributes of lines in the colour of the text. */
const LINES = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': '2',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const;

/** Attributes of an icon in the colour of the text. */
export const LINE_ICON = { viewBox: '0 0 24 24', ...LINES, 'aria-hidden': 'true' } as const;

const path = (d: string, attributes: Readonly<Record<string, string>> = {}): Shape => ({
  tag: 'path',
  attributes: { d, ...attributes },
});

const circle = (cx: string, cy: string, r: string): Shape => ({ tag: 'circle', attributes: { cx, cy, r } });

export const EYE: readonly Shape[] = [
  path('M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z'),
  circle('12', '12', '3'),
];

export const GLOBE: readonly Shape[] = [
  circle('12', '12', '8.5'),
  path(
    'M3.5 12h17M12 3.5c2.5 2.4 3.7 5.2 3.7 8.5s-1.2 6.1-3.7 8.5c-2.5-2.4-3.7-5.2-3.7-8.5s1.2-6.1 3.7-8.5Z',
  ),
];

export const SUN: readonly Shape[] = [
  circle('12', '12', '4'),
  path(
    'M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
  ),
];

/** Attributes of the logo of a provider. */
export const LOGO = { width: '20', height: '20', viewBox: '0 0 24 24', 'aria-hidden': 'true' } as const;

/**
 * Four colours, on light and dark alike (Google Identity, "Sign in with Google branding
 * guidelines").
 */
const GOOGLE: Shape = {
  tag: 'g',
  attributes: { fill: 'none', 'stroke-width': '4.4' },
  children: [
    path('M18.2 6.6A8.4 8.4 0 0 0 4.5 8.2', { stroke: '#ea4335' }),
    path('M4.5 8.2A8.4 8.4 0 0 0 4.5 15.8', { stroke: '#fbbc05' }),
    path('M4.5 15.8A8.4 8.4 0 0 0 17.6 18.2', { stroke: '#34a853' }),
    path('M17.6 18.2A8.4 8.4 0 0 0 20.3 12.2H12.2', { stroke: '#4285f4', 'stroke-miterlimit': '10' }),
  ],
};

/** The shapes of Apple and Facebook are those of Simple Icons (CC0). */
const APPLE = path(
  'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
  { fill: 'currentColor' },
);
const FACEBOOK = path(
  'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
  { fill: '#1877f2' },
);
const KEY: Shape = {
  tag: 'g',
  attributes: LINES,
  children: [circle('8', '15', '4.5'), path('m11.5 11.5 8-8M15.5 7.5l3 3')],
};

const LOGOS: Readonly<Partial<Record<string, Shape>>> = {
  google_oauth: GOOGLE,
  apple_oauth: APPLE,
  facebook_oauth: FACEBOOK,
};

/** @returns the logo of a provider; a key for one without */
export const logoOf = (kind: string): Shape => LOGOS[kind] ?? KEY;
