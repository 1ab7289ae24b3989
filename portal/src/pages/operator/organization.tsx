import type { components } from '@gatehouse/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useBulkAction, useBulkKinds } from './bulk.tsx';
import { isNotFound, NoneFound } from './none-found.tsx';
import { pathOfPerson, refreshAll, shownName, useDenial, useOrganization } from './operator-queries.ts';
import { inBackground } from '../../session/in-background.ts';

type What = 'archive' | 'restore';

/** An organization, with what support needs. */
export function OperatedOrganization({ tenantId }: { readonly tenantId: string }) {
  const { data, error, refetch } = useOrganization(tenantId);
  if (isNotFound(error))
    return (
      <NoneFound
        title={text('operator.organizations.none')}
        lead={text('operator.organization.none')}
        search={text('operator.organization.search')}
        path={PAGE_PATHS.operatorOrganizations}
      />
    );
  if (!data)
    return (
      <Page title={text('operator.organization')}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
        ) : (
          <Skeleton label={text('operator.organization')} />
        )}
      </Page>
    );
  const isArchived = data.status === 'archived';
  return (
    <Page
      title={data.name}
      lead={rich('settings.created', {
        id: data.id,
        time: () => <Time value={data.createdAt} />,
        code: (id) => <code>{id}</code>,
      })}
    >
      <section className="sheet section" aria-labelledby="facts">
        <div className="row">
          <h2 id="facts">{text('operator.organization')}</h2>
          {isArchived && <Badge kind="care">{text('organizations.archived')}</Badge>}
        </div>
        <dl className="facts">
          <dt>{text('operator.members')}</dt>
          <dd>
            <Link href={`${PAGE_PATHS.operatorPeople}?tenant=${tenantId}`}>{data.members}</Link>
          </dd>
          <dt>{text('operator.support-access')}</dt>
          <dd>{text(`operator.support.${data.supportAccess}`)}</dd>
          {data.deletesAt !== null && (
            <>
              <dt>{text('operator.deletes')}</dt>
              <dd>
                <Time value={data.deletesAt} exact />
              </dd>
            </>
          )}
          <dt>{text('operator.owners')}</dt>
          <dd>
            <ul>
              {data.owners.map((owner) => (
                <li key={owner.userId}>
                  <Link href={pathOfPerson(owner.userId)}>{shownName(owner)}</Link>
                </li>
              ))}
            </ul>
          </dd>
        </dl>
        <p>
          <Link href={`${PAGE_PATHS.operatorTrail}?tenant=${tenantId}`}>{text('operator.its-trail')}</Link>
        </p>
      </section>
      <Limits tenantId={tenantId} limits={data.limits} />
      <Commands tenantId={tenantId} name={data.name} what={isArchived ? 'restore' : 'archive'} />
    </Page>
  );
}

type LimitsShown = components['schemas']['TenantLimitsResponse'];

