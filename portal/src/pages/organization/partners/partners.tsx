import { useState, type ReactNode } from 'react';
import { text } from '../../../messages/index.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf, useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import {
  AnswerOffer,
  type Answer,
  ChangePartnership,
  EndPartnership,
  OfferPartnership,
} from './partner-dialogs.tsx';
import { OwnPeople, PeopleOfPartner } from './partner-people.tsx';
import {
  nameOfPartner,
  type PartnerAccess,
  type Partnership,
  usePartnerAccess,
  usePartnerships,
} from './partner-queries.ts';
import { rolesOnThings } from './partner-terms.tsx';

type Doing =
  | { readonly what: 'offer' }
  | { readonly what: 'end' | 'change' | 'people'; readonly partnership: Partnership }
  | { readonly what: Answer | 'own-people'; readonly access: PartnerAccess };

/** Lists the partners of an organization, and the organizations of which it is a partner. */
export function Partners({ tenantId, allowed }: OrganizationProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.partners')}
      lead={text('partners.lead')}
      action={
        allowed['iam:partnership:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'offer' })}>
            {text('partners.offer')}
          </Button>
        )
      }
    >
      {allowed['iam:partnership:read'] && <Offered tenantId={tenantId} onDo={setDoing} />}
      {allowed['iam:partner-access:read'] && <Access tenantId={tenantId} onDo={setDoing} />}
      {doing?.what === 'offer' && <OfferPartnership tenantId={tenantId} onClose={close} />}
      {doing?.what === 'change' && (
        <ChangePartnership tenantId={tenantId} partnership={doing.partnership} onClose={close} />
      )}
      {doing?.what === 'end' && (
        <EndPartnership tenantId={tenantId} partnership={doing.partnership} onClose={close} />
      )}
      {doing?.what === 'people' && (
        <PeopleOfPartner tenantId={tenantId} partnership={doing.partnership} onClose={close} />
      )}
      {doing?.what === 'own-people' && (
        <OwnPeople tenantId={tenantId} access={doing.access} onClose={close} />
      )}
      {(doing?.what === 'accept' || doing?.what === 'decline' || doing?.what === 'leave') && (
        <AnswerOffer tenantId={tenantId} access={doing.access} answer={doing.what} onClose={close} />
      )}
    </Page>
  );
}

interface ListProps {
  readonly tenantId: string;
  readonly onDo: (doing: Doing) => void;
}

/** Partners that may work in this organization. */
function Offered({ tenantId, onDo }: ListProps) {
  const { table } = useWholeTable(usePartnerships(tenantId), orderBy(nameOfPartner, 'sort'));
  const { data: roles = [] } = useRoles(tenantId);
  return (
    <section className="stack" aria-labelledby="partners-here">
      <h2 id="partners-here">{text('partners.here')}</h2>
      <Table
        {...table}
        label={text('partners.here')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('partners.here.empty')} lead={text('partners.here.empty.text')} />}
        columns={[
          ...columnsOf<Partnership>(nameOfPartner, (keys) => roleNames(roles, keys)),
          menuColumn<Partnership>((partnership) => (
            <ActionMenu
              label={text('members.actions', { name: nameOfPartner(partnership) })}
              subject={subjectOf('partnerships', partnership.id)}
              actions={[
                {
                  label: text('partners.people'),
                  scope: 'iam:partnership:update',
                  run: () => onDo({ what: 'people', partnership }),
                },
                {
                  label: text('partners.change'),
                  scope: 'iam:partnership:update',
                  run: () => onDo({ what: 'change', partnership }),
                },
                {
                  label: text(partnership.status === 'offered' ? 'partners.withdraw' : 'partners.end'),
                  scope: 'iam:partnership:end',
                  danger: true,
                  run: () => onDo({ what: 'end', partnership }),
                },
              ]}
            />
          )),
        ]}
      />
    </section>
  );
}

const nameOfHost = ({ host }: PartnerAccess): string => host.name;

/** Organizations in which people of this one may work. */
function Access({ tenantId, onDo }: ListProps) {
  const { table } = useWholeTable(usePartnerAccess(tenantId), orderBy(nameOfHost, 'access-sort'));
  return (
    <section className="stack" aria-labelledby="partners-there">
      <h2 id="partners-there">{text('partners.there')}</h2>
      <Table
        {...table}
        label={text('partners.there')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('partners.there.empty')} lead={text('partners.there.empty.text')} />}
        columns={[
          ...columnsOf<PartnerAccess>(nameOfHost, (keys) => roleNames(null, keys)),
          menuColumn<PartnerAccess>((access) => {
            const run = (what: Answer | 'own-people') => () => onDo({ what, access });
            return (
              <ActionMenu
                label={text('members.actions', { name: nameOfHost(access) })}
                subject={subjectOf('partner-accesses', access.id)}
                actions={
                  access.status !== 'active'
                    ? [
                        {
                          label: text('partners.accept'),
                          scope: 'iam:partner-access:accept',
                          run: run('accept'),
                        },
                        {
                          label: text('partners.decline'),
                          scope: 'iam:partner-access:accept',
                          danger: true,
                          run: run('decline'),
                        },
                      ]
                    : [
                        {
                          label: text('partners.people'),
                          scope: 'iam:partner-access:assign',
                          run: run('own-people'),
                        },
                        {
                          label: text('partners.leave'),
                          scope: 'iam:partner-access:leave',
                          danger: true,
                          run: run('leave'),
                        },
                      ]
                }
              />
            );
          }),
        ]}
      />
    </section>
  );
}

type Shown = Partnership | PartnerAccess;

/** @param field of the address of the page, which keeps the order */
const orderBy = <T extends Shown>(nameIn: (one: T) => string, field: string) => ({
  by: {
    name: nameIn,
    people: ({ peopleCount }: T) => String(peopleCount),
    until: ({ until }: T) => until ?? '',
    status: ({ status }: T) => text(`partners.status.${status}`),
  },
  first: 'name',
  field,
});

const columnsOf = <T extends Shown>(
  nameIn: (one: T) => string,
  namesOf: (keys: readonly string[]) => readonly string[],
): Column<T>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: (one) => (
      <>
        <strong title={nameIn(one)}>{nameIn(one)}</strong>
        <span className="under">
          {[
            text(`partners.status.${one.status}`),
            rolesOnThings(namesOf(one.roles), one.on),
            text('partners.count', { count: one.peopleCount }),
          ].join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'roles',
    label: text('roles'),
    isWide: true,
    cell: ({ roles, on }) => {
      const terms = rolesOnThings(namesOf(roles), on);
      return <span title={terms}>{terms}</span>;
    },
  },
  {
    key: 'people',
    label: text('partners.people'),
    sort: 'people',
    isWide: true,
    cell: ({ peopleCount }) => peopleCount,
  },
  {
    key: 'until',
    label: text('members.until'),
    sort: 'until',
    isWide: true,
    cell: ({ until }) => (until === null ? '–' : <Time value={until} />),
  },
  {
    key: 'status',
    label: text('members.status'),
    sort: 'status',
    isWide: true,
    cell: ({ status }) =>
      status === 'active' ? (
        text('partners.status.active')
      ) : (
        <Badge kind={status === 'offered' ? 'care' : ''}>{text(`partners.status.${status}`)}</Badge>
      ),
  },
];

const menuColumn = <T extends Shown>(menu: (one: T) => ReactNode): Column<T> => ({
  key: 'menu',
  label: text('table.actions'),
  isLabelHidden: true,
  cell: (one) => <span className="end-cell">{menu(one)}</span>,
});
