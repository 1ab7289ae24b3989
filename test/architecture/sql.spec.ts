import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const SQL = /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
/** Whose files hold SQL: repositories, pieces of SQL, the platform and the test kit. */
const HOLDS_SQL = /\.repository\.ts$|-sql\.ts$|^src\/(?:platform|testing)\//;

/**
 * Statements that are not in a repository yet, by file. Move one where you change its file; the
 * list may only get shorter.
 */
const LEFT: Readonly<Record<string, number>> = {
  'src/connection/connections/connection-rows.ts': 4,
  'src/directory/directories/directory-rules.ts': 7,
  'src/directory/directories/directory-tokens.ts': 11,
  'src/directory/directory-cleanup.ts': 4,
  'src/directory/projection/directory-members.ts': 6,
  'src/directory/projection/membership-projection.ts': 2,
  'src/directory/projection/person-lookup.ts': 4,
  'src/directory/projection/suspension-marks.ts': 5,
  'src/directory/records/directory-space.ts': 1,
  'src/directory/records/group-records.ts': 9,
  'src/directory/records/members-of-groups.ts': 3,
  'src/directory/records/record-lists.ts': 3,
  'src/directory/records/user-records.ts': 9,
  'src/frontline/frontline-data.ts': 1,
  'src/iam/audit/audit-trail.ts': 9,
  'src/openid/subjects/subjects.ts': 4,
};

/** Returns the number of texts of a file that begin as a statement does. */
function statementsOf(path: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return count;
}

describe('SQL', () => {
  it('is in repositories', () => {
    const outside = globSync('src/**/*.ts')
      .filter((path) => !HOLDS_SQL.test(path))
      .map((path) => [path, statementsOf(path)] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(outside)).toEqual(LEFT);
  });

  it('is recognized', () => {
    expect(statementsOf('src/iam/organizations/tenants/tenant.repository.ts')).toBeGreaterThan(5);
  });
});
