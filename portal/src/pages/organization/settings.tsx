import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Scope, Verdicts } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Deletion } from './deletion.tsx';
import { mayRead } from './allowed.ts';
import { Leave } from './leave.tsx';
import { Look } from './look.tsx';
import { nameOf } from './member-name.ts';
import { NotVisible } from './not-visible.tsx';
import { keys, subjectOf, useMembers, usePermissions, useTenant } from './organization-queries.ts';
import { Ownership } from './ownership.tsx';
import { Slug } from './slug.tsx';
import { inBackground } from '../../session/in-background.ts';

const SCOPES = [
  'iam:tenant:update',
  'iam:tenant:archive',
  'iam:tenant:restore',
  'iam:tenant:leave',
  'iam:tenant:delete',
  'iam:tenant:read-deletion',
  'iam:tenant:cancel-deletion',
  'iam:tenant:transfer-ownership',
] as const satisfies readonly Scope[];

const LOOK_SCOPES = ['iam:branding:read', 'iam:branding:update'] as const satisfies readonly Scope[];

/** Renames, archives and restores the organization, and lets the user leave it. */
export function OrganizationSettings({ tenantId }: { readonly tenantId: string }) {
  const tenant = useTenant(tenantId);
  const subject = subjectOf('tenants', tenantId);
  const may = useQuery({
    queryKey: [...keys.tenant(tenantId), 'may'],
    queryFn: () => gatehouse.can(subject, SCOPES),
  });
  const mayLook = useQuery({
    queryKey: [...keys.tenant(tenantId), 'may-look'],
    queryFn: () => gatehouse.can(subjectOf('brandings', tenantId), LOOK_SCOPES),
  });
  const { data } = tenant;
  const isVisible = mayRead(tenantId, 'iam:tenant:read');
  return (
    <Page
      title={text('nav.settings')}
      lead={
        data &&
        rich('settings.created', {
          id: data.id,
          time: () => <Time value={data.createdAt} />,
          code: (id) => <code>{id}</code>,
        })
      }
    >
      {tenant.error && <ErrorNotice error={tenant.error} onRetry={() => inBackground(tenant.refetch())} />}
      {may.error && <ErrorNotice error={may.error} onRetry={() => inBackground(may.refetch())} />}
      {data && may.data ? (
        <>
          {isHeld(may.data['iam:tenant:update']) ? (
            <>
              <Name tenantId={tenantId} name={data.name} denial={reasonOf(may.data['iam:tenant:update'])} />
              <Slug tenantId={tenantId} slug={data.slug} denial={reasonOf(may.data['iam:tenant:update'])} />
            </>
          ) : (
            <WhomToAsk tenantId={tenantId} />
          )}
          {mayLook.data && isHeld(mayLook.data['iam:branding:update']) && (
            <Look
              tenantId={tenantId}
              name={data.name}
              denial={reasonOf(mayLook.data['iam:branding:update'])}
            />
          )}
          {isHeld(archiving(data.status, may.data)) && (
            <Archive
              tenantId={tenantId}
              archived={data.status === 'archived'}
              denial={reasonOf(archiving(data.status, may.data))}
            />
          )}
          {data.status === 'archived' && may.data['iam:tenant:read-deletion'].allowed && (
            <Deletion
              tenantId={tenantId}
              name={data.name}
              denial={beforeProof(may.data['iam:tenant:delete'])}
              cancelDenial={reasonOf(may.data['iam:tenant:cancel-deletion'])}
            />
          )}
          {isHeld(may.data['iam:tenant:transfer-ownership']) && (
            <Ownership tenantId={tenantId} denial={beforeProof(may.data['iam:tenant:transfer-ownership'])} />
          )}
        </>
      ) : (
        isVisible && !tenant.error && !may.error && <Skeleton label={text('settings.loading')} rows={2} />
      )}
      {!isVisible && <NotVisible tenantId={tenantId} scope="iam:tenant:read" />}
      {may.data && (data || !isVisible) && (
        <Leave tenantId={tenantId} denial={reasonOf(may.data['iam:tenant:leave'])} />
      )}
    </Page>
  );
}

/** Whether the user's roles hold a permission; what they do not hold is not shown. */
const isHeld = ({ allowed, code }: { allowed: boolean; code?: string }): boolean =>
  allowed || code !== 'scope_not_held';

