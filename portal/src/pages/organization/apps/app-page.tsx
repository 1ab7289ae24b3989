import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { inBackground } from '../../../session/in-background.ts';
import { AppLogo } from '../../../ui/app-logo.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Section } from '../../../ui/section.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { AppActions } from './app-actions.tsx';
import { AppForm, grantTypeName, methodName } from './app-form.tsx';
import { type OrganizationApp, useApp } from './app-queries.ts';
import { AppReach } from './app-reach.tsx';
import { presetsFor } from './presets.ts';
import { SamlAppForm, SamlSetUp } from './saml-app.tsx';
import { Snippet } from './snippet.tsx';

/** One app: what is registered for it, and how it is set up. */
export function AppPage({ tenantId, allowed, id }: OrganizationProps & { readonly id: string }) {
  const { data: app, error, refetch } = useApp(tenantId, id);
  const [isEditing, setEditing] = useState(false);
  const back = <Link href={pathIn(PAGE_PATHS.apps, tenantId)}>{text('apps.back')}</Link>;
  if (!app)
    return (
      <Page title={text('nav.apps')} lead={back}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
        ) : (
          <Skeleton label={text('nav.apps')} />
        )}
      </Page>
    );
  const mayChange = allowed['iam:client:update'];
  return (
    <Page
      title={app.name}
      lead={back}
      action={
        <div className="row">
          <AppLogo url={app.logoUrl} />
          {mayChange && <Button onPress={() => setEditing(true)}>{text('apps.change')}</Button>}
          <AppActions tenantId={tenantId} app={app} />
        </div>
      }
    >
      {app.protocol === 'saml' ? (
        <SamlSetUp tenantId={tenantId} clientId={app.clientId} />
      ) : (
        <>
          <Facts app={app} />
          <Section title={text('apps.set-up')} lead={text('apps.set-up.text')}>
            <Copyable label={text('connections.issuer')} value={location.origin} />
            <Copyable label={text('apps.client-id')} value={app.clientId} />
            <Snippets app={app} />
          </Section>
          <AppReach tenantId={tenantId} app={app} mayChange={mayChange} />
        </>
      )}
      {isEditing && app.protocol === 'openid' && (
        <AppForm tenantId={tenantId} app={app} onClose={() => setEditing(false)} />
      )}
      {isEditing && app.protocol === 'saml' && (
        <SamlAppForm tenantId={tenantId} app={app} onClose={() => setEditing(false)} />
      )}
    </Page>
  );
}

function Facts({ app }: { readonly app: OrganizationApp }) {
  const { type, tokenEndpointAuthMethod: method, grantTypes, redirectUris, scopes, memberConsent } = app;
  const lines = (values: readonly string[]): ReactNode => values.map((value) => <p key={value}>{value}</p>);
  return (
    <dl className="facts">
      {app.status === 'disabled' && (
        <>
          <dt>{text('webhooks.status')}</dt>
          <dd>
            <Badge kind="bad">{text('service-accounts.disabled')}</Badge>
          </dd>
        </>
      )}
      <dt>{text('apps.type')}</dt>
      <dd>{text(`apps.type.${type}`)}</dd>
      <dt>{text('apps.method')}</dt>
      <dd>
        {type === 'public' ? text('apps.method.none') : methodName(method)}
        <p className="soft small">{text('apps.method.refusal', { method })}</p>
      </dd>
      <dt>{text('apps.grant-types')}</dt>
      <dd>{grantTypes.map(grantTypeName).join(' · ')}</dd>
      {redirectUris.length > 0 && (
        <>
          <dt>{text('apps.redirect-uris')}</dt>
          <dd>{lines(redirectUris)}</dd>
        </>
      )}
      {app.postLogoutRedirectUris.length > 0 && (
        <>
          <dt>{text('apps.post-logout-redirect-uris')}</dt>
          <dd>{lines(app.postLogoutRedirectUris)}</dd>
        </>
      )}
      <dt>{text('apps.logout')}</dt>
      <dd>{text(`apps.logout-reach.${app.logoutReach}`)}</dd>
      <dt>{text('apps.consent.title-short')}</dt>
      <dd>{text(memberConsent ? 'apps.consent.given' : 'apps.consent.each')}</dd>
      {scopes.length > 0 && (
        <>
          <dt>{text('permissions')}</dt>
          <dd>{lines(scopes)}</dd>
        </>
      )}
    </dl>
  );
}

/** How libraries are set up, by the kind of app. */
function Snippets({ app }: { readonly app: OrganizationApp }) {
  const suited = presetsFor(app);
  const [kind, setKind] = useState<string>();
  const preset = suited.find(({ id }) => id === kind) ?? suited[0];
  if (!preset) return null;
  return (
    <>
      {suited.length > 1 && (
        <SelectField
          label={text('apps.kind')}
          options={suited.map(({ id }) => [id, text(`apps.preset.${id}` as 'apps.preset.node')] as const)}
          value={preset.id}
          onChange={setKind}
        />
      )}
      <Snippet app={app} preset={preset} />
    </>
  );
}
