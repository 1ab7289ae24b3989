export { eventually } from './eventually.js';
export { type Member, Organization, Person } from './organization.js';
export { type Answer, itemsOf, ServiceClient } from './service-client.js';
export { TestGatehouse } from './test-gatehouse.js';
