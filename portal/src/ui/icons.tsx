import { createElement, Fragment, type ReactNode } from 'react';
import { EYE, GLOBE, LINE_ICON, type Shape, SUN } from '../../../src/portal/shapes.ts';

/** Returns the elements of a shape. */
export const draw = ({ tag, attributes, children = [] }: Shape): ReactNode =>
  createElement(tag, attributes, ...children.map(draw));

const drawAll = (shapes: readonly Shape[]) => createElement(Fragment, null, ...shapes.map(draw));

/**
 * Creates an icon in the colour of the text. Hidden from screen readers: the text next to it, or
 * the label of its button, has the meaning.
 */
const icon = (shapes: ReactNode) =>
  function Icon({ size = 18 }: { readonly size?: number }) {
    return (
      <svg width={size} height={size} {...LINE_ICON}>
        {shapes}
      </svg>
    );
  };

export const Check = icon(<path d="m5 12.5 4.5 4.5L19 7" />);
export const Chevron = icon(<path d="m7 10 5 5 5-5" />);
export const Cross = icon(<path d="M6 6l12 12M18 6 6 18" />);
export const Dots = icon(
  <>
    <circle cx="5" cy="12" r="1" />
    <circle cx="12" cy="12" r="1" />
    <circle cx="19" cy="12" r="1" />
  </>,
);
export const Eye = icon(drawAll(EYE));
export const EyeOff = icon(
  <path d="M4 4l16 16M9.5 6a9 9 0 0 1 2.5-.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.3 7.8A16 16 0 0 0 2.5 12s3.5 6.5 9.5 6.5c1.5 0 2.9-.4 4.1-1M10 10a3 3 0 0 0 4 4" />,
);
export const Globe = icon(drawAll(GLOBE));
export const Key = icon(
  <>
    <circle cx="8" cy="15" r="4.5" />
    <path d="m11.5 11.5 8-8M16 7l3 3M13.5 9.5l2 2" />
  </>,
);
export const Laptop = icon(
  <>
    <rect x="5" y="5" width="14" height="10" rx="1.5" />
    <path d="M3 19h18" />
  </>,
);
export const Phone = icon(
  <>
    <rect x="7" y="3" width="10" height="18" rx="2" />
    <path d="M11 18h2" />
  </>,
);
export const Sun = icon(drawAll(SUN));

/** The logo of the service. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
