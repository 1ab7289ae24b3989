/** Least contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const MIN_CONTRAST = 4.5;
/** Surfaces of the pages in the light and in the dark theme. */
const LIGHT_SURFACE = '#ffffff';
const DARK_SURFACE = '#182127';
/** Steps in which a color is made lighter until it can be read on the dark surface. */
const STEPS = 20;

type Channels = readonly [number, number, number];

/** @param color as `#0b6b6b` */
function channelsOf(color: string): Channels {
  const at = (n: number) => Number.parseInt(color.slice(n, n + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(channels: Channels): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colors (WCAG 2.2), from 1 to 21. */
function contrastOf(one: Channels, other: Channels): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Contrast of a color with white: that of links on a page, and of the text of buttons. */
export function contrastWithWhite(color: string): number {
  return contrastOf(channelsOf(color), channelsOf(LIGHT_SURFACE));
}

/**
 * Returns a color for the dark theme: the color itself if it can be read there, else the darkest
 * of its lighter tints that can.
 */
export function onDark(color: string): string {
  const channels = channelsOf(color);
  const surface = channelsOf(DARK_SURFACE);
  for (let step = 0; step < STEPS; step += 1) {
    const tint = channels.map((channel) =>
      Math.round(channel + ((255 - channel) * step) / STEPS),
    ) as unknown as Channels;
    if (contrastOf(tint, surface) >= MIN_CONTRAST)
      return `#${tint.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  }
  return LIGHT_SURFACE;
}
