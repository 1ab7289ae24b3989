/** Pages about organizations. */
export { NewOrganization, Organizations } from '../organizations.tsx';
export { OrganizationPages } from './organization-pages.tsx';