/** Shows and sets what the organization may send to people who do not belong to it. */
function Limits({ tenantId, limits }: { readonly tenantId: string; readonly limits: LimitsShown }) {
  const say = useToast();
  const denial = useDenial('platform:tenant:limit').data;
  const save = useMutation({
    mutationFn: (body: { mailsPerDay: number | null; openInvitations: number | null }) =>
      gatehouse.put('/api/v1/operator/tenants/{tenantId}/limits', { params: { path: { tenantId } }, body }),
    onSuccess: async () => {
      await refreshAll();
      say(text('operator.limits.changed'));
    },
  });
  const numberOf = (values: FormData, name: string) => {
    const value = textOf(values, name);
    return value === undefined ? null : Number(value);
  };
  const submit = (values: FormData) =>
    save.mutate({
      mailsPerDay: numberOf(values, 'mailsPerDay'),
      openInvitations: numberOf(values, 'openInvitations'),
    });
  const shown = (limit: number | null) => limit?.toString() ?? text('operator.limits.none');
  const mails = text('operator.limits.mails-today', {
    used: limits.mailsToday,
    max: shown(limits.mailsPerDay),
  });
  const invitations = text('operator.limits.now', { max: shown(limits.openInvitations) });
  if (denial !== null)
    return (
      <section className="sheet section" aria-labelledby="limits">
        <h2 id="limits">{text('operator.limits')}</h2>
        <dl className="facts">
          <dt>{text('operator.limits.mails')}</dt>
          <dd>{mails}</dd>
          <dt>{text('operator.limits.invitations')}</dt>
          <dd>{invitations}</dd>
        </dl>
      </section>
    );
  return (
    <section className="sheet section" aria-labelledby="limits">
      <h2 id="limits">{text('operator.limits')}</h2>
      <p className="soft">{text('operator.limits.empty')}</p>
      <Form error={save.error} onSubmit={submit}>
        <TextField
          label={text('operator.limits.mails')}
          name="mailsPerDay"
          type="number"
          inputMode="numeric"
          hint={mails}
          defaultValue={limits.set.mailsPerDay?.toString() ?? ''}
        />
        <TextField
          label={text('operator.limits.invitations')}
          name="openInvitations"
          type="number"
          inputMode="numeric"
          hint={invitations}
          defaultValue={limits.set.openInvitations?.toString() ?? ''}
        />
        <div className="buttons">
          <Button type="submit" isPending={save.isPending}>
            {text('save')}
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface CommandsProps {
  readonly tenantId: string;
  readonly name: string;
  readonly what: What;
}

function Commands({ tenantId, name, what }: CommandsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const mayEnd = useBulkKinds().includes('end-sessions');
  const mayExport = useDenial('platform:tenant:export').data === null;
  const mayChange = useDenial(`platform:tenant:${what}`).data === null;
  const end = useBulkAction('end-sessions', { tenantId }, () => setEnding(false));
  const say = useToast();
  const params = { path: { tenantId } };
  const change = useMutation({
    mutationFn: async () => {
      if (what === 'archive') await gatehouse.post('/api/v1/operator/tenants/{tenantId}/archive', { params });
      else await gatehouse.post('/api/v1/operator/tenants/{tenantId}/restore', { params });
    },
    onSuccess: async () => {
      setAsking(false);
      await refreshAll();
      say(text(what === 'archive' ? 'settings.archived' : 'settings.restored'));
    },
  });
  const save = useMutation({
    mutationFn: async () => {
      const { data } = await gatehouse.get('/api/v1/operator/tenants/{tenantId}/export', { params });
      download(`organization-${tenantId}.json`, 'application/json', JSON.stringify(data, null, 2));
    },
  });
  if (!mayExport && !mayEnd && !mayChange) return null;
  return (
    <section className="sheet section" aria-labelledby="commands">
      <h2 id="commands">{text('table.actions')}</h2>
      {save.error && <ErrorNotice error={save.error} onRetry={() => save.mutate()} />}
      <div className="row">
        {mayExport && (
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            {text('operator.export')}
          </Button>
        )}
        {mayEnd && <Button onPress={() => setEnding(true)}>{text('operator.bulk.members')}</Button>}
        {mayChange && (
          <Button look={what === 'archive' ? 'danger' : undefined} onPress={() => setAsking(true)}>
            {text(what === 'archive' ? 'settings.archive.submit' : 'settings.restore.submit')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        title={text(what === 'archive' ? 'settings.archive.title' : 'operator.restore.title')}
        confirm={text(what === 'archive' ? 'settings.archive' : 'settings.restore')}
        action={change}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <p>{text(what === 'archive' ? 'operator.archive.text' : 'settings.restore.text')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={text('operator.bulk.members.title', { name })}
        confirm={text('operator.bulk.end-sessions')}
        action={end}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
      >
        <p>{text('operator.bulk.end-sessions.text')}</p>
      </ConfirmDialog>
    </section>
  );
}
