const { Client } = require('pg');

/** Bounds what PostgreSQL keeps for each connection, for texts that are not constant. */
const MAX_STATEMENTS = 1_000;

/** Names of this worker by text. */
const names = new Map();

/**
 * Prepares all statements with parameters of connections that prepare, not only those that the
 * service marks: PostgreSQL parses and plans each once per connection, which takes a quarter of its
 * processor time from specs.
 */
exports.prepareStatements = () => {
  const { query } = Client.prototype;
  Client.prototype.query = function (text, values, ...rest) {
    const name = Array.isArray(values) && rest.length === 0 && prepares(this) ? nameOf(text) : undefined;
    if (name === undefined) return query.call(this, text, values, ...rest);
    return query.call(this, { name, text, values });
  };
};

/** By name: specs that load the sources for themselves have a separate class. */
function prepares({ constructor }) {
  for (let type = constructor; type; type = Object.getPrototypeOf(type))
    if (type.name === 'PreparingClient') return true;
  return false;
}

function nameOf(text) {
  if (typeof text !== 'string' || (!names.has(text) && names.size === MAX_STATEMENTS)) return undefined;
  if (!names.has(text)) names.set(text, `test_${names.size}`);
  return names.get(text);
}
