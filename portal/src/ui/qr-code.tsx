import { encode } from 'uqr';

/** Modules of the quiet zone around a QR code (ISO/IEC 18004, section 9.1). */
const QUIET = 4;

interface Props {
  readonly content: string;
  /** Name for screen readers. */
  readonly label: string;
  /** Place in another SVG, in its units; without one, an element of the page. */
  readonly place?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

/** A QR code as elements of the page: the policy of the page allows no image and no markup. */
export function QrCode({ content, label, place }: Props) {
  const { data, size } = encode(content, { border: QUIET });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      {...place}
      className={place ? undefined : 'qr'}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
