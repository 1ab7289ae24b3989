import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { DirectoryForm } from './directory-form.tsx';
import { pageOfDirectory, useDirectories, type Directory } from './directory-queries.ts';

/** Lists and creates directories: sources of people, such as Entra ID. */
export function Directories({ tenantId, allowed }: OrganizationProps) {
  const directories = useDirectories(tenantId);
  const [isAdding, setAdding] = useState(false);
  const add = allowed['iam:directory:create'] && (
    <Button look="primary" onPress={() => setAdding(true)}>
      {text('directories.new')}
    </Button>
  );
  return (
    <Page title={text('nav.directories')} lead={text('directories.lead')} action={add}>
      <List
        query={directories}
        label={text('nav.directories')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('directories.empty')} lead={text('directories.empty.text')} />}
      >
        {(directory) => (
          <Link href={pageOfDirectory(tenantId, directory.id)} className="item plain item-link">
            <span className="what">
              <strong>{directory.name}</strong>
              <span className="soft small">{directory.baseUrl}</span>
            </span>
            <DirectoryStatus directory={directory} />
          </Link>
        )}
      </List>
      {isAdding && <DirectoryForm tenantId={tenantId} onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Whether the tokens of a directory are accepted, in a word. */
function DirectoryStatus({ directory: { status } }: { readonly directory: Directory }) {
  const isActive = status === 'active';
  return (
    <Badge kind={isActive ? 'good' : ''}>
      {text(isActive ? 'directories.active' : 'directories.disabled')}
    </Badge>
  );
}
