import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
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
import { rolesOnThings, Until } from './partner-terms.tsx';

type Doing =
  | { readonly what: 'offer' }
  | { readonly what: 'end' | 'change' | 'people'; readonly partnership: Partnership }
  | { readonly what: Answer | 'own-people'; readonly access: PartnerAccess };

const KINDS = { offered: 'care', active: 'good', declined: '', expired: '', ended: '' } as const;

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
  const partnerships = usePartnerships(tenantId, true);
  const { data: roles = [] } = useRoles(tenantId);
  return (
    <section aria-labelledby="partners-here">
      <h2 id="partners-here">{text('partners.here')}</h2>
      <List
        query={partnerships}
        label={text('partners.here')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('partners.here.empty')} lead={text('partners.here.empty.text')} />}
      >
        {(partnership) => (
          <div className="item plain">
            <What
              name={nameOfPartner(partnership)}
              partnership={partnership}
              roles={roleNames(roles, partnership.roles)}
            />
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
          </div>
        )}
      </List>
    </section>
  );
}

/** Organizations in which people of this one may work. */
function Access({ tenantId, onDo }: ListProps) {
  const access = usePartnerAccess(tenantId, true);
  return (
    <section aria-labelledby="partners-there">
      <h2 id="partners-there">{text('partners.there')}</h2>
      <List
        query={access}
        label={text('partners.there')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('partners.there.empty')} lead={text('partners.there.empty.text')} />}
      >
        {(one) => {
          const run = (what: Answer | 'own-people') => () => onDo({ what, access: one });
          return (
            <div className="item plain">
              <What name={one.host.name} partnership={one} roles={roleNames(null, one.roles)} />
              <ActionMenu
                label={text('members.actions', { name: one.host.name })}
                subject={subjectOf('partner-accesses', one.id)}
                actions={
                  one.status !== 'active'
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
            </div>
          );
        }}
      </List>
    </section>
  );
}

interface WhatProps {
  readonly name: string;
  readonly partnership: Pick<Partnership, 'status' | 'on' | 'until' | 'peopleCount'>;
  readonly roles: readonly string[];
}

function What({ name, partnership: { status, on, until, peopleCount }, roles }: WhatProps) {
  return (
    <div className="what">
      <div className="row">
        <strong>{name}</strong>
        <Badge kind={KINDS[status]}>{text(`partners.status.${status}`)}</Badge>
      </div>
      <span className="soft small">
        {rolesOnThings(roles, on)}
        {` · ${text('partners.count', { count: peopleCount })}`}
        <Until until={until} />
      </span>
    </div>
  );
}
