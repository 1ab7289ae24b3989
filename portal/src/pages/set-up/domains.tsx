import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { anonymous } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { DomainItem, NewDomain } from '../organization/single-sign-on/domain-item.tsx';
import { byLink, refreshSetup, useSetupDomains } from './setup-queries.ts';

const DOMAINS = '/api/v1/iam/setup/domains';

/** Adds and verifies domains. */
export function SetUpDomains() {
  const domains = useSetupDomains();
  const [isAdding, setAdding] = useState(false);
  return (
    <section className="stack" aria-labelledby="domains">
      <div className="row">
        <h2 id="domains">{text('connections.domains')}</h2>
        <Button small onPress={() => setAdding(true)}>
          {text('connections.domains.new')}
        </Button>
      </div>
      <p className="soft small">{text('connections.domains.text')}</p>
      <List
        query={domains}
        label={text('connections.domains')}
        keyOf={({ id }) => id}
        empty={
          <Empty title={text('connections.domains.empty')} lead={text('connections.domains.empty.text')} />
        }
      >
        {(domain) => (
          <DomainItem
            domain={domain}
            verify={() =>
              anonymous.post(`${DOMAINS}/{domainId}/verify`, {
                params: { path: { domainId: domain.id } },
                ...byLink(),
              })
            }
            readAgain={refreshSetup}
          />
        )}
      </List>
      {isAdding && (
        <NewDomain
          add={async (name) => (await anonymous.post(DOMAINS, { body: { name }, ...byLink() })).data}
          readAgain={refreshSetup}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  );
}
