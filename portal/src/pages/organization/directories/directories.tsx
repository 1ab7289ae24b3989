import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import type { OrganizationProps } from '../allowed.ts';
import { createdColumn, statusColumn } from '../columns.tsx';
import { DirectoryForm } from './directory-form.tsx';
import { pageOfDirectory, useDirectories, type Directory } from './directory-queries.ts';

/** Lists and creates directories: sources of people, such as Entra ID. */
export function Directories({ tenantId, allowed }: OrganizationProps) {
  const { table } = useWholeTable(useDirectories(tenantId), {
    by: { name: ({ name }) => name, created: ({ createdAt }) => createdAt },
    first: 'name',
  });
  const [isAdding, setAdding] = useState(false);
  const add = allowed['iam:directory:create'] && (
    <Button look="primary" onPress={() => setAdding(true)}>
      {text('directories.new')}
    </Button>
  );
  return (
    <Page title={text('nav.directories')} lead={text('directories.lead')} action={add}>
      <Table
        {...table}
        label={text('nav.directories')}
        count={(count) => text('directories.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId)}
        empty={<Empty title={text('directories.empty')} lead={text('directories.empty.text')} />}
      />
      {isAdding && <DirectoryForm tenantId={tenantId} onClose={() => setAdding(false)} />}
    </Page>
  );
}

const columnsOf = (tenantId: string): Column<Directory>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: ({ id, name, status }) => (
      <>
        <Link href={pageOfDirectory(tenantId, id)} className="name" title={name}>
          {name}
        </Link>
        {status === 'disabled' && <span className="under">{text('directories.disabled')}</span>}
      </>
    ),
  },
  {
    key: 'address',
    label: text('directories.address'),
    isWide: true,
    cell: ({ baseUrl }) => <code>{baseUrl}</code>,
  },
  statusColumn(),
  createdColumn(),
];
