import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { SelectField } from '../../ui/select-field.tsx';

const PROVIDERS = ['entra', 'okta', 'jumpcloud', 'onelogin', 'google', 'other'] as const;
type Provider = (typeof PROVIDERS)[number];

/** Where to enter the address of a directory at an identity provider, in the words used there. */
export function DirectoryGuide({ baseUrl }: { readonly baseUrl: string }) {
  const [provider, setProvider] = useState<Provider>('entra');
  return (
    <>
      <SelectField
        label={text('directories.provider')}
        hint={text(`directories.guide.${provider}`)}
        options={PROVIDERS.map((one) => [one, text(`directories.provider.${one}`)])}
        value={provider}
        onChange={(one) => setProvider(one as Provider)}
      />
      <Copyable label={text(`directories.address.${provider}`)} value={baseUrl} />
    </>
  );
}
