import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { PasswordField, TextArea, TextField } from '../../../ui/fields.tsx';
import { textOf } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import type { Connection, Kind, Settings } from './connection-queries.ts';

const SOURCES = ['url', 'xml', 'hand'] as const;
/** Where the settings of a SAML provider come from. */
export type Source = (typeof SOURCES)[number];

interface Props {
  readonly kind: Kind;
  readonly source: Source;
  readonly onSource: (source: Source) => void;
  /** Settings to change; left out for a new connection. */
  readonly current?: Connection['settings'];
}

/** Fields for what the provider shows: its address, and a client or certificates. */
export function ProviderFields({ kind, source, onSource, current }: Props) {
  return (
    <>
      {kind === 'oidc' ? (
        <OidcFields current={current} />
      ) : (
        <>
          <SelectField
            label={text('connections.source')}
            options={SOURCES.map((one) => [one, text(`connections.source.${one}`)])}
            value={source}
            onChange={(one) => onSource(one as Source)}
          />
          <SamlFields source={source} current={current} />
        </>
      )}
      <details className="stack tight">
        <summary>{text('connections.more')}</summary>
        <MoreFields kind={kind} current={current} />
      </details>
    </>
  );
}

interface FieldsProps {
  readonly current: Connection['settings'] | undefined;
}

function OidcFields({ current }: FieldsProps) {
  return (
    <>
      <TextField
        label={text('connections.issuer')}
        name="settings.issuer"
        hint={text('connections.issuer.hint')}
        inputMode="url"
        maxLength={500}
        defaultValue={current?.issuer ?? ''}
        isRequired
        verbatim
      />
      <TextField
        label={text('connections.client-id')}
        name="settings.clientId"
        maxLength={200}
        defaultValue={current?.clientId ?? ''}
        autoComplete="off"
        isRequired
        verbatim
      />
      <PasswordField
        label={text('connections.client-secret')}
        name="settings.clientSecret"
        hint={text(current ? 'connections.client-secret.keep' : 'connections.client-secret.hint')}
        maxLength={500}
        autoComplete="new-password"
        isRequired={!current}
      />
    </>
  );
}

function SamlFields({ source, current }: FieldsProps & { readonly source: Source }) {
  if (source === 'url')
    return (
      <TextField
        label={text('connections.metadata-url')}
        name="settings.metadataUrl"
        hint={text('connections.metadata-url.hint')}
        inputMode="url"
        maxLength={500}
        defaultValue={current?.metadataUrl ?? ''}
        isRequired
        verbatim
      />
    );
  if (source === 'xml')
    return (
      <TextArea
        label={text('connections.metadata')}
        name="settings.metadata"
        hint={text('connections.metadata.hint')}
        maxLength={59_000}
        isRequired
      />
    );
  return (
    <>
      <TextField
        label={text('connections.entity-id')}
        name="settings.entityId"
        hint={text('connections.entity-id.hint')}
        maxLength={500}
        defaultValue={current?.entityId ?? ''}
        isRequired
        verbatim
      />
      <TextField
        label={text('connections.sso-url')}
        name="settings.ssoUrl"
        inputMode="url"
        maxLength={500}
        defaultValue={current?.ssoUrl ?? ''}
        isRequired
        verbatim
      />
      <Binding current={current} />
      <TextArea
        label={text('connections.certificates')}
        name="settings.certificates"
        hint={text(current ? 'connections.certificates.keep' : 'connections.certificates.hint')}
        isRequired={!current}
      />
    </>
  );
}

const BINDINGS = ['redirect', 'post'] as const;

function Binding({ current }: FieldsProps) {
  const [value, setValue] = useState<string>(current?.ssoBinding ?? 'redirect');
  return (
    <SelectField
      label={text('connections.sso-binding')}
      name="settings.ssoBinding"
      options={BINDINGS.map((one) => [one, text(`connections.sso-binding.${one}`)])}
      value={value}
      onChange={setValue}
    />
  );
}

