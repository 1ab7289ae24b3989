import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { TextField } from '../../../ui/fields.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import type { Kind } from './connection-queries.ts';
import { ProviderFields, settingsOf, type Source } from './provider-fields.tsx';
import { ProviderGuide, type Provider, usualKindOf } from './providers.tsx';

const KINDS = ['oidc', 'saml'] as const satisfies readonly Kind[];

/** What is chosen besides what the fields hold. */
interface Choice {
  readonly kind: Kind;
  readonly source: Source;
}

interface Props extends Choice {
  readonly onKind: (kind: Kind) => void;
  readonly onSource: (source: Source) => void;
}

/** Product, protocol, name and settings of a new connection, for {@link draftIn}. */
export function DraftFields({ kind, source, onKind, onSource }: Props) {
  const [provider, setProvider] = useState<Provider>('other');
  return (
    <>
      <ProviderGuide
        kind={kind}
        provider={provider}
        about="theirs"
        onProvider={(one) => {
          setProvider(one);
          onKind(usualKindOf(one));
        }}
      />
      <SelectField
        label={text('connections.kind')}
        hint={text(`connections.kind.${kind}.hint`)}
        options={KINDS.map((one) => [one, text(`connections.kind.${one}`)])}
        value={kind}
        onChange={(one) => onKind(one as Kind)}
      />
      <TextField
        label={text('name')}
        name="name"
        key={provider}
        hint={text('connections.provider.hint')}
        defaultValue={provider === 'other' ? '' : text(`connections.provider.${provider}`)}
        maxLength={100}
        isRequired
      />
      <ProviderFields kind={kind} source={source} onSource={onSource} />
    </>
  );
}

/** Reads the fields, and the domains next to them. */
export const draftIn = (values: FormData, { kind, source }: Choice) => ({
  kind,
  name: String(values.get('name')).trim(),
  domainIds: values.getAll('domainIds').map(String),
  settings: settingsOf(values, { kind, source }),
});