const archiving = (status: string, may: Verdicts<(typeof SCOPES)[number]>) =>
  may[status === 'archived' ? 'iam:tenant:restore' : 'iam:tenant:archive'];

/** Names the permission to change the settings, and the owners. */
function WhomToAsk({ tenantId }: { readonly tenantId: string }) {
  const permissions = usePermissions(tenantId);
  const { data: owners = [] } = useMembers(tenantId, { role: 'owner' });
  const permission =
    permissions?.find(({ scope }) => scope === 'iam:tenant:update')?.title ?? 'iam:tenant:update';
  const names = owners.map(nameOf).join(', ');
  return (
    <Notice title={text('settings.member')}>
      <p>
        {text('settings.member.text', {
          permission,
          owners: names === '' ? text('settings.member.owners') : names,
        })}
      </p>
    </Notice>
  );
}

const reasonOf = (verdict: { allowed: boolean; reason?: string }): string | null =>
  verdict.allowed ? null : (verdict.reason ?? text('error.not-allowed'));

/** A sign-in that is too old is no obstacle: the command asks to confirm it. */
const beforeProof = (verdict: { allowed: boolean; reason?: string; code?: string }): string | null =>
  verdict.code === 'authentication_insufficient' ? null : reasonOf(verdict);

const refresh = async (tenantId: string) => {
  await queryClient.invalidateQueries({ queryKey: ['organization', tenantId] });
  await queryClient.invalidateQueries({ queryKey: ['entry', tenantId] });
  await queryClient.invalidateQueries({ queryKey: ['tenants'] });
};

interface Props {
  readonly tenantId: string;
  readonly denial: string | null;
}

function Name({ tenantId, name, denial }: Props & { readonly name: string }) {
  const say = useToast();
  const rename = useMutation({
    mutationFn: (next: string) =>
      gatehouse.patch('/api/v1/iam/tenants/{id}', {
        params: { path: { id: tenantId } },
        body: { name: next },
      }),
    onSuccess: async (_, next) => {
      await refresh(tenantId);
      say(text('settings.renamed', { name: next }));
    },
  });
  return (
    <section className="sheet section" aria-labelledby="name">
      <h2 id="name">{text('name')}</h2>
      <Form error={rename.error} onSubmit={(values) => rename.mutate(String(values.get('name')))}>
        <TextField
          label={text('settings.name')}
          name="name"
          defaultValue={name}
          maxLength={200}
          isRequired
          isDisabled={denial !== null}
          hint={denial ?? undefined}
        />
        <Button type="submit" isPending={rename.isPending} isDisabled={denial !== null}>
          {text('settings.rename')}
        </Button>
      </Form>
    </section>
  );
}

function Archive({ tenantId, archived, denial }: Props & { readonly archived: boolean }) {
  const [asking, setAsking] = useState(false);
  const say = useToast();
  const change = useMutation({
    mutationFn: async () => {
      const params = { path: { id: tenantId } };
      if (archived) await gatehouse.post('/api/v1/iam/tenants/{id}/restore', { params });
      else await gatehouse.post('/api/v1/iam/tenants/{id}/archive', { params });
    },
    onSuccess: async () => {
      await refresh(tenantId);
      setAsking(false);
      say(text(archived ? 'settings.restored' : 'settings.archived'));
    },
  });
  return (
    <section className={`sheet section ${archived ? '' : 'danger'}`} aria-labelledby="archive">
      <div className="row">
        <h2 id="archive">{text(archived ? 'settings.restore' : 'settings.archive')}</h2>
        {archived && <Badge kind="care">{text('organizations.archived')}</Badge>}
      </div>
      <p>{text(archived ? 'settings.restore.text' : 'settings.archive.text')}</p>
      {denial !== null && <p className="hint">{denial}</p>}
      {change.error && !asking && <ErrorNotice error={change.error} onRetry={() => change.mutate()} />}
      <div>
        <Button
          look={archived ? undefined : 'danger'}
          isDisabled={denial !== null}
          isPending={change.isPending && !asking}
          onPress={() => (archived ? change.mutate() : setAsking(true))}
        >
          {text(archived ? 'settings.restore.submit' : 'settings.archive.submit')}
        </Button>
      </div>
      <ConfirmDialog
        title={text('settings.archive.title')}
        confirm={text('settings.archive')}
        action={change}
        isOpen={asking}
        onClose={() => setAsking(false)}
      >
        <p>{text('settings.archive.confirm')}</p>
      </ConfirmDialog>
    </section>
  );
}
