import { LOGO, logoOf } from '../../../src/portal/shapes.ts';
import { draw } from './icons.tsx';

/** Logo of a provider; a key for one without. Hidden from screen readers: its name follows. */
export const ProviderLogo = ({ kind }: { readonly kind: string }) => (
  <svg {...LOGO}>{draw(logoOf(kind))}</svg>
);
