import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../../messages/index.ts';
import { useAddressField, useOrder } from '../../../session/address-field.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { ChangeStation, type Command, DoWithStation, NewStation } from './station-dialogs.tsx';
import { type Station, useStations } from './station-queries.ts';

type Doing = { readonly what: 'new' } | { readonly what: 'change' | Command; readonly station: Station };

const KINDS = { pending: 'care', active: '', locked: 'bad', disabled: 'bad' } as const;

const ANY = '*';
/** Columns by which the list is sorted. */
const ORDERS = ['name', 'place', 'lastSeenAt'] as const;
const STATUSES = ['active', 'pending', 'locked', 'disabled'] as const satisfies readonly Station['status'][];

/** Lists the shared devices of an organization, and who is signed in at them. */
export function Stations({ tenantId, allowed }: OrganizationProps) {
  const [query] = useAddressField('q');
  const [chosen, setStatus] = useAddressField('status');
  const status = STATUSES.find((one) => one === chosen);
  const filter = { ...(query !== null && { query }), ...(status && { status }) };
  const [sort, onSort] = useOrder(ORDERS, 'name');
  const stations = useStations(tenantId, { ...filter, sort });
  const isFiltered = Object.keys(filter).length > 0;
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.stations')}
      lead={rich('stations.lead', {
        link: (label) => (
          <Link key="link" href={pathIn(PAGE_PATHS.signInPolicy, tenantId)}>
            {label}
          </Link>
        ),
      })}
      action={
        allowed['iam:station:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'new' })}>
            {text('stations.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('stations.search')} isKept />
        <SelectField
          label={text('members.status')}
          options={[
            [ANY, text('members.any-status')],
            ...STATUSES.map((one) => [one, text(`stations.status.${one}`)] as const),
          ]}
          value={status ?? ANY}
          onChange={(one) => setStatus(one === ANY ? null : one)}
        />
      </div>
      <Table
        query={stations}
        label={text('nav.stations')}
        count={(count) => text('stations.count', { count })}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={onSort}
        columns={columnsOf(setDoing)}
        empty={
          isFiltered ? (
            <Empty title={text('stations.none-found')} />
          ) : (
            <Empty title={text('stations.empty')} lead={text('stations.empty.text')} />
          )
        }
      />
      {doing?.what === 'new' && <NewStation tenantId={tenantId} onClose={close} />}
      {doing?.what === 'change' && (
        <ChangeStation tenantId={tenantId} station={doing.station} onClose={close} />
      )}
      {doing !== null && doing.what !== 'new' && doing.what !== 'change' && (
        <DoWithStation tenantId={tenantId} station={doing.station} what={doing.what} onClose={close} />
      )}
    </Page>
  );
}

const columnsOf = (onDo: (doing: Doing) => void): Column<Station>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: ({ name, place, person, status }) => (
      <>
        <strong title={name}>{name}</strong>
        {place !== null && <span className="under">{place}</span>}
        {status !== 'active' && <span className="under">{text(`stations.status.${status}`)}</span>}
        {person && <span className="under">{text('stations.person', { name: nameOf(person) })}</span>}
      </>
    ),
  },
  {
    key: 'place',
    label: text('stations.place'),
    sort: 'place',
    isWide: true,
    cell: ({ place }) => <span title={place ?? undefined}>{place ?? '–'}</span>,
  },
  {
    key: 'status',
    label: text('members.status'),
    isWide: true,
    cell: ({ status }) =>
      status === 'active' ? (
        text('members.status.active')
      ) : (
        <Badge kind={KINDS[status]}>{text(`stations.status.${status}`)}</Badge>
      ),
  },
  {
    key: 'person',
    label: text('stations.signed-in'),
    isWide: true,
    cell: ({ person }) => (person ? nameOf(person) : '–'),
  },
  {
    key: 'seen',
    label: text('stations.last-seen'),
    sort: 'lastSeenAt',
    isWide: true,
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? (
        <span className="soft">{text('stations.never-seen')}</span>
      ) : (
        <Time value={lastSeenAt} />
      ),
  },
  {
    key: 'menu',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (station) => (
      <span className="end-cell">
        <StationMenu station={station} onDo={onDo} />
      </span>
    ),
  },
];

const nameOf = ({ firstName, number, userId }: NonNullable<Station['person']>): string =>
  firstName ?? number ?? userId;

interface MenuProps {
  readonly station: Station;
  readonly onDo: (doing: Doing) => void;
}

function StationMenu({ station, onDo }: MenuProps) {
  const { id, name, status } = station;
  const run = (what: 'change' | Command) => () => onDo({ what, station });
  return (
    <ActionMenu
      label={text('members.actions', { name })}
      subject={subjectOf('stations', id)}
      actions={[
        { label: text('stations.change'), scope: 'iam:station:update', run: run('change') },
        ...(status === 'locked'
          ? [{ label: text('stations.unlock'), scope: 'iam:station:update' as const, run: run('unlock') }]
          : []),
        status === 'disabled'
          ? { label: text('stations.enable'), scope: 'iam:station:update', run: run('enable') }
          : {
              label: text('stations.disable'),
              scope: 'iam:station:update',
              danger: true,
              run: run('disable'),
            },
        { label: text('stations.delete'), scope: 'iam:station:delete', danger: true, run: run('delete') },
      ]}
    />
  );
}
