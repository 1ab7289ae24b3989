import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { AccountForm } from './account-form.tsx';
import { Credentials } from './credentials.tsx';
import { Keys } from './keys.tsx';
import { useAccount } from './service-account-queries.ts';
import { TrustRules } from './trust-rules.tsx';
import { inBackground } from '../../../session/in-background.ts';

/** One service account, and how its programs prove who they are. */
export function ServiceAccount({ tenantId, allowed, id }: OrganizationProps & { readonly id: string }) {
  const { data: account, error, refetch } = useAccount(tenantId, id);
  const { data: roles = [] } = useRoles(tenantId);
  const [isEditing, setEditing] = useState(false);
  const back = (
    <Link href={pathIn(PAGE_PATHS.serviceAccounts, tenantId)}>{text('service-accounts.back')}</Link>
  );
  if (!account)
    return (
      <Page title={text('nav.service-accounts')} lead={back}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
        ) : (
          <Skeleton label={text('nav.service-accounts')} />
        )}
      </Page>
    );
  const props = { tenantId, accountId: id };
  return (
    <Page
      title={account.name}
      lead={back}
      action={
        allowed['iam:service-account:update'] && (
          <Button onPress={() => setEditing(true)}>{text('service-accounts.change')}</Button>
        )
      }
    >
      <dl className="facts">
        {account.status === 'disabled' && (
          <>
            <dt>{text('webhooks.status')}</dt>
            <dd>
              <Badge kind="bad">{text('service-accounts.disabled')}</Badge>
            </dd>
          </>
        )}
        <dt>{text('roles')}</dt>
        <dd className="row">
          {roleNames(roles, account.roles).map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </dd>
        {account.description !== null && (
          <>
            <dt>{text('service-accounts.description')}</dt>
            <dd>{account.description}</dd>
          </>
        )}
        {account.contact !== null && (
          <>
            <dt>{text('service-accounts.contact')}</dt>
            <dd>{account.contact}</dd>
          </>
        )}
        <dt>{text('service-accounts.last-used')}</dt>
        <dd>
          {account.lastUsedAt === null ? text('keys.never-used') : <Time value={account.lastUsedAt} exact />}
        </dd>
      </dl>
      <Copyable label={text('credentials.client-id')} value={id} />
      <Keys {...props} mayCreate={allowed['iam:api-key:create']} />
      <Credentials {...props} mayCreate={allowed['iam:api-key:create']} />
      <TrustRules {...props} mayCreate={allowed['iam:trust-rule:create']} />
      {isEditing && <AccountForm tenantId={tenantId} account={account} onClose={() => setEditing(false)} />}
    </Page>
  );
}
