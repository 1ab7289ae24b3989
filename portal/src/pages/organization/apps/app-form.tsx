import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { linesOf } from '../../../ui/lines-of.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { usePermissions } from '../organization-queries.ts';
import { ScopeChoice } from '../scope-choice.tsx';
import { type OrganizationApp, refreshApps } from './app-queries.ts';
import { DEVICE_CODE, type Preset, PRESETS } from './presets.ts';
import { addressOf, RECIPES } from './recipes.ts';
import { Snippet } from './snippet.tsx';

const TYPES = ['confidential', 'public'] as const satisfies readonly OrganizationApp['type'][];
const METHODS = ['client_secret', 'client_secret_basic', 'client_secret_post'] as const;
const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_CODE] as const;
const ALGS = ['ES256', 'RS256'] as const;

type Method = (typeof METHODS)[number];

interface Props {
  readonly tenantId: string;
  /** The app to change; a new one without it. */
  readonly app?: OrganizationApp;
  readonly onClose: () => void;
}

/** Creates an app, and shows what to enter in it, or changes one. */
export function AppForm({ tenantId, app, onClose }: Props) {
  const [kind, setKind] = useState<string>('node');
  const [site, setSite] = useState('');
  const recipe = RECIPES.find(({ id }) => id === kind);
  const preset = PRESETS.find(({ id }) => id === kind);
  const [type, setType] = useState(app?.type ?? 'confidential');
  const [method, setMethod] = useState<Method>(
    METHODS.find((one) => one === app?.tokenEndpointAuthMethod) ?? 'client_secret',
  );
  const [grantTypes, setGrantTypes] = useState<readonly string[]>(app?.grantTypes ?? GRANT_TYPES.slice(0, 2));
  const choose = (id: string) => {
    setKind(id);
    const chosen = PRESETS.find((one) => one.id === id);
    setType(chosen?.type ?? 'confidential');
    setGrantTypes(chosen?.grantTypes ?? GRANT_TYPES.slice(0, 2));
    setMethod(RECIPES.find((one) => one.id === id)?.tokenEndpointAuthMethod ?? 'client_secret');
  };
  const linesOfPaths = (paths: readonly string[] = []) =>
    paths.map((path) => addressOf(site, path)).join('\n');
  // Other values fill the fields in again.
  const filled = `${kind} ${site}`;
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = bodyOf(values, type, method);
      const backchannelLogoutUri = textOf(values, 'backchannelLogoutUri') ?? null;
      const logoUri = textOf(values, 'logoUri') ?? null;
      if (app) {
        const params = { path: { id: tenantId, clientId: app.clientId } };
        const path = '/api/v1/iam/tenants/{id}/clients/{clientId}';
        await gatehouse.patch(path, {
          params,
          body: {
            ...body,
            backchannelLogoutUri,
            // Named again, it would be fetched again.
            ...(logoUri !== app.logoUri && { logoUri }),
          },
        });
        return null;
      }
      const params = { path: { id: tenantId } };
      return (
        await gatehouse.post('/api/v1/iam/tenants/{id}/clients', {
          params,
          body: {
            ...body,
            type,
            ...(backchannelLogoutUri !== null && { backchannelLogoutUri }),
            ...(logoUri !== null && { logoUri }),
          },
        })
      ).data;
    },
    onSuccess: async (created, values) => {
      await refreshApps(tenantId);
      if (created) return;
      onClose();
      say(text('apps.changed', { name: String(values.get('name')) }));
    },
  });
  if (save.data)
    return <Created app={save.data} secret={save.data.clientSecret} preset={preset} onClose={onClose} />;
  return (
    <Dialog title={text(app ? 'apps.change' : 'apps.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        {!app && (
          <SelectField
            label={text('apps.kind')}
            {...(recipe && { hint: text('apps.product.hint', { guide: `docs/apps/${recipe.id}.md` }) })}
            options={[
              ...PRESETS.map(({ id }) => [id, text(`apps.preset.${id}` as 'apps.preset.node')] as const),
              ...RECIPES.map(({ id, name }) => [id, name] as const),
            ]}
            value={kind}
            onChange={choose}
          />
        )}
        {recipe && (
          <TextField
            label={text('apps.site')}
            hint={text('apps.site.hint')}
            type="url"
            maxLength={400}
            value={site}
            onChange={setSite}
            isRequired
            verbatim
          />
        )}
        <TextField
          key={recipe?.id ?? 'own'}
          label={text('name')}
          name="name"
          hint={text('apps.name.hint')}
          maxLength={100}
          defaultValue={app?.name ?? recipe?.name ?? ''}
          isRequired
          {...(!recipe && { autoFocus: true })}
        />
        {grantTypes.includes('authorization_code') && (
          <TextArea
            key={`redirect ${filled}`}
            label={text('apps.redirect-uris')}
            name="redirectUris"
            hint={text('apps.redirect-uris.hint')}
            defaultValue={
              app?.redirectUris.join('\n') ?? preset?.redirectUri ?? linesOfPaths(recipe?.redirectPaths)
            }
            isRequired
          />
        )}
        <ul className="list">
          <Fold title={text('apps.fold.protocol')}>
            {!app && (
              <SelectField
                label={text('apps.type')}
                hint={text(`apps.type.${type}.hint`)}
                options={TYPES.map((one) => [one, text(`apps.type.${one}`)])}
                value={type}
                onChange={(one) => setType(one as OrganizationApp['type'])}
              />
            )}
            {type === 'confidential' && (
              <SelectField
                label={text('apps.method')}
                hint={text('apps.method.hint')}
                options={METHODS.map((one) => [one, text(`apps.method.${one}`)])}
                value={method}
                onChange={(one) => setMethod(one as Method)}
              />
            )}
            <CheckboxGroup
              label={text('apps.grant-types')}
              name="grantTypes"
              value={[...grantTypes]}
              onChange={setGrantTypes}
              isRequired
              missing={text('tester.choose')}
            >
              {GRANT_TYPES.map((one) => (
                <Checkbox key={one} value={one}>
                  {grantTypeName(one)}
                </Checkbox>
              ))}
            </CheckboxGroup>
            <Security app={app} type={type} />
          </Fold>
          <Permissions tenantId={tenantId} chosen={app?.scopes ?? []} />
          <Fold title={text('apps.fold.logout')}>
            <TextField
              key={`logout ${filled}`}
              label={text('apps.backchannel-logout-uri')}
              name="backchannelLogoutUri"
              hint={text('apps.backchannel-logout-uri.hint')}
              maxLength={500}
              defaultValue={
                app?.backchannelLogoutUri ??
                (recipe?.backchannelPath ? addressOf(site, recipe.backchannelPath) : '')
              }
              verbatim
            />
            <TextArea
              key={`return ${filled}`}
              label={text('apps.post-logout-redirect-uris')}
              name="postLogoutRedirectUris"
              hint={text('apps.redirect-uris.hint')}
              defaultValue={app?.postLogoutRedirectUris.join('\n') ?? linesOfPaths(recipe?.postLogoutPaths)}
            />
            <TextField
              label={text('apps.logo-uri')}
              name="logoUri"
              hint={text('apps.logo-uri.hint')}
              maxLength={500}
              defaultValue={app?.logoUri ?? ''}
              verbatim
            />
          </Fold>
        </ul>
        <FormButtons
          submit={text(app ? 'save' : 'apps.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Returns the name of a grant type in words. */
export const grantTypeName = (grantType: string): string =>
  grantType === DEVICE_CODE
    ? text('apps.grant-type.device')
    : text(`apps.grant-type.${grantType as 'authorization_code' | 'refresh_token'}`);

/** Part of the form that is folded at first, with what it sends. */
function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <details className="disclosure">
        <summary>
          <strong>{title}</strong>
        </summary>
        <div className="stack">{children}</div>
      </details>
    </li>
  );
}

interface SecurityProps {
  readonly app: OrganizationApp | undefined;
  readonly type: OrganizationApp['type'];
}

/** What an app must do, and how its tokens are signed. */
function Security({ app, type }: SecurityProps) {
  const [idTokenAlg, setIdTokenAlg] = useState<string>(app?.idTokenAlg ?? 'RS256');
  const [accessTokenAlg, setAccessTokenAlg] = useState<string>(app?.accessTokenAlg ?? 'ES256');
  const algs = ALGS.map((alg) => [alg, alg] as const);
  const required = [
    ...(app?.requirePkce === false && type === 'confidential' ? [] : ['requirePkce']),
    ...(app?.requirePar ? ['requirePar'] : []),
    ...(app?.requireDpop ? ['requireDpop'] : []),
    ...(app?.idTokenClaims === 'none' ? [] : ['idTokenClaims']),
  ];
  return (
    <>
      <CheckboxGroup label={text('apps.security')} name="security" defaultValue={required}>
        {type === 'confidential' && <Checkbox value="requirePkce">{text('apps.require-pkce')}</Checkbox>}
        <Checkbox value="idTokenClaims">{text('apps.id-token-claims')}</Checkbox>
        <Checkbox value="requirePar">{text('apps.require-par')}</Checkbox>
        <Checkbox value="requireDpop">{text('apps.require-dpop')}</Checkbox>
      </CheckboxGroup>
      <SelectField
        label={text('apps.id-token-alg')}
        name="idTokenAlg"
        options={algs}
        value={idTokenAlg}
        onChange={setIdTokenAlg}
      />
      <SelectField
        label={text('apps.access-token-alg')}
        hint={text('apps.access-token-alg.hint')}
        name="accessTokenAlg"
        options={algs}
        value={accessTokenAlg}
        onChange={setAccessTokenAlg}
      />
    </>
  );
}

interface PermissionsProps {
  readonly tenantId: string;
  readonly chosen: readonly string[];
}

/** Permissions of this service that an app can ask for. */
function Permissions({ tenantId, chosen }: PermissionsProps) {
  const permissions = usePermissions(tenantId);
  return (
    <Fold title={text('apps.fold.permissions')}>
      <p className="soft small">{text('apps.permissions.hint')}</p>
      {permissions && <ScopeChoice permissions={permissions} chosen={chosen} />}
    </Fold>
  );
}

/** Returns what a new and a changed app have in common. */
function bodyOf(values: FormData, type: OrganizationApp['type'], method: Method) {
  const security = values.getAll('security');
  return {
    name: String(values.get('name')),
    redirectUris: linesOf(values, 'redirectUris'),
    postLogoutRedirectUris: linesOf(values, 'postLogoutRedirectUris'),
    scopes: values.getAll('scopes').map(String),
    grantTypes: values.getAll('grantTypes').map(String) as OrganizationApp['grantTypes'],
    tokenEndpointAuthMethod: type === 'public' ? ('none' as const) : method,
    requirePkce: type === 'public' || security.includes('requirePkce'),
    requirePar: security.includes('requirePar'),
    requireDpop: security.includes('requireDpop'),
    idTokenClaims: security.includes('idTokenClaims') ? ('scopes' as const) : ('none' as const),
    idTokenAlg: values.get('idTokenAlg') as OrganizationApp['idTokenAlg'],
    accessTokenAlg: values.get('accessTokenAlg') as OrganizationApp['accessTokenAlg'],
  };
}

interface CreatedProps {
  readonly app: OrganizationApp;
  readonly secret: string | undefined;
  /** Undefined for a product. */
  readonly preset: Preset | undefined;
  readonly onClose: () => void;
}

/** Shows what to enter in a new app. */
function Created({ app, secret, preset, onClose }: CreatedProps) {
  return (
    <ShownOnce
      title={text('apps.created')}
      lead={text(secret === undefined ? 'apps.created.public' : 'apps.created.text')}
      onClose={onClose}
    >
      <Copyable label={text('connections.issuer')} value={location.origin} />
      <Copyable label={text('apps.client-id')} value={app.clientId} />
      {secret !== undefined && (
        <>
          <Copyable label={text('apps.client-secret')} value={secret} />
          <p className="soft small">
            {text('apps.method.says', { method: methodName(app.tokenEndpointAuthMethod) })}
          </p>
        </>
      )}
      {preset && <Snippet app={app} preset={preset} />}
    </ShownOnce>
  );
}

/** Returns how an app authenticates, in words. */
export const methodName = (method: OrganizationApp['tokenEndpointAuthMethod']): string =>
  method === 'none' || method === 'private_key_jwt' ? method : text(`apps.method.${method}`);