function MoreFields({ kind, current }: FieldsProps & { readonly kind: Kind }) {
  const names = current?.claims ?? current?.attributes;
  return (
    <div className="stack">
      {kind === 'oidc' && (
        <>
          <TextField
            label={text('connections.scopes')}
            name="settings.scopes"
            hint={text('connections.scopes.hint')}
            defaultValue={current?.scopes?.join(' ') ?? ''}
            verbatim
          />
          <TextField
            label={text('connections.audiences')}
            name="settings.trustedAudiences"
            hint={text('connections.audiences.hint')}
            defaultValue={current?.trustedAudiences?.join(' ') ?? ''}
            verbatim
          />
        </>
      )}
      {kind === 'saml' && <AuthenticationAge current={current} />}
      <TextField
        label={text('connections.email-name')}
        name="email"
        hint={text('connections.name.hint')}
        maxLength={200}
        defaultValue={names?.email ?? ''}
        verbatim
      />
      <TextField
        label={text('connections.groups-name')}
        name="groups"
        hint={text('connections.name.hint')}
        maxLength={200}
        defaultValue={names?.groups ?? ''}
        verbatim
      />
    </div>
  );
}

const DAY_SECONDS = '86400';

/** Maximum age of the sign-in that the provider reports: Google Workspace needs none. */
function AuthenticationAge({ current }: FieldsProps) {
  const limit = current?.authnInstantMaxAge;
  const saved = limit === undefined ? 'default' : String(limit ?? 'none');
  const [value, setValue] = useState(saved);
  const values = [...new Set([saved, DAY_SECONDS, 'none'])];
  const labels: Partial<Record<string, string>> = {
    default: text('connections.authentication-age.default'),
    [DAY_SECONDS]: text('connections.authentication-age.day'),
    none: text('connections.authentication-age.none'),
  };
  return (
    <SelectField
      label={text('connections.authentication-age')}
      hint={text('connections.authentication-age.hint')}
      name="settings.authnInstantMaxAge"
      options={values.map((one) => [one, labels[one] ?? `${one} s`])}
      value={value}
      onChange={setValue}
    />
  );
}

/** Returns the chosen limit; nothing to leave it to the service. */
function ageOf(values: FormData): Pick<Settings, 'authnInstantMaxAge'> {
  const chosen = String(values.get('settings.authnInstantMaxAge'));
  if (chosen === 'default') return {};
  return { authnInstantMaxAge: chosen === 'none' ? null : Number(chosen) };
}

/** Certificates in a text, each with its frame; the text itself if there is none. */
const certificatesIn = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [pem.trim()];

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Returns the settings that the fields have. */
export function settingsOf(
  values: FormData,
  { kind, source, current }: Pick<Props, 'kind' | 'source' | 'current'>,
): Settings {
  const named = { ...(current?.claims ?? current?.attributes) };
  delete named.email;
  delete named.groups;
  const email = textOf(values, 'email')?.trim();
  const groups = textOf(values, 'groups')?.trim();
  const names = {
    ...named,
    ...(email !== undefined && { email }),
    ...(groups !== undefined && { groups }),
  };
  const given = (field: string) => String(values.get(`settings.${field}`)).trim();
  if (kind === 'oidc') {
    const clientSecret = textOf(values, 'settings.clientSecret');
    return {
      issuer: given('issuer'),
      clientId: given('clientId'),
      ...(clientSecret !== undefined && { clientSecret }),
      scopes: wordsOf(given('scopes')),
      trustedAudiences: wordsOf(given('trustedAudiences')),
      claims: names,
    };
  }
  const common = { ...ageOf(values), attributes: names };
  if (source === 'url') return { metadataUrl: given('metadataUrl'), ...common };
  if (source === 'xml') return { metadata: given('metadata'), ...common };
  const certificates = textOf(values, 'settings.certificates');
  return {
    entityId: given('entityId'),
    ssoUrl: given('ssoUrl'),
    ssoBinding: given('ssoBinding') as NonNullable<Settings['ssoBinding']>,
    ...(certificates !== undefined && { certificates: certificatesIn(certificates) }),
    ...common,
  };
}
