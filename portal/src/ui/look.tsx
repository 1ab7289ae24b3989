import type { CSSProperties, ReactNode } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../messages/index.ts';

/** What pages show of an organization. */
export type OrganizationLook = components['schemas']['LookResponse'];

/** Colors of the page (tokens.css) for an accent in both themes. */
export function colorsOf(accent: string, onDark: string): CSSProperties {
  const sea = `light-dark(${accent}, ${onDark})`;
  return {
    '--sea': sea,
    '--sea-strong': `color-mix(in oklab, ${sea} 82%, light-dark(#000000, #ffffff))`,
    '--sea-tint': `color-mix(in oklab, ${sea} 12%, var(--sheet))`,
  } as CSSProperties;
}

interface Props {
  readonly look: OrganizationLook;
  readonly children: ReactNode;
}

/** Shows a page in the look of an organization: its name and logo above, its color, its help. */
export function InLookOf({ look, children }: Props) {
  const { name, logoUrl, accentColor, accentColorDark, supportUrl } = look;
  const colors = accentColor !== null && accentColorDark !== null && colorsOf(accentColor, accentColorDark);
  return (
    <div className="in-look" {...(colors && { style: colors })}>
      <p className="look">
        {logoUrl !== null && <img src={logoUrl} alt="" />}
        <strong>{name}</strong>
      </p>
      {children}
      {supportUrl !== null && (
        <p className="soft small">
          <a href={supportUrl} rel="noreferrer noopener" target="_blank">
            {text('look.help-of', { organization: name })}
          </a>
        </p>
      )}
    </div>
  );
}
