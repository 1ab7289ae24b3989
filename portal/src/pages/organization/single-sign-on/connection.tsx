import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Checkbox } from '../../../ui/checkboxes.tsx';
import { DeniableButton } from '../../../ui/deniable-button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { Certificates } from './certificates.tsx';
import { ConnectionForm, SettingsForm } from './connection-form.tsx';
import {
  pathOf,
  refreshConnections,
  useConnection,
  useDenial,
  type Connection as Shown,
} from './connection-queries.ts';
import { RecentSignIns } from './recent-sign-ins.tsx';
import { Rules } from './rules.tsx';
import { SetUp } from './set-up.tsx';
import { Summary } from './summary.tsx';
import { LastSignIn, reasonOf } from './single-sign-on.tsx';
import { TestSignIn } from './test-sign-in.tsx';
import { Waiting } from './waiting.tsx';
import { inBackground } from '../../../session/in-background.ts';

const ONE = '/api/v1/iam/tenants/{id}/connections/{connectionId}';

type Doing = 'change' | 'settings' | 'disable' | 'delete';

/** One connection: how it is set up, a test sign-in, its certificates and its rules. */
export function Connection({ id, ...props }: OrganizationProps & { readonly id: string }) {
  const { data, error, refetch } = useConnection(props.tenantId, id);
  const back = <Link href={pathIn(PAGE_PATHS.singleSignOn, props.tenantId)}>{text('connections.back')}</Link>;
  if (data) return <Details connection={data} back={back} {...props} />;
  return (
    <Page title={text('nav.single-sign-on')} lead={back}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
      ) : (
        <Skeleton label={text('nav.single-sign-on')} />
      )}
    </Page>
  );
}

interface DetailsProps extends OrganizationProps {
  readonly connection: Shown;
  readonly back: ReactNode;
}

function Details({ tenantId, allowed, connection, back }: DetailsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { id, kind, name, status } = connection;
  const close = () => setDoing(null);
  const update = 'iam:connection:update';
  const denial = useDenial(tenantId, id, update).data;
  const mayChange = allowed[update] && denial === null;
  const menu = (
    <ActionMenu
      label={text('connections.actions')}
      subject={subjectOf('connections', id)}
      actions={[
        { label: text('connections.change'), scope: update, run: () => setDoing('change') },
        { label: text('connections.settings'), scope: update, run: () => setDoing('settings') },
        ...(status === 'active'
          ? [
              {
                label: text('connections.disable'),
                scope: update,
                run: () => setDoing('disable'),
              } as const,
            ]
          : []),
        {
          label: text('connections.delete'),
          scope: 'iam:connection:delete',
          danger: true,
          run: () => setDoing('delete'),
        },
      ]}
    />
  );
  const props = { tenantId, connection };
  return (
    <Page title={name} lead={back} action={menu}>
      <State connection={connection} />
      {typeof denial === 'string' && (
        <Notice>
          <p>{denial}</p>
        </Notice>
      )}
      {connection.waiting.length > 0 && <Waiting {...props} />}
      {status !== 'draft' && <RecentSignIns tenantId={tenantId} id={id} />}
      <Summary {...props} mayReadDomains={allowed['iam:domain:read']} />
      <SetUp connection={connection} isFolded={status === 'active'} />
      {allowed['iam:connection:test'] && <TestSignIn {...props} />}
      {status !== 'active' && allowed['iam:connection:activate'] && <Activate {...props} />}
      {kind === 'saml' && <Certificates {...props} mayChange={mayChange} />}
      {mayChange && <Rules {...props} />}
      {doing === 'change' && (
        <ConnectionForm {...props} mayReadDomains={allowed['iam:domain:read']} onClose={close} />
      )}
      {doing === 'settings' && <SettingsForm {...props} onClose={close} />}
      {doing === 'disable' && <Disable {...props} onClose={close} />}
      {doing === 'delete' && <Delete {...props} onClose={close} />}
    </Page>
  );
}

const NOTICES = { draft: 'care', active: 'good', disabled: 'care' } as const;

/** Whether the connection signs people in, and why the last of them was refused. */
function State({ connection }: { readonly connection: Shown }) {
  const { status, lastError, groupsIncompleteAt } = connection;
  return (
    <Notice kind={NOTICES[status]} title={text(`connections.status.${status}`)}>
      <p>{text(`connections.status.${status}.text`)}</p>
      <p className="small">
        <LastSignIn connection={connection} />
      </p>
      {lastError !== null && (
        <p className="small">{text('connections.last-error', { error: reasonOf(lastError) })}</p>
      )}
      {groupsIncompleteAt !== null && (
        <p className="small">
          {rich('connections.groups-incomplete', { at: () => <Time value={groupsIncompleteAt} /> })}
        </p>
      )}
    </Notice>
  );
}

interface CommandProps {
  readonly tenantId: string;
  readonly connection: Shown;
  readonly onClose: () => void;
}

/** Activates a connection, if a test has passed. */
function Activate({ tenantId, connection: { id, name } }: Omit<CommandProps, 'onClose'>) {
  const say = useToast();
  const denial = useDenial(tenantId, id, 'iam:connection:activate');
  const activate = useMutation({
    mutationFn: () => gatehouse.post(`${ONE}/activate`, { params: pathOf(tenantId, id) }),
    onSuccess: async () => {
      await refreshConnections(tenantId);
      say(text('connections.activated', { name }));
    },
  });
  return (
    <section className="sheet section stack" aria-labelledby="connection-activate">
      <h2 id="connection-activate">{text('connections.activate.title')}</h2>
      <p className="soft small">{text('connections.activate.text')}</p>
      {activate.error && <ErrorNotice error={activate.error} onRetry={() => activate.mutate()} />}
      <DeniableButton
        look="primary"
        denial={denial.data ?? null}
        isPending={activate.isPending || denial.isPending}
        onPress={() => activate.mutate()}
      >
        {text('connections.activate')}
      </DeniableButton>
    </section>
  );
}

/** Refuses sign-ins by the connection until it is activated again. */
function Disable({ tenantId, connection: { id, name }, onClose }: CommandProps) {
  const say = useToast();
  const [endSessions, setEndSessions] = useState(false);
  const disable = useMutation({
    mutationFn: () =>
      gatehouse.post(`${ONE}/disable`, { params: pathOf(tenantId, id), body: { endSessions } }),
    onSuccess: async () => {
      await refreshConnections(tenantId);
      onClose();
      say(text('connections.was-disabled', { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('connections.disable.title', { name })}
      confirm={text('connections.disable')}
      action={disable}
      isOpen
      onClose={onClose}
    >
      <p>{text('connections.disable.text')}</p>
      <Checkbox isSelected={endSessions} onChange={setEndSessions}>
        {text('connections.disable.end-sessions')}
        <span className="small soft line">{text('connections.disable.end-sessions.hint')}</span>
      </Checkbox>
    </ConfirmDialog>
  );
}

/** Deletes the connection, and leads back to the list. */
function Delete({ tenantId, connection: { id, name }, onClose }: CommandProps) {
  const say = useToast();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => gatehouse.delete(ONE, { params: pathOf(tenantId, id) }),
    onSuccess: async () => {
      navigate(pathIn(PAGE_PATHS.singleSignOn, tenantId));
      say(text('connections.deleted', { name }));
      await refreshConnections(tenantId);
    },
  });
  return (
    <ConfirmDialog
      title={text('connections.delete.title', { name })}
      confirm={text('connections.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('connections.delete.text')}</p>
    </ConfirmDialog>
  );
}
