/** In case that a text is not as constant as its author thought: the server keeps each one for as long as the connection lasts. */
const MOST = 100;

const names = new Map<string, string>();

/**
 * Marks the text of a statement that is sent often: where connections go to the server itself, PostgreSQL reads and plans it once for each of them instead
 * of every time. For statements that find rows by a key, where one plan is good for everybody; and that list the columns they answer, so that a
 * column more, from a migration beside them, changes nothing.
 */
export function prepared(text: string): string {
  if (!names.has(text) && names.size < MOST) names.set(text, `gatehouse_${names.size}`);
  return text;
}

/** The name under which a connection prepares the text; none unless it is marked. */
export function nameOf(text: string): string | undefined {
  return names.get(text);
}
