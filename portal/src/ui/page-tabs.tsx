import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useSearchParams } from 'wouter';

interface Part {
  readonly id: string;
  readonly title: string;
  /** Number of entries, next to the title; none where there is nothing to count. */
  readonly count?: number;
  readonly content: ReactNode;
}

interface Props {
  readonly label: string;
  readonly parts: readonly [Part, ...Part[]];
}

/** Parts of a page, of which one is shown. Its name is in the address, for reloads and Back. */
export function PageTabs({ label, parts }: Props) {
  const [search, setSearch] = useSearchParams();
  const shown = parts.find(({ id }) => id === search.get('part')) ?? parts[0];
  return (
    <Tabs
      className="stack"
      selectedKey={shown.id}
      onSelectionChange={(key) => setSearch({ part: String(key) }, { replace: true })}
    >
      <TabList className="tabs" aria-label={label}>
        {parts.map(({ id, title, count }) => (
          <Tab key={id} id={id} className="tab">
            {title}
            {count !== undefined && <span className="soft small"> {count}</span>}
          </Tab>
        ))}
      </TabList>
      {parts.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="stack">
          {content}
        </TabPanel>
      ))}
    </Tabs>
  );
}
