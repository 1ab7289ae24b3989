import { has, text } from '../../../messages/index.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import type { Kind } from './connection-queries.ts';

const PROVIDERS = ['okta', 'entra', 'google', 'adfs', 'keycloak', 'jumpcloud', 'other'] as const;
/** Products for which there is a guide. */
export type Provider = (typeof PROVIDERS)[number];

/** Protocol by which most customers of a product connect it. */
export const usualKindOf = (provider: Provider): Kind => (provider === 'adfs' ? 'saml' : 'oidc');

/** Finds the product that the name of a connection names. */
export function providerOf(name: string): Provider {
  const words = name.toLowerCase();
  const found = PROVIDERS.find((one) => words.includes(one));
  return found ?? (/azure|microsoft/.test(words) ? 'entra' : 'other');
}

interface Props {
  readonly kind: Kind;
  readonly provider: Provider;
  /** `theirs`: where the provider shows its values; `guide`: where it takes ours. */
  readonly about: 'theirs' | 'guide';
  readonly onProvider: (provider: Provider) => void;
}

/** Chooses a product, and says where its console has or takes the values. */
export function ProviderGuide({ kind, provider, about, onProvider }: Props) {
  const id = `connections.${about}.${provider}.${kind}`;
  return (
    <SelectField
      label={text('connections.provider')}
      hint={has(id) ? text(id) : text(`connections.set-up.${kind}`)}
      options={PROVIDERS.map((one) => [one, text(`connections.provider.${one}`)])}
      value={provider}
      onChange={(one) => onProvider(one as Provider)}
    />
  );
}
