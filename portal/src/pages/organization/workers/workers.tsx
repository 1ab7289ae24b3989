import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { useAddressField, useOrder } from '../../../session/address-field.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { useSelection } from '../../../ui/bulk.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { type OrganizationProps, useMayTry } from '../allowed.ts';
import { subjectOf, useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { AddWorkers } from './add-workers.tsx';
import { WorkerBar } from './worker-bulk.tsx';
import {
  ChangeWorker,
  type Command,
  DoWithWorker,
  IssueBadge,
  IssueBadges,
  ResetPin,
} from './worker-dialogs.tsx';
import { WorkerExport } from './worker-export.tsx';
import { nameOf, useWorkers, type Worker } from './worker-queries.ts';

type Doing =
  | { readonly what: 'add' | 'badges' }
  | { readonly what: 'change' | 'pin' | 'badge' | Command; readonly worker: Worker };

const ISSUE = ['iam:worker:issue-badge'] as const;
const ANY = '*';
const STATUSES = ['active', 'suspended'] as const;
/** Columns by which the list is sorted. */
const ORDERS = ['name', 'number'] as const;

/** Lists people without an address, with their numbers, PINs and badges. */
export function Workers({ tenantId, allowed }: OrganizationProps) {
  const [query] = useAddressField('q');
  const [chosen, setStatus] = useAddressField('status');
  const status = STATUSES.find((one) => one === chosen);
  const filter = { ...(query !== null && { query }), ...(status && { status }) };
  const [sort, onSort] = useOrder(ORDERS, 'name');
  const workers = useWorkers(tenantId, { ...filter, sort });
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const selection = useSelection(workers, ({ userId }) => userId);
  const withoutBadge =
    workers.data?.filter(({ badge, status }) => badge === null && status === 'active') ?? [];
  const mayIssue = useMayTry(tenantId, ISSUE)('iam:worker:issue-badge');
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={text('nav.workers')}
      lead={text('workers.lead')}
      action={
        <div className="row">
          <WorkerExport tenantId={tenantId} filter={filter} />
          {allowed['iam:worker:create'] && (
            <Button look="primary" onPress={() => setDoing({ what: 'add' })}>
              {text('workers.add')}
            </Button>
          )}
        </div>
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('workers.search')} isKept />
        <SelectField
          label={text('webhooks.status')}
          options={[
            [ANY, text('workers.status.any')],
            ...STATUSES.map((one) => [one, text(`workers.status.${one}`)] as const),
          ]}
          value={status ?? ANY}
          onChange={(one) => setStatus(one === ANY ? null : one)}
        />
      </div>
      {mayIssue && withoutBadge.length > 0 && (
        <div>
          <Button small onPress={() => setDoing({ what: 'badges' })}>
            {text('workers.badges.missing', { count: withoutBadge.length })}
          </Button>
        </div>
      )}
      <WorkerBar tenantId={tenantId} workers={selection.items} onClear={selection.clear} />
      <Table
        query={workers}
        label={text('nav.workers')}
        count={(count) => text('workers.count', { count })}
        keyOf={({ userId }) => userId}
        sort={sort}
        onSort={onSort}
        columns={useColumns(tenantId, setDoing)}
        selection={{
          ...selection.table,
          labelOf: (worker) => text('table.select', { name: nameOf(worker) }),
        }}
        empty={
          isFiltered ? (
            <Empty title={text('workers.none-found')} />
          ) : (
            <Empty title={text('workers.empty')} lead={text('workers.empty.text')} />
          )
        }
      />
      {doing?.what === 'add' && <AddWorkers tenantId={tenantId} onClose={close} />}
      {doing?.what === 'badges' && <Badges tenantId={tenantId} workers={withoutBadge} onClose={close} />}
      {doing && 'worker' in doing && <Dialogs tenantId={tenantId} {...doing} onClose={close} />}
    </Page>
  );
}

/** Keeps the people for whom badges are issued: the list changes as they get them. */
function Badges({ workers, ...props }: Parameters<typeof IssueBadges>[0]) {
  const [all] = useState(workers);
  return <IssueBadges workers={all} {...props} />;
}

interface DialogsProps {
  readonly tenantId: string;
  readonly what: 'change' | 'pin' | 'badge' | Command;
  readonly worker: Worker;
  readonly onClose: () => void;
}

