import { text } from '../../../messages/index.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import type { OrganizationApp } from './app-queries.ts';
import type { Preset } from './presets.ts';

interface Props {
  readonly app: OrganizationApp;
  readonly preset: Preset;
}

/** How the library of a kind of app is set up for this one. */
export function Snippet({ app: { clientId, redirectUris }, preset }: Props) {
  const redirectUri = redirectUris[0] ?? preset.redirectUri ?? '';
  const code = preset.snippet({ issuer: location.origin, clientId, redirectUri });
  return <Copyable label={text('apps.snippet')} value={code} isCode />;
}