function Dialogs({ what, ...props }: DialogsProps) {
  if (what === 'change') return <ChangeWorker {...props} />;
  if (what === 'pin') return <ResetPin {...props} />;
  if (what === 'badge') return <IssueBadge {...props} />;
  return <DoWithWorker what={what} {...props} />;
}

type OnDo = (doing: Doing) => void;

function useColumns(tenantId: string, onDo: OnDo): Column<Worker>[] {
  const { data: roles = [] } = useRoles(tenantId);
  const rolesOf = (worker: Worker) => roleNames(roles, worker.roles).join(', ');
  return [
    {
      key: 'name',
      label: text('name'),
      sort: 'name',
      cell: (worker) => (
        <>
          <strong title={nameOf(worker)}>{nameOf(worker)}</strong>
          <span className="under">{[worker.number, rolesOf(worker)].join(' · ')}</span>
          {worker.status === 'suspended' && <span className="under">{text('workers.status.suspended')}</span>}
        </>
      ),
    },
    {
      key: 'number',
      label: text('workers.number'),
      sort: 'number',
      isWide: true,
      cell: ({ number }) => number,
    },
    {
      key: 'roles',
      label: text('roles'),
      isWide: true,
      cell: (worker) => <span title={rolesOf(worker)}>{rolesOf(worker)}</span>,
    },
    {
      key: 'pin',
      label: text('workers.pin'),
      cell: ({ pinLocked, hasPin }) =>
        pinLocked ? (
          <Badge kind="bad">{text('workers.pin.locked')}</Badge>
        ) : hasPin ? (
          text('workers.pin.set')
        ) : (
          <Badge kind="care">{text('workers.pin.none')}</Badge>
        ),
    },
    {
      key: 'badge',
      label: text('workers.badge'),
      isWide: true,
      cell: ({ badge }) =>
        badge === null ? (
          <span className="soft">{text('workers.badge.none')}</span>
        ) : (
          text('workers.badge.has')
        ),
    },
    {
      key: 'status',
      label: text('members.status'),
      isWide: true,
      cell: ({ status, until }) =>
        status === 'suspended' ? (
          <Badge kind="bad">{text('workers.status.suspended')}</Badge>
        ) : until === null ? (
          text('members.status.active')
        ) : (
          <Badge kind="care">
            {text('members.until')} <Time value={until} />
          </Badge>
        ),
    },
    {
      key: 'signed-in',
      label: text('workers.last-sign-in'),
      isWide: true,
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? (
          <span className="soft">{text('members.never')}</span>
        ) : (
          <Time value={lastSignInAt} />
        ),
    },
    {
      key: 'menu',
      label: text('table.actions'),
      isLabelHidden: true,
      cell: (worker) => (
        <span className="end-cell">
          <WorkerMenu worker={worker} onDo={onDo} />
        </span>
      ),
    },
  ];
}

function WorkerMenu({ worker, onDo }: { readonly worker: Worker; readonly onDo: OnDo }) {
  const { userId, status, badge } = worker;
  const name = nameOf(worker);
  const run = (what: DialogsProps['what']) => () => onDo({ what, worker });
  return (
    <ActionMenu
      label={text('members.actions', { name })}
      subject={subjectOf('workers', userId)}
      actions={[
        { label: text('workers.pin.reset'), scope: 'iam:worker:reset-pin', run: run('pin') },
        { label: text('workers.badge.issue'), scope: 'iam:worker:issue-badge', run: run('badge') },
        ...(badge === null
          ? []
          : [
              {
                label: text('workers.revoke-badge'),
                scope: 'iam:worker:revoke-badge' as const,
                run: run('revoke-badge'),
              },
            ]),
        { label: text('workers.change'), scope: 'iam:worker:update', run: run('change') },
        { label: text('workers.sign-out'), scope: 'iam:worker:update', run: run('sign-out') },
        status === 'active'
          ? {
              label: text('workers.suspend'),
              scope: 'iam:worker:suspend',
              danger: true,
              run: run('suspend'),
            }
          : { label: text('workers.reinstate'), scope: 'iam:worker:reinstate', run: run('reinstate') },
        { label: text('workers.remove'), scope: 'iam:worker:delete', danger: true, run: run('remove') },
      ]}
    />
  );
}
